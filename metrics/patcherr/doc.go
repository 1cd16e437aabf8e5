// Package patcherr says how replies of models go wrong: in what they write, and
// in what they do to the state Σ. It reads journals, or rows recorded elsewhere,
// and calls no model; what it says of a live run and of its replay is the same.
//
// # Classes
//
// What a reply itself shows is taken from the recorded transition; see package
// transition. What an accepted reply did is judged on the change Σ_t → Σ_{t+1}
// against this agent's own world after its action, fact by fact, a fact being a
// leaf of Σ under a top-level name that the world has:
//
//   - unearned: the world refused the action, and Σ changed wrongly in something
//     the action names, or that hangs together with it in Σ.
//   - premature_delete, overwrite: a fact that still holds was deleted, or has
//     another value now.
//   - duplicate: a member of an object moved to another name in the world; Σ has
//     it under both.
//   - missed_update: a fact changed in the world at this step, because the event
//     said so or the action did it, and Σ has something else. Changes that are
//     silent are missed only once an alert has told of them.
//   - fabricated: Σ now has a fact that is not so, where it had none that held.
//
// Errors are found at their onset: a fact that was wrong before a step and is
// left alone is not found again. Σ is wrong where it differs both from the world
// and from what the world was last told to be. A step without an accepted
// attempt is judged by its replies alone. Facts that shallow and replace lose
// because a patch left them out are premature_delete; resend marks attempts
// whose patch repeats what Σ holds.
//
// All findings are kept with their evidence. The primary class of an attempt is
// the first by precedence ([Classes]); [Reversed] takes the last instead, so that
// what depends on the order can be seen.
//
// # Rows
//
// [ReadRows] takes JSON Lines: one object a line, with these members.
//
//	state         object, needed: Σ as the prompt showed it
//	reply         string, needed: the text of the reply
//	schema        object: JSON Schema of Σ; needed in the first row, later the one before if absent
//	truth         object: the world after the step, in the schema's terms; without it only what the reply shows is judged
//	truth_before  object: the world before it; absent: Σ is taken to have been right
//	form          envelope (default; one JSON object with state_patch and action) | update | action
//	wire          fenced (default) | json_schema | tool
//	merge         deep (default) | shallow | replace
//	repair        strict (default) | lenient
//	action        object: pattern, a regular expression (RE2) that a whole action must match;
//	              refused, true if the world refused it
//	calls         array of {name, arguments}: the tool calls of the reply, for wire tool
//	finish        stop (default) | length | tool_calls | content_filter | refusal
//	thinking      string: reasoning that came in a field of its own
//	model, agent  strings: what to set side by side; default "rows" and none
//	episode       string: rows of one episode are not independent of each other
//	step, attempt whole numbers from 0: rows of one step share step; default: each row is a step
//	tokens        whole number: of prompt and reply
//
// Other members are an error, as is anything else that is not as it says here.
package patcherr
