// Skillbench answers what of the past a model should see: it runs context
// strategies against scripted tasks and writes down everything they cost.
package main

import (
	"context"
	"io"
	"os"
	"os/signal"
	"time"

	"golang.org/x/term"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], process()))
}

// A system is the outside world of the program; tests bring their own.
type system struct {
	stdout, stderr io.Writer
	env            func(string) string
	now            func() time.Time
	interrupts     <-chan os.Signal
	terminal       bool // stderr is one
}

func process() system {
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt)
	s := system{stdout: os.Stdout, stderr: os.Stderr, env: os.Getenv, now: time.Now, interrupts: interrupts}
	s.terminal = term.IsTerminal(int(os.Stderr.Fd()))
	return s
}
