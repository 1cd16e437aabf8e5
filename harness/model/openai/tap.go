package openai

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// MaxBody is the largest response body that is read, in bytes.
const MaxBody = 8 << 20

// placeholder stands for the model while go-openai has the request, so that
// its checks of names that begin with o1, o3, o4 or gpt-5 never see one. They
// refuse parameters before sending, by prefix: a local "o1lama" as well.
const placeholder = "-"

// requestHead is how go-openai begins every body. A test holds it to that.
const requestHead = `{"model":"` + placeholder + `"`

// An exchange is one HTTP exchange as it was, for the attempt that made it.
type exchange struct {
	members []byte // of the request, to be added to what go-openai builds
	bare    bool   // the parameters of the model file are left out
	ready   bool   // go-openai built the whole body: nothing is added or left out

	status int // 0: no response
	header http.Header
	body   []byte // at most MaxBody bytes
	more   bool   // the body was larger
	err    error  // why the body ended early
}

type exchangeKey struct{}

// A tap stands between go-openai and the network. On the way out it puts the
// configured parameters into the body, which go-openai would leave out where
// they are zero or unknown to it. On the way back it keeps the response and
// hands on an empty success, so that nothing decodes it twice, no redirect is
// followed and the key goes to the configured host only.
type tap struct {
	next http.RoundTripper
	head []byte // replaces requestHead
	bare []byte // does so where the parameters are left out
}

func newTap(cfg Config, next http.RoundTripper) (*tap, error) {
	head, err := json.Marshal(cfg.parameters())
	if err != nil {
		return nil, err
	}
	bare, err := json.Marshal(map[string]any{"model": cfg.Model})
	return &tap{next: next, head: bytes.TrimSuffix(head, []byte("}")), bare: bytes.TrimSuffix(bare, []byte("}"))}, err
}

func (t *tap) RoundTrip(req *http.Request) (*http.Response, error) {
	sent, err := t.rewrite(req)
	if err != nil {
		return nil, err
	}
	resp, err := t.next.RoundTrip(sent)
	if err != nil {
		return nil, err
	}
	if x, ok := req.Context().Value(exchangeKey{}).(*exchange); ok {
		x.read(resp)
	}
	return &http.Response{
		StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: io.NopCloser(strings.NewReader("{}")), ContentLength: 2, Request: req,
	}, nil
}

func (t *tap) rewrite(req *http.Request) (*http.Request, error) {
	x, ok := req.Context().Value(exchangeKey{}).(*exchange)
	if ok && x.ready {
		return req, nil
	}
	whole := make([]byte, 0, len(t.head)+int(max(req.ContentLength, 0))+bytes.MinRead)
	if ok && x.bare {
		whole = append(whole, t.bare...)
	} else {
		whole = append(whole, t.head...)
		if ok {
			whole = append(whole, x.members...)
		}
	}
	begin := make([]byte, len(requestHead))
	if _, err := io.ReadFull(req.Body, begin); err != nil || string(begin) != requestHead {
		return nil, errors.Join(errors.New("go-openai no longer begins a body with the model"), req.Body.Close())
	}
	rest := bytes.NewBuffer(whole)
	_, err := rest.ReadFrom(req.Body)
	if err = errors.Join(err, req.Body.Close()); err != nil {
		return nil, err
	}
	whole = rest.Bytes()
	sent := req.Clone(req.Context())
	sent.ContentLength = int64(len(whole))
	sent.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(whole)), nil }
	sent.Body, err = sent.GetBody()
	return sent, err
}

func (x *exchange) read(resp *http.Response) {
	x.status, x.header = resp.StatusCode, resp.Header
	x.body, x.err = io.ReadAll(io.LimitReader(resp.Body, MaxBody+1))
	if len(x.body) > MaxBody {
		x.body, x.more = x.body[:MaxBody], true
	}
	if err := resp.Body.Close(); x.err == nil && !x.more {
		x.err = err
	}
}

// newTransport is the transport of a client that is given none.
func newTransport(cfg Config, proxy func(*http.Request) (*url.URL, error)) *http.Transport {
	return &http.Transport{
		Proxy:                  proxy,
		DialContext:            (&net.Dialer{Timeout: cfg.ConnectTimeout}).DialContext,
		TLSHandshakeTimeout:    cfg.ConnectTimeout,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    max(cfg.Limits.Concurrency, 16),
		MaxResponseHeaderBytes: 1 << 20,
	}
}
