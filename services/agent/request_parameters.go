package agent

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/textproto"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/services/agent/allow"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// httpParameters are those of the http handler; docs/agent.md explains them.
type httpParameters struct {
	Method          string            `json:"method"`
	URL             string            `json:"url"`
	Headers         map[string]scalar `json:"headers"`
	Body            json.RawMessage   `json:"body"` // a text as it is, any other value as JSON
	Expect          []int             `json:"expect"`
	BodyContains    string            `json:"bodyContains"`
	BodyMatches     string            `json:"bodyMatches"`
	NoRetryStatuses []int             `json:"noRetryStatuses"`
	Timeout         string            `json:"timeout"`
	Redirects       int               `json:"redirects"`

	url     *url.URL
	matches *regexp.Regexp
	timeout time.Duration
	text    string // the body, if it is a text
	value   any    // … if it is not
}

const httpKnown = "method, url, headers, body, expect, bodyContains, bodyMatches, noRetryStatuses, timeout and redirects"

const (
	defaultTimeout = 5 * time.Minute
	maxTimeout     = 24 * time.Hour
	maxRedirects   = 10
)

// ownHeaders are decided by the agent or the connection. Host is one of them: with it
// a job could speak to another site on the same machine than the rule names.
var ownHeaders = []string{
	"Host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Upgrade", "Te", "Trailer", "Expect",
	"Proxy-Authorization", "Proxy-Connection", "Proxy-Authenticate",
}

// parseHTTP reads and checks the parameters.
func parseHTTP(raw json.RawMessage) (*httpParameters, error) {
	p := &httpParameters{timeout: defaultTimeout}
	if err := decode(raw, p, httpKnown); err != nil {
		return nil, err
	}
	var problems fault.List
	bad := func(field, format string, values ...any) {
		problems.Add(fault.At("parameters."+field, fault.Invalid, format, values...))
	}
	if p.Method = strings.ToUpper(p.Method); p.Method == "" {
		p.Method = http.MethodGet
	}
	if p.URL == "" {
		bad("url", "The parameters have no url.")
	} else {
		var refusal *fault.Error
		p.url, refusal = allow.ParseURL(p.URL)
		problems.Add(refusal)
	}
	for name := range p.Headers {
		if !token(name) || slices.Contains(ownHeaders, textproto.CanonicalMIMEHeaderKey(name)) || strings.HasPrefix(strings.ToLower(name), "belfry-") {
			bad("headers", "The header %q cannot be set by a job.", name)
		}
	}
	p.checkBody(bad)
	p.checkLimits(bad)
	if err := problems.Err(); err != nil {
		return nil, worker.NoRetry(err)
	}
	return p, nil
}

func (p *httpParameters) checkBody(bad func(field, format string, values ...any)) {
	body := bytes.TrimSpace(p.Body)
	switch {
	case len(body) == 0 || bytes.Equal(body, []byte("null")):
		p.Body = nil
	case body[0] == '"':
		if err := json.Unmarshal(body, &p.text); err != nil {
			bad("body", "The body is no text: %v.", err)
		}
	default:
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.UseNumber() // large numbers stay what they are
		if err := decoder.Decode(&p.value); err != nil {
			bad("body", "The body is no JSON: %v.", err)
		}
	}
	var err error
	if p.BodyMatches != "" {
		if p.matches, err = regexp.Compile(p.BodyMatches); err != nil {
			bad("bodyMatches", "bodyMatches is no regular expression: %v.", err)
		}
	}
}

func (p *httpParameters) checkLimits(bad func(field, format string, values ...any)) {
	if p.Timeout != "" {
		d, err := time.ParseDuration(p.Timeout)
		if err != nil || d <= 0 || d > maxTimeout {
			bad("timeout", "timeout is %q: give a duration of at most %s, as \"30s\".", p.Timeout, maxTimeout)
		}
		p.timeout = d
	}
	if p.Redirects < 0 || p.Redirects > maxRedirects {
		bad("redirects", "redirects is %d: give 0 (the default: none is followed) to %d.", p.Redirects, maxRedirects)
	}
	for _, status := range slices.Concat(p.Expect, p.NoRetryStatuses) {
		if status < 100 || status > 599 {
			bad("expect", "The status %d does not exist.", status)
		}
	}
}

// body makes the request's body; isJSON says that it was no text.
func (p *httpParameters) body(secrets map[string]string) (body io.Reader, isJSON bool, err error) {
	switch {
	case p.Body == nil:
		return nil, false, nil
	case p.value == nil:
		return strings.NewReader(expand(p.text, secrets)), false, nil
	}
	var encoded bytes.Buffer
	encoder := json.NewEncoder(&encoded)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(expandAll(p.value, secrets)); err != nil {
		return nil, false, fmt.Errorf("encoding the body: %w", err)
	}
	return bytes.NewReader(bytes.TrimSpace(encoded.Bytes())), true, nil
}

func (p *httpParameters) expects(status int) bool {
	if len(p.Expect) == 0 {
		return status >= 200 && status <= 299
	}
	return slices.Contains(p.Expect, status)
}

func (p *httpParameters) expected() string {
	if len(p.Expect) == 0 {
		return "200 to 299"
	}
	words := make([]string, len(p.Expect))
	for i, status := range p.Expect {
		words[i] = strconv.Itoa(status)
	}
	return strings.Join(words, " or ")
}

// token reports whether a name can be a header's.
func token(name string) bool {
	return name != "" && strings.IndexFunc(name, func(r rune) bool {
		letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
		return !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
	}) < 0
}
