// Package routing measures how agents choose among skills. It reads what
// journals say in record.Routing and nothing else, so every figure can be derived
// again without a model.
//
// A dialogue is one or more turns, each a message of the customer. The first
// decision at a message (a call, a question, an offer, a refusal) is right where
// it is the wanted route or an accepted one; the parameters of a call play no part
// in that and are counted apart. Loading a definition or opening a group decides
// nothing. A turn that ends without a decision had none, and is wrong. A dialogue
// that an episode with a result did not get to, because a prompt no longer fitted,
// is unresolved and counts as one wrong message. Cells without a result are left
// out and counted.
//
// # What depends on what
//
// Dialogues of one session share its catalogue and its context, so intervals are
// made from differences between sessions: Wilson's for shares, with the design
// effect and Student's t (stats.WilsonClustered), that of a ratio for means
// (stats.RatioClustered), the jackknife for scores of the confusion matrix. Where
// a session is one dialogue (T=1), what is played again is the case, and the case
// is the unit.
//
// # routing.json
//
// It stands in the folder of a run beside cells.csv: one JSON object, one element
// of a list a line, the same bytes for the same journals. What is not known is
// null, never 0. The version goes up when a field is taken away or means something
// else, never when one is added; readers take the versions up to their own, and
// skip what they do not know. Version 1 has these members:
//
//	version    of the format
//	name       of the experiment
//	tokenizer  that tokens were counted with
//	templates  hash of the connecting texts of prompts
//	measures   what the names under rates and means stand for: {name, unit,
//	           better: higher|lower|neither, of, over}; a share is of ÷ over
//	tasks      what each label of a task stands for: {base, hash, options}
//	models     what each name of a model stands for, the same
//	groups     a list, see below
//	sizes      accuracy over the number of skills offered, a curve for tasks
//	           that differ in the option skills only: {key…, arm, tasks, points:
//	           [{from, to, proportion…}]}
//	positions  accuracy over the place of the right skill from the top, a curve
//	           for tasks that differ in the option position only; and fifths, the
//	           same by fifths of the catalogue, and bias
//	pooled     the same over tasks that differ in skills and position, with points
//	           by skills offered; the fifths are of catalogues of all sizes
//	pairs      {a, b: keys, outcome: right|resolved, both, only_a, only_b,
//	           neither, p: exact McNemar, adjusted: after Holm's correction within
//	           outcome and family, family: arms|floors, warnings}
//	gates      {measure, with, without: keys, with_gates, without_gates: proportion,
//	           difference, interval}: tasks that differ in the option gates only
//	published  {measure, bare, library: keys, ours_bare, ours_library, difference,
//	           interval, verdict}: whether the direction of a published figure is
//	           found again: reproduced, not reproduced, not testable with a simulated
//	           model, no interval, made no call, made no right call, not run
//
// A group is all cells of one key: {task, agent, model, kind: simulated|real|none,
// world, horizon, noise, drift, split}, seeds and repeats together. It has
//
//	arm        option of the task
//	cells      {results, missing}
//	sessions   what intervals are clustered by
//	dialogues, lost, harms
//	suite      dialogues of the split, played or not: those of cases were played;
//	           null where the journals do not say
//	rates      by name: {k, n, share, n_effective, interval: {low, high,
//	           confidence}, warnings}
//	means      by name: {sum, weight, ratio, se, clusters, interval, warnings}
//	faults     calls of a right skill by fault: {missing, invalid, wrong, unknown}
//	macro_f1   over the skills that are wanted at least once, all that calls none
//	           being one label (none): {value, interval, labels, messages}
//	kappa      Cohen's, over skills and (ask), (offer), (clarify), (decline),
//	           (nothing)
//	recall     [{k, proportion…}]: the right skill is among the first k that a
//	           recall brought up
//	kinds      [{kind, rates}]
//	skills     [{skill, wanted, decided, right, precision, recall, f1, calls, faulty}]
//	confusion  [{want, got, n}]: first decisions; an accepted one counts as wanted
//	sizes, places, fifths  [{from, to, proportion…}]
//	bias       {verdict: flagged|not flagged|too few|not drawn, messages, difference,
//	           interval, trend: {n, clusters, slope, test}}
//	cases      [{case, wanted: a fingerprint, plays, right, resolved, wrong_calls,
//	           false_triggers, messages: [{wanted, right, called, decided:
//	           {route: n}}]}]: counts over all plays of a case; messages in their
//	           order, with the wanted route and the first decisions as call <skill>,
//	           ask <param>, offer <skill> <skill>, clarify, decline or nothing. Of
//	           more than five routes the rarest stand together under (others)
//
// A routing.json is also a baseline that later runs are held to; see [Gate].
package routing
