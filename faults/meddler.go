package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"sync"
	"sync/atomic"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// meddler stands between workers and a server and understands HTTP: it repeats and
// reorders reports and the frames of streams, and drops answers.
type meddler struct {
	target   *url.URL
	listener net.Listener
	server   *http.Server
	others   *httputil.ReverseProxy

	mu  sync.Mutex
	rng *rand.Rand

	repeat atomic.Bool  // reports and frames go one to three times, some of them later
	deafen atomic.Int64 // so many answers to reports are still to be dropped

	reports, frames, dropped atomic.Int64 // what was repeated, or dropped
	late                     sync.WaitGroup
}

func newMeddler(target string, rng *rand.Rand) (*meddler, error) {
	at, err := url.Parse(target)
	if err != nil {
		return nil, err
	}
	m := &meddler{target: at, rng: rng, others: httputil.NewSingleHostReverseProxy(at)}
	m.others.ErrorHandler = func(w http.ResponseWriter, _ *http.Request, _ error) { w.WriteHeader(http.StatusBadGateway) }
	if m.listener, err = listen(); err != nil {
		return nil, err
	}
	m.server = &http.Server{Handler: m, ReadHeaderTimeout: patience}
	go func() { _ = m.server.Serve(m.listener) }() // ends with close
	return m, nil
}

func (m *meddler) url() string { return "http://" + m.listener.Addr().String() }

func (m *meddler) close() {
	_ = m.server.Close() // nobody is to be told
	m.late.Wait()
}

// draw answers a number below n.
func (m *meddler) draw(n int) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.rng.IntN(n)
}

// ServeHTTP passes a request on.
func (m *meddler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.URL.Path {
	case wire.PathReport:
		m.report(w, r)
	case wire.PathStream:
		m.stream(w, r)
	default:
		m.others.ServeHTTP(w, r)
	}
}

// report passes a report on, up to three times: copies before it, beside it or up to
// two seconds after it, when the attempts may be long over.
func (m *meddler) report(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if m.repeat.Load() {
		for range m.draw(3) {
			m.reports.Add(1)
			pause := time.Duration(m.draw(3)*m.draw(1000)) * time.Millisecond
			m.late.Go(func() {
				time.Sleep(pause)
				if res, err := m.send(context.Background(), r, body); err == nil {
					_ = res.Body.Close() // only the first answer is wanted
				}
			})
		}
		if m.draw(4) == 0 { // the copy goes first
			time.Sleep(time.Duration(m.draw(50)) * time.Millisecond)
		}
	}
	res, err := m.send(r.Context(), r, body)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer res.Body.Close()
	if m.deafen.Add(-1) >= 0 && bytes.Contains(body, []byte(`"result"`)) {
		m.dropped.Add(1)
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	w.WriteHeader(res.StatusCode)
	_, _ = io.Copy(w, res.Body) // who broke it off knows
}

// send sends a request's copy to the server.
func (m *meddler) send(ctx context.Context, r *http.Request, body []byte) (*http.Response, error) {
	to := *m.target
	to.Path, to.RawQuery = r.URL.Path, r.URL.RawQuery
	req, err := http.NewRequestWithContext(ctx, r.Method, to.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header = r.Header.Clone()
	return http.DefaultTransport.RoundTrip(req)
}

// stream passes frames on, each up to three times, and some of them again after
// others that came later.
func (m *meddler) stream(w http.ResponseWriter, r *http.Request) {
	res, err := m.send(r.Context(), r, nil)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer res.Body.Close()
	w.Header().Set("Content-Type", res.Header.Get("Content-Type"))
	w.WriteHeader(res.StatusCode)
	out := http.NewResponseController(w)
	lines := bufio.NewReaderSize(res.Body, 1<<20)
	var old [][]byte // up to eight frames that may come again
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			return
		}
		copies := [][]byte{line}
		if m.repeat.Load() {
			for range m.draw(3) {
				copies = append(copies, line)
			}
			if len(old) > 0 && m.draw(3) == 0 {
				copies = append(copies, old[m.draw(len(old))])
			}
			if old = append(old, line); len(old) > 8 {
				old = old[1:]
			}
		}
		m.frames.Add(int64(len(copies) - 1))
		for _, each := range copies {
			if _, err := w.Write(each); err != nil {
				return
			}
		}
		if err := out.Flush(); err != nil {
			return
		}
	}
}

// meddlers puts a meddler before each server; it must be called before workers start.
func (b *bed) meddlers() ([]*meddler, error) {
	var all []*meddler
	byServer := map[*server]*meddler{}
	for _, s := range b.servers {
		m, err := newMeddler(s.url(), rand.New(rand.NewPCG(b.rng.Uint64(), 0)))
		if err != nil {
			return nil, err
		}
		all = append(all, m)
		byServer[s] = m
	}
	b.closers = append(b.closers, func() {
		for _, m := range all {
			m.close()
		}
	})
	b.meddle = func(s *server) string { return byServer[s].url() }
	return all, nil
}
