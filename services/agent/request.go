package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/services/agent/allow"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// httpResult is the result of a task of the http handler.
type httpResult struct {
	Status      int             `json:"status"`
	URL         string          `json:"url,omitempty"` // where redirects led
	ContentType string          `json:"contentType,omitempty"`
	DurationMS  int64           `json:"durationMs"`
	Bytes       int64           `json:"bytes"`
	Body        string          `json:"body,omitempty"` // at most 64 KiB
	JSON        json.RawMessage `json:"json,omitempty"` // instead of Body, when it is JSON and whole
	BodyCut     bool            `json:"bodyCut,omitempty"`
}

// newTransport checks certificates, as Go does by itself, and bounds what it waits for.
func newTransport() http.RoundTripper {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		ForceAttemptHTTP2:      true,
		TLSHandshakeTimeout:    15 * time.Second,
		IdleConnTimeout:        30 * time.Second,
		MaxIdleConnsPerHost:    4,
		MaxResponseHeaderBytes: 64 << 10,
	}
}

// http is the handler: one request.
func (a *Agent) http(ctx context.Context, task *worker.Task, raw json.RawMessage) error {
	p, err := parseHTTP(raw)
	if err != nil {
		return err
	}
	rule, refusal := a.cfg.Allow.List(ctx).Request(p.Method, p.url, p.secretNames())
	if refusal != nil {
		return a.refused(ctx, task, refusal)
	}
	secrets, err := a.secrets(p.secretNames())
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeoutCause(ctx, p.timeout, errNoAnswer)
	defer cancel()
	req, err := a.request(limited, task, p, secrets)
	if err != nil {
		return worker.NoRetry(err)
	}
	result, header, body, err := a.exchange(req, p, rule)
	if err != nil {
		return p.failure(ctx, limited, secrets, err)
	}
	a.record(ctx, task, req, &result, body, secrets)
	if err := task.SetResult(result); err != nil {
		return err
	}
	return p.verdict(result.Status, header, body)
}

var errNoAnswer = errors.New("no whole answer within the timeout")

// request makes the request with its secrets in it.
func (a *Agent) request(ctx context.Context, task *worker.Task, p *httpParameters, secrets map[string]string) (*http.Request, error) {
	body, isJSON, err := p.body(secrets)
	if err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(ctx, p.Method, p.url.String(), body)
	if err != nil {
		return nil, fmt.Errorf("making the request: %w", err)
	}
	if isJSON {
		req.Header.Set("Content-Type", "application/json")
	}
	req.Header.Set("User-Agent", "belfry-agent/"+a.cfg.Version)
	for name, value := range p.Headers {
		expanded := expand(string(value), secrets)
		if strings.ContainsAny(expanded, "\r\n\x00") {
			return nil, fault.At("parameters.headers", fault.Invalid, "The header %s has a line break in its value.", name)
		}
		req.Header.Set(name, expanded)
	}
	for name, value := range map[string]string{
		"Belfry-Task-Id": task.ID, "Belfry-Attempt": strconv.Itoa(task.Attempt), "Belfry-Fence": strconv.FormatInt(task.Fence, 10),
		"Belfry-Scheduled-At": task.ScheduledAt.UTC().Format(time.RFC3339Nano), "Traceparent": task.TraceParent,
	} {
		if value != "" {
			req.Header.Set(name, value)
		}
	}
	if task.Shards > 0 {
		req.Header.Set("Belfry-Shard", fmt.Sprintf("%d/%d", task.Shard, task.Shards))
	}
	return req, nil
}

// exchange sends the request and reads the answer.
func (a *Agent) exchange(req *http.Request, p *httpParameters, rule *allow.URL) (httpResult, http.Header, []byte, error) {
	client := &http.Client{Transport: a.cfg.Transport, CheckRedirect: p.redirects(rule)}
	began := clock.Monotonic()
	res, err := client.Do(req)
	if err != nil {
		return httpResult{}, nil, nil, err
	}
	defer res.Body.Close()
	body, total, err := readBody(res.Body)
	if err != nil {
		return httpResult{}, nil, nil, fmt.Errorf("reading the answer: %w", err)
	}
	result := httpResult{
		Status: res.StatusCode, ContentType: res.Header.Get("Content-Type"), Bytes: total,
		DurationMS: (clock.Monotonic() - began).Milliseconds(),
	}
	if last := res.Request.URL; last.String() != p.url.String() {
		result.URL = allow.Shown(last)
	}
	return result, res.Header, body, nil
}

