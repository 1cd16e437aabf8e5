package openai

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"skillbench/harness/model"
)

// A providerError is what a body says went wrong, in whatever form it came:
// OpenAI's object, a bare string, vLLM's flat object, FastAPI's detail,
// Gemini's array, or text.
type providerError struct {
	message     string
	kind        string // type
	code        string
	param       string
	statusField int // a numeric code, as proxies send under status 200
}

type errorObject struct {
	Error    json.RawMessage `json:"error"`
	Message  string          `json:"message"`
	Type     string          `json:"type"`
	Code     any             `json:"code"`
	Param    string          `json:"param"`
	Status   any             `json:"status"`
	Detail   json.RawMessage `json:"detail"`
	Metadata struct {
		Raw any `json:"raw"` // OpenRouter: the words of the provider behind it
	} `json:"metadata"`
}

// maxWords bounds what is searched of a provider's words, in bytes.
const maxWords = 16 << 10

func faultIn(body []byte) *providerError {
	body = bytes.TrimSpace(body)
	if !json.Valid(body) {
		return &providerError{message: string(body[:min(len(body), maxWords)])}
	}
	return unwrap(body, 4)
}

func unwrap(data json.RawMessage, depth int) *providerError {
	var list []json.RawMessage
	if json.Unmarshal(data, &list) == nil && len(list) > 0 && depth > 0 {
		return unwrap(list[0], depth-1)
	}
	var text string
	if json.Unmarshal(data, &text) == nil {
		return &providerError{message: text[:min(len(text), maxWords)]}
	}
	var o errorObject
	_ = json.Unmarshal(data, &o) // a member of another kind is skipped, the rest is read
	if has(o.Error) && depth > 0 {
		return unwrap(o.Error, depth-1)
	}
	e := &providerError{message: o.Message, kind: o.Type, param: o.Param, code: scalar(o.Code)}
	e.statusField, _ = strconv.Atoi(e.code)
	if has(o.Detail) {
		e.message = strings.TrimSpace(e.message + " " + string(o.Detail))
	}
	if raw := scalar(o.Metadata.Raw); raw != "" {
		e.message += ": " + raw
	}
	if e.message == "" {
		e.message = string(data)
	}
	e.message = e.message[:min(len(e.message), maxWords)]
	return e
}

func has(data json.RawMessage) bool {
	return len(data) > 0 && string(data) != "null" && string(data) != `""` && string(data) != "{}" && string(data) != "false"
}

func scalar(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}

// refused judges an error the endpoint reported, by status or in the body of a
// success.
func (c *Client) refused(x *exchange, e *providerError) (*answer, *fault) {
	status := x.status
	if status >= 200 && status < 300 {
		status = e.statusField
	}
	if overflow, why := c.overflows(status, e); overflow {
		return &answer{overflow: e}, nil
	} else if why != "" {
		return nil, &fault{class: model.Deterministic, status: x.status, message: why}
	}
	f := &fault{class: classOf(status, e), status: x.status, message: c.explain(x, e)}
	if f.class != model.Deterministic {
		f.retryAfter = parseRetryAfter(x.header, c.deps.Clock.Now())
	}
	return nil, f
}

// exhaustedQuota are the 429s that no wait mends.
var exhaustedQuota = regexp.MustCompile(`(?i)insufficient_quota|billing_hard_limit|billing_not_active|exceeded your current quota, please check your plan`)

func classOf(status int, e *providerError) string {
	switch {
	case exhaustedQuota.MatchString(e.code + " " + e.kind + " " + e.message):
		return model.Deterministic
	case status == http.StatusTooManyRequests:
		return model.RateLimited
	case status == http.StatusRequestTimeout, status == http.StatusConflict, status == http.StatusTooEarly, status >= 500 && status < 600:
		return model.Unavailable
	case status >= 300 && status < 500:
		return model.Deterministic
	case strings.Contains(e.kind, "invalid_request"), strings.Contains(e.kind, "authentication"), strings.Contains(e.kind, "BadRequest"):
		return model.Deterministic
	case strings.Contains(e.code+e.kind, "rate_limit"):
		return model.RateLimited
	}
	return model.ErrorBody
}

// explain says what the provider said, and what to do where that is known.
func (c *Client) explain(x *exchange, e *providerError) string {
	switch {
	case x.status >= 300 && x.status < 400:
		return fmt.Sprintf("the endpoint redirects to %q; redirects are not followed, put the right address in base_url", x.header.Get("Location"))
	case x.status == http.StatusUnauthorized || x.status == http.StatusForbidden:
		if c.cfg.KeyEnv == "" {
			return "the endpoint wants a key and the model file has no key_env: " + e.message
		}
		return fmt.Sprintf("the key in %s was not accepted: %s", c.cfg.KeyEnv, e.message)
	case x.status == http.StatusNotFound || x.status == http.StatusMethodNotAllowed:
		return fmt.Sprintf("no such model or address; look at model and base_url (…/v1): %s", e.message)
	case x.status == http.StatusBadRequest || x.status == http.StatusUnprocessableEntity:
		if advice := c.advice(e); advice != "" {
			return advice + ": " + e.message
		}
	}
	if e.message == "" {
		return http.StatusText(x.status)
	}
	return e.message
}

var unsupported = regexp.MustCompile(`(?i)unsupported|not support|unrecognized|unknown|unexpected|extra_forbidden|extra inputs|not permitted|not allowed|does not exist|no such`)

// advice names the key of the model file whose parameter was refused, or "".
func (c *Client) advice(e *providerError) string {
	if !unsupported.MatchString(e.code + " " + e.kind + " " + e.message) {
		return ""
	}
	for _, name := range slices.Sorted(maps.Keys(c.cfg.parameters())) {
		if name == "model" || !blames(e, name) {
			continue
		}
		if _, extra := c.cfg.Extra[name]; extra {
			name = "extra." + name
		}
		return fmt.Sprintf("the endpoint refuses %s; unset it in the model file", name)
	}
	for _, name := range []string{"response_format", "json_schema", "tools", "tool_choice", "parallel_tool_calls"} {
		if blames(e, name) {
			return fmt.Sprintf("the endpoint refuses %s; set wire: fenced in the model file", name)
		}
	}
	if blames(e, "stream_options") {
		return "the endpoint refuses stream_options; unset stream in the model file"
	}
	if blames(e, "system") {
		return "the endpoint refuses a system message; set layout: user in the model file"
	}
	return ""
}

func blames(e *providerError, name string) bool {
	if e.param != "" {
		return e.param == name || strings.HasPrefix(e.param, name+".")
	}
	for rest := e.message; ; {
		i := strings.Index(rest, name)
		if i < 0 {
			return false
		}
		end := i + len(name)
		if (i == 0 || !isWord(rest[i-1])) && (end == len(rest) || !isWord(rest[end])) {
			return true
		}
		rest = rest[end:]
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}
