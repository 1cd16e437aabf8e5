package sim

// believe judges what is said. Every statement on a key is a vote for its
// value, and each statement takes the votes before it down by the factor
// anchor, so that a newer mention weighs more. A denial takes one vote from the
// value it denies. The value with the most votes holds; on a tie the one said
// last; with none above zero the key is unknown.
//
// With anchor 0 only the last statement counts, which is the perfect reader.
// With anchor a, a fact that was said again and again is given up only once the
// votes for the new one exceed at most 1/(1-a).
func believe(mentions []Mention, anchor float64) Beliefs {
	votes := map[string][]vote{}
	for _, m := range mentions {
		if m.Stance == Denies {
			deny(votes[m.Key], m.Value)
			continue
		}
		votes[m.Key] = say(votes[m.Key], m.Value, anchor)
	}
	beliefs := Beliefs{}
	for key, list := range votes {
		best := vote{}
		for _, v := range list {
			if v.weight > 0 && v.weight >= best.weight {
				best = v
			}
		}
		if best.weight > 0 {
			beliefs[key] = best.value
		}
	}
	return beliefs
}

// A vote is for one value of a key. Of a key's votes the one given last is last.
type vote struct {
	value  string
	weight float64
}

// negligible is the weight below which a vote is forgotten, which bounds the
// list of a key.
const negligible = 1e-6

func say(list []vote, value string, anchor float64) []vote {
	kept := list[:0]
	mine := vote{value, 1}
	for _, v := range list {
		v.weight *= anchor
		switch {
		case v.value == value:
			mine.weight += v.weight
		case v.weight > negligible:
			kept = append(kept, v)
		}
	}
	return append(kept, mine)
}

func deny(list []vote, value string) {
	for i := range list {
		if list[i].value == value {
			list[i].weight = max(0, list[i].weight-1)
		}
	}
}
