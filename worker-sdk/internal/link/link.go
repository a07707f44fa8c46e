// Package link carries single requests of the worker protocol to whichever
// server of a list answers. It knows HTTP, JSON bodies, the bearer key and the
// protocol's error bodies; what to do about an error is its caller's business.
package link

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"sync/atomic"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Agent is the User-Agent of every request and the SDK field of Register.
const Agent = "belfry-go/1"

// maxErrorBody bounds how much of an answer that is no success is read.
const maxErrorBody = 64 << 10

// Config says where the servers are and how they are reached. Its fields are those
// of the same names of worker.Config and client.Config, which errors speak of.
type Config struct {
	Server     string   // one address or several, separated by commas
	Servers    []string // further ones
	Key        string
	HTTPClient *http.Client // nil: one of the link's own, for which the rest is
	TLS        *tls.Config
	CAFile     string
	CertFile   string
	KeyFile    string
	Proxy      string // a URL, Direct, or "" for the environment's
}

// Link calls the servers of one list. It prefers the one that answered last and
// moves on when a server cannot be reached or says that it is unavailable.
// It is safe for use by many goroutines.
type Link struct {
	bases  []string // in an order of this link's own
	bearer string
	client *http.Client
	owned  bool // the client is ours, so Close may close its idle connections
	at     atomic.Int64
}

// New checks cfg and returns a link that sends its key with every request. The
// error names each field that is wrong, and what to write instead.
func New(cfg Config) (*Link, error) {
	bases, err := parseServers(&cfg)
	client, owned, clientErr := httpClient(&cfg)
	if err := errors.Join(err, clientErr); err != nil {
		return nil, err
	}
	// Each process has its own order: a fleet spreads over the servers at its start,
	// and over all that are left when one of them goes away.
	rand.Shuffle(len(bases), func(i, j int) { bases[i], bases[j] = bases[j], bases[i] })
	return &Link{bases: bases, bearer: "Bearer " + cfg.Key, client: client, owned: owned}, nil
}

// Close closes idle connections of a client that the link made itself.
func (l *Link) Close() {
	if l.owned {
		l.client.CloseIdleConnections()
	}
}

// HTTPClient returns the client that carries the requests, for others who speak to the
// same servers.
func (l *Link) HTTPClient() *http.Client { return l.client }

// Server returns the base URL that the next call goes to.
func (l *Link) Server() string { return l.bases[l.at.Load()] }

// leave moves on from server i, unless somebody else did already.
func (l *Link) leave(i int64) {
	l.at.CompareAndSwap(i, (i+1)%int64(len(l.bases)))
}

// Post sends body to path and decodes the answer into out, which may be nil. It
// gives up after timeout. A server that fails before is left for the next one at
// once, until each was asked. Errors are *Error or *Unreachable.
func (l *Link) Post(ctx context.Context, timeout time.Duration, path string, body []byte, out any) error {
	return l.call(ctx, timeout, http.MethodPost, path, body, out)
}

// Get is Post without a body.
func (l *Link) Get(ctx context.Context, timeout time.Duration, path string, out any) error {
	return l.call(ctx, timeout, http.MethodGet, path, nil, out)
}

func (l *Link) call(ctx context.Context, timeout time.Duration, method, path string, body []byte, out any) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	return l.eachOnce(ctx, func(at int64) error { return l.once(ctx, at, method, path, body, out) })
}

// eachOnce calls try with one server after the other until one answers, or says
// what another would say too, or all were tried, or ctx has ended.
func (l *Link) eachOnce(ctx context.Context, try func(at int64) error) error {
	for n := 1; ; n++ {
		err := try(l.at.Load())
		if err == nil || n == len(l.bases) || ctx.Err() != nil || !Transient(err) {
			return err
		}
	}
}

func (l *Link) once(ctx context.Context, at int64, method, path string, body []byte, out any) error {
	resp, err := l.do(ctx, at, method, path, body)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	answer, err := readAnswer(resp)
	if err != nil {
		return l.unreachable(ctx, at, path, err)
	}
	if out == nil || len(answer) == 0 {
		return nil
	}
	if err := decode(answer, out); err != nil {
		return l.unreachable(ctx, at, path, fmt.Errorf("the answer is not what a Belfry server sends: %w", err))
	}
	return nil
}

// Decoder is an answer that reads its own JSON.
type Decoder interface{ DecodeAnswer(body []byte) error }

func decode(body []byte, out any) error {
	if d, ok := out.(Decoder); ok {
		return d.DecodeAnswer(body)
	}
	return json.Unmarshal(body, out)
}

// unreachable makes the error of a request without an answer and moves on to the
// next server, unless the caller called the request off.
func (l *Link) unreachable(ctx context.Context, at int64, path string, err error) error {
	if !errors.Is(ctx.Err(), context.Canceled) {
		l.leave(at)
	}
	return &Unreachable{Server: l.bases[at], Path: path, Err: bare(err)}
}

func readAnswer(resp *http.Response) ([]byte, error) {
	size := resp.ContentLength
	if size > wire.MaxBodyBytes {
		return nil, fmt.Errorf("an answer of %d bytes, more than %d", size, wire.MaxBodyBytes)
	}
	buf := bytes.NewBuffer(make([]byte, 0, max(size, 512)+bytes.MinRead))
	if _, err := buf.ReadFrom(io.LimitReader(resp.Body, wire.MaxBodyBytes+1)); err != nil {
		return nil, err
	}
	if buf.Len() > wire.MaxBodyBytes {
		return nil, fmt.Errorf("an answer of more than %d bytes", wire.MaxBodyBytes)
	}
	return buf.Bytes(), nil
}

// Open starts a request whose answer is read as it comes; the caller closes the
// body, and calls leave when the server turned out to be of no use. Errors are *Error
// or *Unreachable.
func (l *Link) Open(ctx context.Context, path string) (resp *http.Response, leave func(), err error) {
	var server int64
	err = l.eachOnce(ctx, func(at int64) (err error) {
		resp, err = l.do(ctx, at, http.MethodGet, path, nil) //nolint:bodyclose // the caller's
		server = at
		return err
	})
	return resp, func() { l.leave(server) }, err
}

func (l *Link) do(ctx context.Context, at int64, method, path string, body []byte) (*http.Response, error) {
	base := l.bases[at]
	req, err := http.NewRequestWithContext(ctx, method, base+path, bytes.NewReader(body))
	if err != nil {
		return nil, &Unreachable{Server: base, Path: path, Err: err}
	}
	req.Header.Set("Authorization", l.bearer)
	req.Header.Set("User-Agent", Agent)
	req.Header.Set("Accept-Encoding", "identity")
	if body != nil {
		req.Header.Set("Content-Type", "application/json")
	}
	// Every request may be repeated: the transport may do so on a connection that
	// turned out to be dead. A key without a value is not sent.
	req.Header["Idempotency-Key"] = nil
	resp, err := l.client.Do(req)
	if err != nil {
		return nil, l.unreachable(ctx, at, path, err)
	}
	if resp.StatusCode == http.StatusOK || resp.StatusCode == http.StatusNoContent {
		return resp, nil
	}
	failure := readError(resp, base, path)
	if Transient(failure) {
		l.leave(at)
	}
	return nil, failure
}

// bare strips the method and URL that net/http puts before an error; Unreachable
// says both in its own way.
func bare(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return u.Err
	}
	return err
}
