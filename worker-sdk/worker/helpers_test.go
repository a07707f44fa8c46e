package worker_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// ackRewriter turns the acknowledgements of the first reports into "retry" before
// they reach the server, so that the items have to come again.
type ackRewriter struct {
	next  http.RoundTripper
	mu    sync.Mutex
	times int
}

func (a *ackRewriter) RoundTrip(r *http.Request) (*http.Response, error) {
	a.mu.Lock()
	again := r.URL.Path == wire.PathReport && a.times > 0
	if again {
		a.times--
	}
	a.mu.Unlock()
	if !again {
		return a.next.RoundTrip(r)
	}
	var report wire.Report
	if err := json.NewDecoder(r.Body).Decode(&report); err != nil {
		return nil, err
	}
	answer := wire.Reported{}
	for range report.Items {
		answer.Acks = append(answer.Acks, wire.Ack{Status: wire.AckRetry})
	}
	text, err := json.Marshal(answer)
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{}, Request: r,
		Body: io.NopCloser(bytes.NewReader(text)), ContentLength: int64(len(text)),
	}, err
}

// gateway refuses connections to the host that is down.
type gateway struct {
	next http.RoundTripper
	down atomic.Value
}

func (g *gateway) RoundTrip(r *http.Request) (*http.Response, error) {
	if down, _ := g.down.Load().(string); strings.HasPrefix(r.URL.Host, down+".") {
		return nil, errors.New("connection refused")
	}
	return g.next.RoundTrip(r)
}

// streamWatch remembers the last request and how many streams were open then.
type streamWatch struct {
	next http.RoundTripper

	mu         sync.Mutex
	open       int
	last       string
	openAtLast int
}

func (w *streamWatch) RoundTrip(r *http.Request) (*http.Response, error) {
	w.mu.Lock()
	w.last, w.openAtLast = r.URL.Path, w.open
	w.mu.Unlock()
	resp, err := w.next.RoundTrip(r)
	if err == nil && r.URL.Path == wire.PathStream {
		w.count(1)
		resp.Body = &watchedBody{ReadCloser: resp.Body, watch: w}
	}
	return resp, err
}

func (w *streamWatch) count(n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open += n
}

type watchedBody struct {
	io.ReadCloser
	watch *streamWatch
}

func (b *watchedBody) Close() error {
	b.watch.count(-1)
	return b.ReadCloser.Close()
}
