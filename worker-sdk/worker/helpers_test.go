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
