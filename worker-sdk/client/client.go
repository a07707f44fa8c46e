package client

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/internal/link"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

const (
	// DefaultRetryFor is how long a call is repeated.
	DefaultRetryFor = 30 * time.Second
	callTimeout     = 10 * time.Second
	maxBackoff      = 5 * time.Second
)

// Config says where the server is and for which app the client speaks. Server, App
// and Key are required.
type Config struct {
	// Server is the address of a Belfry server, as http://127.0.0.1:7000, or
	// several, separated by commas; Servers is for further ones. Clients spread over
	// them by chance; one whose server goes away takes the next one at once.
	Server  string
	Servers []string
	// App is the name of the app whose jobs are meant, and Key its key.
	App string
	Key string
	// RetryFor is how long a call is repeated while no server answers; 0 means 30 s.
	// The call's context ends it earlier. Wait repeats until its context ends.
	RetryFor time.Duration
	// TLS, its files and Proxy are as in worker.Config: CAFile is a further authority to
	// trust, CertFile and KeyFile are the client certificate, which may be renewed on
	// disk, and Proxy is a URL, "direct", or "" for what the environment says.
	CAFile   string
	CertFile string
	KeyFile  string
	TLS      *tls.Config
	Proxy    string
	// HTTPClient carries the requests; nil means one of the client's own, for which TLS,
	// the files and Proxy are. Its Timeout is ignored: contexts bound the calls.
	HTTPClient *http.Client
}

// Client enqueues, cancels and waits for tasks. It is safe for use by many
// goroutines, and one for a process is enough.
type Client struct {
	link     *link.Link
	retryFor time.Duration
}

// New checks cfg and returns a client. It does not connect. The error names each
// field that is wrong and what to write instead.
func New(cfg Config) (*Client, error) {
	var wrong []error
	l, err := link.New(link.Config{
		Server: cfg.Server, Servers: cfg.Servers, Key: cfg.Key, HTTPClient: cfg.HTTPClient,
		TLS: cfg.TLS, CAFile: cfg.CAFile, CertFile: cfg.CertFile, KeyFile: cfg.KeyFile, Proxy: cfg.Proxy,
	})
	if err != nil {
		wrong = append(wrong, err)
	}
	if cfg.App == "" || strings.TrimSpace(cfg.App) != cfg.App {
		wrong = append(wrong, fmt.Errorf("Config.App is %q: give the app's name as the console shows it", cfg.App))
	}
	if strings.TrimSpace(cfg.Key) == "" || strings.ContainsAny(cfg.Key, "\r\n") {
		wrong = append(wrong, errors.New("Config.Key is empty or has a line break: give the app's key, which was shown when the app was created"))
	}
	if cfg.RetryFor < 0 {
		wrong = append(wrong, fmt.Errorf("Config.RetryFor is %s: choose a positive duration, or 0 for 30 s", cfg.RetryFor))
	}
	if len(wrong) > 0 {
		return nil, fmt.Errorf("client: %w", errors.Join(wrong...))
	}
	if cfg.RetryFor == 0 {
		cfg.RetryFor = DefaultRetryFor
	}
	return &Client{link: l, retryFor: cfg.RetryFor}, nil
}

// Close closes idle connections. The client stays usable.
func (c *Client) Close() { c.link.Close() }

// Cancel cancels a task. One that waits is cancelled at once; the handler of one
// that runs is told to stop, and the task is cancelled when it has. Codes:
// NOT_FOUND, CONFLICT for a task that has ended, UNAUTHENTICATED, UNAVAILABLE.
func (c *Client) Cancel(ctx context.Context, taskID string, options ...CancelOption) error {
	if taskID == "" {
		return invalid("task", "the task id is empty: pass the one that Enqueue returned")
	}
	return c.cancel(ctx, wire.CancelRequest{Task: taskID}, options)
}

// CancelKey cancels the unfinished task of job that holds the unique key. Codes as
// for Cancel; NOT_FOUND when no unfinished task holds it.
func (c *Client) CancelKey(ctx context.Context, job, uniqueKey string, options ...CancelOption) error {
	if job == "" || uniqueKey == "" {
		return invalid("uniqueKey", "job %q and unique key %q: pass both, as they were given to Enqueue", job, uniqueKey)
	}
	return c.cancel(ctx, wire.CancelRequest{Job: job, UniqueKey: uniqueKey}, options)
}

// Move gives a task that waits, for its first attempt or the next, another instant:
// In or At, the default is at once. Its id and parameters stay. Codes: NOT_FOUND,
// CONFLICT for a task that runs or has ended, INVALID, UNAUTHENTICATED, UNAVAILABLE.
func (c *Client) Move(ctx context.Context, taskID string, when ...Option) error {
	if taskID == "" {
		return invalid("task", "the task id is empty: pass the one that Enqueue returned")
	}
	return c.move(ctx, wire.MoveRequest{Task: taskID}, when)
}

// MoveKey gives the unfinished task of job that holds the unique key another
// instant. Codes as for Move; NOT_FOUND when no unfinished task holds it.
func (c *Client) MoveKey(ctx context.Context, job, uniqueKey string, when ...Option) error {
	if job == "" || uniqueKey == "" {
		return invalid("uniqueKey", "job %q and unique key %q: pass both, as they were given to Enqueue", job, uniqueKey)
	}
	return c.move(ctx, wire.MoveRequest{Job: job, UniqueKey: uniqueKey}, when)
}

func (c *Client) move(ctx context.Context, r wire.MoveRequest, when []Option) error {
	var asked wire.NewTask
	for _, option := range when {
		if err := option(&asked); err != nil {
			return err
		}
	}
	if asked.UniqueKey != "" || asked.OnKeyHeld != "" || asked.Priority != "" || asked.RequestID != "" {
		return invalid("when", "only In and At can be given: the task keeps everything else")
	}
	r.DelayMS, r.RunAt = asked.DelayMS, asked.RunAt
	body, err := json.Marshal(r)
	if err != nil {
		return invalid("", "encoding the request: %v", err)
	}
	return c.post(ctx, wire.PathMove, body, nil)
}

// CancelOption says more about a cancellation.
type CancelOption func(*wire.CancelRequest)

// Reason is shown in the task's timeline, and to the handler by context.Cause.
func Reason(text string) CancelOption {
	return func(r *wire.CancelRequest) { r.Reason = text }
}

func (c *Client) cancel(ctx context.Context, r wire.CancelRequest, options []CancelOption) error {
	for _, option := range options {
		option(&r)
	}
	body, err := json.Marshal(r)
	if err != nil {
		return invalid("", "encoding the request: %v", err)
	}
	return c.post(ctx, wire.PathCancel, body, nil)
}

// post repeats a request until it is answered, and returns a nil error or an *Error.
func (c *Client) post(ctx context.Context, path string, body []byte, out any) error {
	ctx, cancel := context.WithTimeout(ctx, c.retryFor)
	defer cancel()
	for try := 0; ; try++ {
		err := c.link.Post(ctx, callTimeout, path, body, out)
		if err == nil {
			return nil
		}
		if !link.Transient(err) || !link.Sleep(ctx, link.Backoff(try, maxBackoff)) {
			return ended(ctx, err)
		}
	}
}

// ended makes the error of a call; a context that has ended is found by errors.Is.
func ended(ctx context.Context, err error) *Error {
	e := errorOf(err)
	if e.cause != nil && ctx.Err() != nil {
		e.cause = errors.Join(ctx.Err(), e.cause)
	}
	return e
}
