package main

import (
	"io"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

var baseURL = regexp.MustCompile(`base_url: (\S+)/v1\n`)

// TestSimServer starts the server as a user would, runs against it and stops it.
func TestSimServer(t *testing.T) {
	t.Parallel()
	script := t.TempDir() + "/faults.yaml"
	if err := os.WriteFile(script, []byte("in_a_row: 1\nrules: [{rate: 0.5, fault: status}]\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	interrupts := make(chan os.Signal)
	r := start(t, interrupts, []string{"sim-server", "--faults", script, "--task", "warehouse", "--context", "9000", "--latency", "1ms"})
	url := ""
	for url == "" {
		select {
		case code := <-r.code:
			t.Fatalf("exit %d: %s", code, &r.err)
		case <-time.After(time.Millisecond): // until it has said where it listens
		}
		if m := baseURL.FindStringSubmatch(r.out.String()); m != nil {
			url = m[1]
		}
	}
	text := program(t, exitDone, "doctor", modelFile(t, url)).out.String()
	if got := line(t, text, "context"); !strings.Contains(got, "9000 tokens stated") {
		t.Errorf("got %s", got)
	}
	resp, err := http.Get(url + "/ledger")
	if err != nil {
		t.Fatal(err)
	}
	ledger, err := io.ReadAll(resp.Body)
	if err != nil || resp.Body.Close() != nil || !strings.Contains(string(ledger), `"faults":{"status":`) {
		t.Errorf("%s, %v", ledger, err)
	}
	interrupts <- os.Interrupt
	if code := <-r.code; code != exitDone || !strings.Contains(r.out.String(), "stopped after") {
		t.Errorf("exit %d: %s%s", code, &r.out, &r.err)
	}
	if strings.Contains(r.out.String(), "/repo") {
		t.Errorf("it serves a task that was not asked for: %s", &r.out)
	}
}

func TestSimServerOnWrongFlags(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ args, want string }{
		{"--addr 0.0.0.0:0", "want a loopback address"},
		{"--addr :0", "want a loopback address"},
		{"--addr 192.0.2.1:80", "want a loopback address"},
		{"--addr example.org:80", "want a loopback address"},
		{"--addr 8099", "want an address such as"},
		{"--addr 127.0.0.1:99999", "--addr: "},
		{"--task kitchen", "--task: want one of"},
		{"--latency -1s", "not negative"},
		{"--context -1", "not negative"},
		{"--faults no-such-file", "no-such-file: cannot read the fault script"},
		{"extra", "want no arguments"},
	} {
		c := program(t, exitWrong, append([]string{"sim-server"}, strings.Fields(tc.args)...)...)
		if !strings.Contains(c.err.String(), tc.want) || c.out.String() != "" {
			t.Errorf("%s: got %s%s, want %s", tc.args, &c.out, &c.err, tc.want)
		}
	}
}