// redirects follows as many as were asked for, and only to where the same rule allows.
func (p *httpParameters) redirects(rule *allow.URL) func(*http.Request, []*http.Request) error {
	return func(next *http.Request, via []*http.Request) error {
		if len(via) > p.Redirects {
			return http.ErrUseLastResponse
		}
		if !rule.Holds(next.URL) {
			return worker.NoRetry(fault.New(fault.Forbidden, "It redirects to %s, which the rule for %s does not cover.", allow.Shown(next.URL), rule.URL))
		}
		return nil
	}
}

// record keeps the answer in the result and a line in the log, without secrets that
// the receiver may have sent back.
func (a *Agent) record(ctx context.Context, task *worker.Task, req *http.Request, r *httpResult, body []byte, secrets map[string]string) {
	r.keep(body, secrets)
	task.Logger().InfoContext(ctx, fmt.Sprintf("%s %s answered %d with %d bytes in %d ms", req.Method, allow.Shown(req.URL), r.Status, r.Bytes, r.DurationMS)) //nolint:sloglint // a sentence in a task's log, not an event
	a.cfg.Logger.InfoContext(ctx, "made a request", "task_id", task.ID, "job", task.JobName, "attempt", task.Attempt,
		"method", req.Method, "url", allow.Shown(req.URL), "status", r.Status)
}

// failure is what a request without an answer comes to. The address, which the error
// of the standard library has in full, is left out: its query may be a secret.
func (p *httpParameters) failure(ctx, limited context.Context, secrets map[string]string, err error) error {
	if wrapped, ok := errors.AsType[*url.Error](err); ok {
		err = wrapped.Err
	}
	if _, final := errors.AsType[*worker.NoRetryError](err); final {
		return err
	}
	what := p.Method + " " + allow.Shown(p.url)
	if ctx.Err() == nil && errors.Is(context.Cause(limited), errNoAnswer) {
		return fmt.Errorf("%s: %w of %s", what, errNoAnswer, p.timeout)
	}
	return errors.New(what + ": " + redact(err.Error(), secrets))
}

// verdict makes the attempt's error of the answer; nil: it is as expected.
func (p *httpParameters) verdict(status int, header http.Header, body []byte) error {
	what := p.Method + " " + allow.Shown(p.url)
	if !p.expects(status) {
		err := fmt.Errorf("%s answered %d %s; expected was %s", what, status, http.StatusText(status), p.expected())
		if slices.Contains(p.NoRetryStatuses, status) {
			return worker.NoRetry(err)
		}
		if pause, ok := retryAfter(header); ok && (status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable) {
			return worker.RetryAfter(pause, err)
		}
		return err
	}
	if p.BodyContains != "" && !strings.Contains(string(body), p.BodyContains) {
		return fmt.Errorf("%s answered %d, but its body does not contain %q", what, status, p.BodyContains)
	}
	if p.matches != nil && !p.matches.Match(body) {
		return fmt.Errorf("%s answered %d, but its body does not match %q", what, status, p.BodyMatches)
	}
	return nil
}

// maxRetryAfter bounds what a receiver may ask for.
const maxRetryAfter = time.Hour

// retryAfter reads the seconds that a receiver asks to be left alone for.
func retryAfter(header http.Header) (time.Duration, bool) {
	seconds, err := strconv.Atoi(strings.TrimSpace(header.Get("Retry-After")))
	if err != nil || seconds < 0 {
		return 0, false
	}
	return min(time.Duration(min(seconds, int(maxRetryAfter/time.Second)))*time.Second, maxRetryAfter), true
}
