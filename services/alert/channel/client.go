package channel

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/outbound"
)

const (
	totalTimeout = outbound.DefaultTimeout // of one try, all in all
	maxAnswer    = 16 << 10                // bytes read of an answer
	maxShown     = 2000                    // characters of it that are kept
	longestWait  = 24 * time.Hour          // that a Retry-After can ask for
)

// Config is what a client needs.
type Config struct {
	Clock clock.Clock
	HTTP  *outbound.Client // follows no redirects
	// Host names this installation in e-mails, for example belfry.example.com.
	Host string
	// Roots are the certificates that are trusted of mail servers; nil: the system's.
	Roots *x509.CertPool
	// Telegram is the address of its Bot API; empty: the public one.
	Telegram string
}

// Client sends messages. It is safe for concurrent use and keeps no connection.
type Client struct {
	out      *outbound.Client
	clock    clock.Clock
	host     string
	telegram string
	roots    *x509.CertPool
	// mailTimeout is how long a try by SMTP takes at most, all in all.
	mailTimeout time.Duration
}

// NewClient makes a client.
func NewClient(c Config) *Client {
	return &Client{
		out: c.HTTP, clock: c.Clock, host: c.Host, telegram: strings.TrimRight(c.Telegram, "/"), roots: c.Roots, mailTimeout: totalTimeout,
	}
}

// CheckReach says whether the receiver of an address may be reached, as far as that is
// visible now. Fault: INVALID at url.
func (c *Client) CheckReach(ctx context.Context, url string) error {
	return c.out.CheckReach(ctx, "url", url)
}

// post makes one request and judges the answer.
func (c *Client) post(ctx context.Context, call *call, body []byte, judge func(*answer) Result) Result {
	ctx, reached := outbound.NoteReach(ctx)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, call.url, bytes.NewReader(body))
	if err != nil {
		return Result{Class: Permanent, Error: "the address cannot be read"} // err holds it, and it is secret
	}
	req.Header.Set("Content-Type", "application/json; charset=utf-8")
	req.Header.Set("User-Agent", "Belfry")
	maps.Copy(req.Header, call.header)
	resp, err := c.out.HTTP.Do(req)
	if err != nil {
		return failure(err)
	}
	defer func() { _ = resp.Body.Close() }()
	got := &answer{status: resp.StatusCode, header: resp.Header}
	got.body, err = io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil && len(got.body) == 0 {
		r := failure(err)
		r.Status = got.status
		return r
	}
	result := redirected(got)
	if result == nil {
		judged := judge(got)
		result = &judged
	}
	result.Status = got.status
	if !reached.Inside() { // an inner service's answer is nobody's business
		result.Response = shown(got.body)
	} else if result.Class != OK {
		result.Error = fmt.Sprintf("the receiver answered %d", got.status)
	}
	if result.Class == Temporary && result.RetryAfter == 0 {
		result.RetryAfter = retryAfter(got.header, c.clock.Now())
	}
	result.RetryAfter = min(max(result.RetryAfter, 0), longestWait)
	return *result
}

// redirected is the result of an answer that leads elsewhere; nil for others.
func redirected(a *answer) *Result {
	if a.status >= 300 && a.status < 400 {
		return &Result{Class: Temporary, Error: fmt.Sprintf("the receiver answered %d and leads to another address, which is not followed; enter the address itself", a.status)}
	}
	return nil
}

// failure is the result of a request without an answer. The error's text holds the
// address, which is secret: only its cause is shown.
func failure(err error) Result {
	if blocked, ok := errors.AsType[*outbound.BlockedError](err); ok {
		return Result{Class: Temporary, Error: blocked.Error()}
	}
	if e, ok := errors.AsType[*url.Error](err); ok {
		err = e.Err
	}
	if e, ok := errors.AsType[net.Error](err); ok && e.Timeout() || errors.Is(err, context.DeadlineExceeded) {
		return Result{Class: Temporary, Error: fmt.Sprintf("no answer within %s", totalTimeout)}
	}
	if e, ok := errors.AsType[*net.DNSError](err); ok {
		return Result{Class: Temporary, Error: "the host is not known: " + e.Err}
	}
	if e, ok := errors.AsType[*net.OpError](err); ok && e.Err != nil {
		return Result{Class: Temporary, Error: e.Op + ": " + e.Err.Error()}
	}
	return Result{Class: Temporary, Error: err.Error()}
}

// retryAfter reads the header: seconds, or an instant.
func retryAfter(h http.Header, now time.Time) time.Duration {
	text := strings.TrimSpace(h.Get("Retry-After"))
	if seconds, err := strconv.ParseFloat(text, 64); err == nil && seconds > 0 && seconds < 1e9 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(text); err == nil {
		return at.Sub(now)
	}
	return 0
}

// shown is what of an answer is kept for people: a text.
func shown(body []byte) string {
	text := strings.ToValidUTF8(string(body), "\uFFFD")
	if utf8.RuneCountInString(text) <= maxShown {
		return text
	}
	return string([]rune(text)[:maxShown-1]) + "…"
}

// byStatus judges an answer whose status says all. Gone lists the statuses that mean
// that the address is no longer good; refused those by which a message is refused.
func byStatus(a *answer, gone, refused []int) Result {
	switch {
	case a.status >= 200 && a.status < 300:
		return Result{}
	case slices.Contains(gone, a.status):
		return Result{Class: Permanent, Error: fmt.Sprintf("the receiver answered %d: the address, or its token, is not good any more", a.status)}
	case slices.Contains(refused, a.status):
		return Result{Class: Rejected, Error: fmt.Sprintf("the receiver answered %d and does not take this message", a.status)}
	default:
		return Result{Class: Temporary, Error: fmt.Sprintf("the receiver answered %d", a.status)}
	}
}
