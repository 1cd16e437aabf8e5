package routing

// A count names one thing that is counted.
type count int

const (
	dialogues count = iota
	resolved        // dialogues whose every turn was settled, without harm
	routed          // dialogues whose every first decision was right
	scored          // dialogues that the task counts as correct
	harmed          // dialogues in which something was changed that nobody asked to change
	looked          // dialogues in which definitions are shown by looks alone, and not by a recall
	lost            // dialogues that the episode did not get to

	messages      // turns, and one for each lost dialogue
	right         // messages whose first decision was right
	callable      // messages at which a call is wanted
	called        // of these, with the right call as first decision
	skilless      // messages at which no skill is right
	triggered     // of these, with a call as first decision
	outside       // messages of the kind out_of_scope
	outsideRight  // of these, with a right first decision
	backWanted    // messages at which asking back is wanted
	backFound     // of these, with asking back as first decision
	backMade      // first decisions that ask back
	backRight     // of these, where asking back is wanted or accepted
	guarded       // messages with a skill that is forbidden
	forbidden     // of these, at which such a skill was called
	exposed       // messages that were played with a poisoned skill in the catalogue
	lured         // of these, at which that skill was called
	turns         // messages that were played
	calls         // decisions to call a skill
	wrongCalls    // of these, of a skill that is neither wanted nor accepted
	rightCalls    // the others
	faulty        // calls with a fault in the parameters
	rightFaulty   // of these, of a right skill
	missing       // calls of a right skill with a parameter left out
	invalid       // … with a value that the contract does not allow
	wrongValue    // … with a value that is not what was said
	unknown       // … with a parameter that the contract does not have
	held          // calls that the runtime refused
	harms         // steps that changed what nobody asked to change
	loads         // definitions asked for
	opens         // groups opened
	inRank        // messages whose right skill stands at a rank, not at a place that was drawn
	prompts       // first-attempt calls of a model
	promptTokens  // of these
	listed        // first-attempt calls whose catalogue was counted
	listChars     // of the catalogues in them
	listTokens    //
	defined       // characters of definitions and groups that were shown
	definedTokens //
	shown         // characters of results of calls
	shownTokens   //
	counted       // how many counts there are
)

type counts [counted]int

func (c *counts) add(o *counts) {
	for i, n := range o {
		c[i] += n
	}
}

// hits are right first decisions out of all.
type hits struct{ k, n int }

func (h *hits) add(k, n int) { h.k, h.n = h.k+k, h.n+n }

func (h *hits) hit(right bool) { h.add(one(right), 1) }

func one(is bool) int {
	if is {
		return 1
	}
	return 0
}
