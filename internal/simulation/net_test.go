package simulation

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/services/event"
)

var (
	errCut  = errors.New("connection reset by the simulation")
	errDead = errors.New("the simulated process is dead")
)

// life is whether a simulated process runs, stands still or is dead.
type life struct {
	mu     sync.Mutex
	dead   bool
	resume chan struct{} // closed to end a pause; nil: none
	gone   chan struct{} // closed by death
}

func newLife() *life { return &life{gone: make(chan struct{})} }

// pass is passed by everything that a process does to others. It waits while the
// process stands still.
func (l *life) pass() error {
	for {
		l.mu.Lock()
		dead, resume := l.dead, l.resume
		l.mu.Unlock()
		switch {
		case dead:
			return errDead
		case resume == nil:
			return nil
		}
		select {
		case <-resume:
		case <-l.gone:
		}
	}
}

func (l *life) alive() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.dead
}

func (l *life) running() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return !l.dead && l.resume == nil
}

func (l *life) die() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.dead {
		l.dead = true
		close(l.gone)
	}
}

func (l *life) pause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.resume == nil && !l.dead {
		l.resume = make(chan struct{})
	}
}

func (l *life) goOn() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.resume != nil {
		close(l.resume)
		l.resume = nil
	}
}

// bus is a server's bus: its own part gets messages at once and in order, the other
// servers late, out of order, twice or not at all.
type bus struct {
	*event.Memory
	s *server
}

func (b *bus) Publish(ctx context.Context, msgs ...event.Message) {
	b.Memory.Publish(ctx, msgs...)
	for _, other := range b.s.w.liveServers() {
		if other != b.s {
			b.send(other, msgs)
		}
	}
}

func (b *bus) PublishTo(ctx context.Context, id string, msgs ...event.Message) {
	if id == b.s.id {
		b.Memory.Publish(ctx, msgs...)
		return
	}
	for _, other := range b.s.w.liveServers() {
		if other.id == id {
			b.send(other, msgs)
		}
	}
}

func (b *bus) send(to *server, msgs []event.Message) {
	if !b.s.life.running() { // what stands still has sent nothing
		return
	}
	w := b.s.w
	for range w.copies() {
		delay := w.delay()
		w.traffic.Go(func() {
			time.Sleep(delay)
			if to.life.running() {
				to.bus.Memory.Publish(context.Background(), msgs...)
			}
		})
	}
}

// transport carries a worker's requests to servers.
type transport struct {
	w    *world
	from *life
}

// RoundTrip implements http.RoundTripper.
func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	s := t.w.serverAt(req.URL.Host)
	if err := t.from.pass(); err != nil {
		return nil, err
	}
	if s == nil || !s.life.alive() {
		return nil, errCut
	}
	if !wait(req.Context(), t.w.delay()) {
		return nil, context.Cause(req.Context())
	}
	if t.w.chance(t.w.rates.Load().drop) {
		return nil, errCut
	}
	if req.Method == http.MethodGet {
		return t.stream(req, s)
	}
	return t.post(req, s)
}

// post calls a server's handler once or more often; the answer to the first call may
// get lost.
func (t *transport) post(req *http.Request, s *server) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	for range t.w.copies() - 1 {
		delay := t.w.delay() * 20
		t.w.traffic.Go(func() {
			time.Sleep(delay)
			serve(context.Background(), req, s, body)
		})
	}
	answered := make(chan *httptest.ResponseRecorder, 1)
	t.w.traffic.Go(func() { answered <- serve(req.Context(), req, s, body) })
	select {
	case out := <-answered:
		if err := t.from.pass(); err != nil || !s.life.alive() || t.w.chance(t.w.rates.Load().drop) {
			return nil, errors.Join(errCut, err)
		}
		return out.Result(), nil
	case <-s.life.gone:
		return nil, errCut
	case <-req.Context().Done():
		return nil, context.Cause(req.Context())
	}
}

func serve(ctx context.Context, req *http.Request, s *server, body []byte) *httptest.ResponseRecorder {
	out := httptest.NewRecorder()
	inner := req.Clone(ctx)
	inner.Body = io.NopCloser(bytes.NewReader(body))
	inner.RequestURI = req.URL.RequestURI()
	s.api.ServeHTTP(out, inner)
	return out
}

// stream opens a stream that ends with either process, or by chance.
func (t *transport) stream(req *http.Request, s *server) (*http.Response, error) {
	ctx, cancel := context.WithCancel(req.Context())
	reader, writer := io.Pipe()
	out := &pipeWriter{header: http.Header{}, pipe: writer, begun: make(chan int, 1)}
	inner := req.Clone(ctx)
	inner.Body, inner.RequestURI = http.NoBody, req.URL.RequestURI()
	t.w.traffic.Go(func() {
		s.api.ServeHTTP(out, inner)
		out.WriteHeader(http.StatusOK)
		_ = writer.Close()
	})
	t.w.traffic.Go(func() {
		select {
		case <-s.life.gone:
		case <-t.from.gone:
		case <-ctx.Done():
		}
		cancel()
		_ = writer.CloseWithError(errCut)
		_ = reader.CloseWithError(errCut)
	})
	select {
	case status := <-out.begun:
		return &http.Response{
			StatusCode: status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Header: out.header, ContentLength: -1, Request: req,
			Body: &streamBody{reader: reader, from: t.from, end: cancel},
		}, nil
	case <-ctx.Done():
		cancel()
		return nil, errCut
	}
}

// streamBody is what a worker reads; one that stands still reads nothing.
type streamBody struct {
	reader *io.PipeReader
	from   *life
	end    context.CancelFunc
}

func (b *streamBody) Read(p []byte) (int, error) {
	n, err := b.reader.Read(p)
	if dead := b.from.pass(); dead != nil {
		return 0, dead
	}
	return n, err
}

func (b *streamBody) Close() error {
	b.end()
	return nil
}

// pipeWriter is the server's end of a stream.
type pipeWriter struct {
	header http.Header
	pipe   *io.PipeWriter
	begun  chan int
	once   sync.Once
}

func (p *pipeWriter) Header() http.Header              { return p.header }
func (p *pipeWriter) Flush()                           {}
func (p *pipeWriter) SetWriteDeadline(time.Time) error { return nil }
func (p *pipeWriter) WriteHeader(status int)           { p.once.Do(func() { p.begun <- status }) }
func (p *pipeWriter) Write(b []byte) (int, error) {
	p.WriteHeader(http.StatusOK)
	return p.pipe.Write(b)
}

// wait answers false when ctx ends first.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
