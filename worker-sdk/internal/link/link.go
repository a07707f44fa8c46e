// Package link carries single requests of the worker protocol to whichever
// server of a list answers. It knows HTTP, JSON bodies, the bearer key and the
// protocol's error bodies; what to do about an error is its caller's business.
package link

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Agent is the User-Agent of every request and the SDK field of Register.
const Agent = "belfry-go/1"

// maxErrorBody bounds how much of an answer that is no success is read.
const maxErrorBody = 64 << 10

// Link calls the servers of one list. It prefers the one that answered last and
// moves on when a server cannot be reached or says that it is unavailable.
// It is safe for use by many goroutines.
type Link struct {
	bases  []string
	bearer string
	client *http.Client
	owned  bool // the client is ours, so Close may close its idle connections
	at     atomic.Int64
}

// New reads servers (one URL or several, separated by commas) and returns a link
// that sends key with every request. A nil client means one of the link's own.
// The client's Timeout is ignored, since it would cut the stream.
func New(servers, key string, client *http.Client) (*Link, error) {
	bases, err := parseServers(servers)
	if err != nil {
		return nil, err
	}
	l := &Link{bases: bases, bearer: "Bearer " + key}
	if client == nil {
		l.client, l.owned = ownClient(), true
	} else {
		shared := *client
		shared.Timeout = 0
		l.client = &shared
	}
	// Processes of one fleet spread over the servers.
	l.at.Store(int64(rand.IntN(len(bases))))
	return l, nil
}

func ownClient() *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = 64
	transport.DisableCompression = true
	return &http.Client{
		Transport: transport,
		// A redirect would turn a POST into a GET; better to say so.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func parseServers(list string) ([]string, error) {
	var bases []string
	for part := range strings.SplitSeq(list, ",") {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		u, err := url.Parse(part)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%q is no URL: write it as http://host:7000", part)
		case u.Scheme != "http" && u.Scheme != "https":
			return nil, fmt.Errorf("%q has no http or https scheme: write it as http://host:7000", part)
		case u.Host == "":
			return nil, fmt.Errorf("%q names no host: write it as http://host:7000", part)
		case u.User != nil || u.RawQuery != "" || u.Fragment != "":
			return nil, fmt.Errorf("%q carries more than an address: leave out user, query and fragment", u.Redacted())
		}
		bases = append(bases, strings.TrimSuffix(part, "/"))
	}
	if len(bases) == 0 {
		return nil, errors.New("no server is named: set it to the address of a Belfry server, as http://127.0.0.1:7000")
	}
	return bases, nil
}

// Close closes idle connections of a client that the link made itself.
func (l *Link) Close() {
	if l.owned {
		l.client.CloseIdleConnections()
	}
}

// Server returns the base URL that the next call goes to.
func (l *Link) Server() string { return l.bases[l.at.Load()] }

// Next moves on to the next server of the list.
func (l *Link) Next() { l.leave(l.at.Load()) }

// leave moves on from server i, unless somebody else did already.
func (l *Link) leave(i int64) {
	l.at.CompareAndSwap(i, (i+1)%int64(len(l.bases)))
}

// Post sends body to path and decodes the answer into out, which may be nil. It
// gives up after timeout. Errors are *Error or *Unreachable.
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
	at := l.at.Load()
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
// body. Errors are *Error or *Unreachable.
func (l *Link) Open(ctx context.Context, path string) (*http.Response, error) {
	return l.do(ctx, l.at.Load(), http.MethodGet, path, nil)
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
