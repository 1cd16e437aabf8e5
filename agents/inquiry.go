package agents

import (
	"math"
	"strings"
	"unicode/utf8"

	"skillbench/harness"
	"skillbench/harness/model/ngrams"
	"skillbench/harness/prompt"
	"skillbench/harness/record"
)

// An inquiry has turns judged by a model, piece by piece.
type inquiry struct {
	before []prompt.Segment   // the piece judged last
	due    [][]prompt.Segment // pieces of the turn that is taken up
	step   int                // of that turn
}

// maxPiece bounds what is judged in one call, in bytes. A turn is one piece, as
// a rule. The model reads it behind instructions, contract and the piece before
// it: so a call's size is bounded, all calls together grow with the transcript,
// and what older turns said counts as news again.
const maxPiece = 4096

// Ask has the model judge the next piece of the finished turns.
func (g *lingua) Ask(v harness.View) (prompt.Prompt, bool) {
	if g.ngrams != nil {
		return nil, false
	}
	if len(g.due) == 0 && g.read < len(v.Past) {
		g.due, g.step = pieces(shown(v.Past[g.read])), v.Past[g.read].Step
		g.read++
	}
	if len(g.due) == 0 {
		return nil, false
	}
	return prompt.Prompt{g.instructions, g.contract, g.before, g.due[0]}, true
}

// Told takes up what the model says of that piece.
func (g *lingua) Told(scores record.Scores) {
	g.before, g.due = g.due[0], g.due[1:]
	texts := ngrams.Tokens(prompt.Prompt{g.before}.Text())
	g.take(g.step, texts, shares(texts, scores))
}

// pieces cuts a turn behind a line break where there is one, so that no name is
// parted that need not be.
func pieces(turn []prompt.Segment) [][]prompt.Segment {
	var list [][]prompt.Segment
	var piece []prompt.Segment
	room := maxPiece
	for _, s := range turn {
		for s.Text != "" {
			n := fitting(s.Text, room)
			if n == 0 {
				list, piece, room = append(list, piece), nil, maxPiece
				continue
			}
			part := s
			part.Text, s.Text = s.Text[:n], s.Text[n:]
			piece, room = append(piece, part), room-n
		}
	}
	return append(list, piece)
}

// fitting is how much of a text goes into a piece with so much room, in bytes.
func fitting(text string, room int) int {
	if len(text) <= room {
		return len(text)
	}
	n := strings.LastIndexByte(text[:room], '\n') + 1
	if n > 0 || room < maxPiece {
		return n
	}
	for n = room; !utf8.RuneStart(text[n]); n-- {
	}
	return n
}

// shares gives each of our tokens its part of what the model's tokens tell, in
// bits. Where the two overlap in part, what a token tells is shared out by bytes.
func shares(texts []string, scores record.Scores) []float64 {
	bits := make([]float64, len(texts))
	left, perByte := 0, 0.0 // of the model's token that is shared out
	for i, text := range texts {
		for need := len(text); need > 0; {
			if left == 0 {
				left, perByte = scores[0].Bytes, -scores[0].LogProb/math.Ln2/float64(scores[0].Bytes)
				scores = scores[1:]
			}
			n := min(need, left)
			bits[i] += float64(float64(n) * perByte) // rounded on every machine alike
			need, left = need-n, left-n
		}
	}
	return bits
}
