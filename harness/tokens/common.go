package tokens

import "iter"

// Common returns how many tokens a and b begin with alike. It is what a prompt
// cache can reuse of one for the other, and never more than Count of either.
// Where the first pieces that differ are longer than 256 bytes, tokens that
// they share are left out.
func (e *Encoding) Common(a, b string) int {
	next, stop := iter.Pull(e.pieces(valid(b)))
	defer stop()
	sum := 0
	for p := range e.pieces(valid(a)) {
		q, ok := next()
		if !ok {
			break
		}
		if p.text == q.text {
			sum += p.tokens
			continue
		}
		if len(p.text) <= longPiece && len(q.text) <= longPiece {
			sum += shared(e.library.EncodeOrdinary(p.text), e.library.EncodeOrdinary(q.text))
		}
		break
	}
	return sum
}

// shared counts the elements that two lists begin with alike.
func shared(a, b []int) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
