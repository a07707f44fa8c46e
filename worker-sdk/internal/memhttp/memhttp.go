// Package memhttp is an http.RoundTripper that calls an http.Handler in the same
// process, without a socket: streaming answers, cancellation and aborted replies
// behave as over a connection. It exists for tests, also under testing/synctest,
// which sockets do not allow.
package memhttp

import (
	"context"
	"errors"
	"io"
	"net/http"
	"sync"
)

// Transport calls Handler. Wait lets a test see that no call is left.
type Transport struct {
	Handler http.Handler
	calls   sync.WaitGroup
}

// errAborted is what a client sees of a reply that was cut off.
var errAborted = errors.New("connection reset by peer")

// RoundTrip runs the handler in a goroutine that ends with the handler.
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	ctx := req.Context()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	reader, writer := io.Pipe()
	w := &response{header: http.Header{}, pipe: writer, ready: make(chan struct{})}
	inner := req.Clone(ctx)
	if inner.Body == nil {
		inner.Body = http.NoBody
	}
	inner.RequestURI = req.URL.RequestURI()
	inner.RemoteAddr = "memory"
	t.calls.Go(func() { t.serve(w, inner) })
	select {
	case <-w.ready:
	case <-ctx.Done():
		_ = writer.CloseWithError(ctx.Err())
		return nil, ctx.Err()
	}
	if w.status == 0 {
		return nil, errAborted
	}
	return &http.Response{
		Status: http.StatusText(w.status), StatusCode: w.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: w.sent, Body: newBody(ctx, reader, writer), ContentLength: -1, Request: req,
	}, nil
}

func (t *Transport) serve(w *response, req *http.Request) {
	defer func() {
		_ = req.Body.Close()
		if reason := recover(); reason != nil {
			if err, ok := reason.(error); !ok || !errors.Is(err, http.ErrAbortHandler) {
				panic(reason) //nolint:forbidigo // the handler's own panic goes on
			}
			w.abort()
			return
		}
		w.WriteHeader(http.StatusOK) // does nothing when the handler wrote one
		_ = w.pipe.Close()
	}()
	t.Handler.ServeHTTP(w, req)
}

// Wait blocks until every handler has returned.
func (t *Transport) Wait() { t.calls.Wait() }

// response is the handler's side of one answer; only the handler's goroutine
// writes it, and status and sent are read by others after ready is closed.
type response struct {
	header http.Header
	sent   http.Header
	status int
	once   sync.Once
	ready  chan struct{}
	pipe   *io.PipeWriter
}

func (w *response) Header() http.Header { return w.header }

func (w *response) WriteHeader(status int) {
	w.once.Do(func() {
		w.status, w.sent = status, w.header.Clone()
		close(w.ready)
	})
}

// abort ends the answer in the way of a connection that breaks.
func (w *response) abort() {
	_ = w.pipe.CloseWithError(io.ErrUnexpectedEOF)
	w.once.Do(func() { close(w.ready) })
}

func (w *response) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.pipe.Write(p)
}

// Flush sends the header; bytes are never held back.
func (w *response) Flush() { w.WriteHeader(http.StatusOK) }

// body ends reads when the request's context ends, as net/http does.
type body struct {
	*io.PipeReader
	ctx  context.Context // of the request, which a body belongs to
	stop func() bool
}

func newBody(ctx context.Context, reader *io.PipeReader, writer *io.PipeWriter) *body {
	return &body{PipeReader: reader, ctx: ctx, stop: context.AfterFunc(ctx, func() {
		_ = writer.CloseWithError(ctx.Err())
	})}
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.PipeReader.Read(p)
	if err != nil && b.ctx.Err() != nil {
		err = b.ctx.Err() // the handler may have ended first, because of the same end
	}
	return n, err
}

func (b *body) Close() error {
	b.stop()
	return b.PipeReader.Close()
}
