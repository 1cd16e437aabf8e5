package model

// The classes of record.Failure: why an attempt at a call did not end in a
// reply. All of them are worth another attempt.
const (
	Timeout      = "timeout"          // no complete answer within the configured time
	Connection   = "connection"       // refused, reset, no such host
	RateLimited  = "rate_limited"     // 429 with a limit that passes
	Unavailable  = "unavailable"      // 408, 409, 425, 5xx
	CutBody      = "cut_body"         // the body ended before its JSON did
	EmptyBody    = "empty_body"       // 204, or nothing in the body
	NotJSON      = "not_json"         // an HTML page, or any other text
	Trailing     = "trailing_garbage" // more text after the JSON
	ErrorBody    = "error_body"       // success status, yet the body holds an error
	NoChoices    = "no_choices"       // choices empty, null or absent
	StreamCut    = "stream_cut"       // a stream without finish_reason and [DONE]
	OversizeBody = "oversize_body"    // a body over the bound
)

// The classes of Error that packages below this one give.
const (
	Deterministic = "deterministic" // the same call would fail again
	Transient     = "transient"     // attempts ran out
	Canceled      = "canceled"      // the caller gave up
	Replay        = "replay"        // nothing recorded for the request
)
