package sim

// believe judges what is said. What an action of its own did is not doubted, nor
// what an event of the task's course changed: either settles the key. Any other statement is a vote for its value, and takes the
// votes before it down by the factor anchor, so that a newer one weighs more. A
// denial takes one vote from the value it denies. The value with the most votes
// holds; on a tie the one said last; with none above zero the key is unknown.
// Where values are exclusive, the key with more votes for a value has it, and
// the others are unknown.
//
// With anchor 0 only the last statement counts, which is the perfect reader.
// With anchor a, what has been said again and again, by the observations or by
// the model's own replies (see Config.Restates), outweighs a single newer
// statement by up to a/(1-a).
func believe(r Reading, anchor float64) Beliefs {
	votes := map[string][]vote{}
	for i, m := range r.Mentions {
		switch m.Stance {
		case Denies:
			deny(votes[m.Key], m.Value)
		case Tries, Announces:
			votes[m.Key] = []vote{{m.Value, 1, i}}
		default:
			votes[m.Key] = say(votes[m.Key], vote{m.Value, 1, i}, anchor)
		}
	}
	beliefs, holders := Beliefs{}, map[string]holder{}
	for key, list := range votes {
		best := vote{}
		for _, v := range list {
			if v.beats(best) {
				best = v
			}
		}
		if best.weight <= 0 {
			continue
		}
		beliefs[key] = best.value
		if !r.Exclusive || best.value == "" {
			continue
		}
		rival, contested := holders[best.value]
		switch {
		case !contested:
			holders[best.value] = holder{key, best}
		case best.beats(rival.vote):
			delete(beliefs, rival.key)
			holders[best.value] = holder{key, best}
		default:
			delete(beliefs, key)
		}
	}
	return beliefs
}

// A vote is for one value of a key.
type vote struct {
	value  string
	weight float64
	last   int // number of the mention that last said so
}

// beats orders votes by weight, then by which was said last.
func (v vote) beats(o vote) bool {
	return v.weight > o.weight || v.weight == o.weight && v.weight > 0 && v.last > o.last
}

// A holder is the key that has an exclusive value.
type holder struct {
	key  string
	vote vote
}

// negligible is the weight below which a vote is forgotten, which bounds the
// list of a key.
const negligible = 1e-6

func say(list []vote, mine vote, anchor float64) []vote {
	kept := list[:0]
	for _, v := range list {
		v.weight *= anchor
		switch {
		case v.value == mine.value:
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
