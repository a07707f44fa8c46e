package worker

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/internal/link"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

const (
	streamBuffer = 64 << 10
	// maxFrameBytes bounds one line of the stream: a batch of assignments with their
	// parameters, which a server keeps to a request's size.
	maxFrameBytes = wire.MaxBodyBytes + 1<<20
	// steady is how long a stream has to last for the next one to be opened at once.
	steady = 5 * time.Second
	// missedKeepAlives is how many keep-alives may be missing before a stream is dead.
	missedKeepAlives = 3
	// maxByePause spreads the workers that a stopping server sends to the others.
	maxByePause = 250 * time.Millisecond
)

var (
	errBye       = errors.New("the server is stopping")
	errSilent    = errors.New("no frame for three keep-alive intervals")
	errReconnect = errors.New("the server sees no working stream")
	errTooLong   = fmt.Errorf("a frame of more than %d bytes", maxFrameBytes)
)

// stream keeps one stream open, on which assignments arrive.
type stream struct {
	*session
	base      context.Context // of handlers: Run's values, without its end
	run       registry
	frames    frameReader
	lineText  []byte // a line longer than the reader's buffer is put together here
	inherited inheritance
	leave     func() // the server of the last stream is of no use; the loop's own

	mu     sync.Mutex
	opened int64                   // streams so far
	end    context.CancelCauseFunc // of the present stream; nil while none is open
}

// loop registers and keeps a stream open until ctx ends.
func (s *stream) loop(ctx context.Context) {
	if !s.inherited.send(ctx) || !s.register(ctx, 0) || !s.onStart(ctx) {
		return
	}
	quiet := quietly{log: s.cfg.Logger}
	for try := 0; ctx.Err() == nil; {
		stamp(&s.vital.stream)
		epoch, opened := s.epoch.Load(), time.Now()
		err := s.once(ctx)
		s.book.lostStream()
		lasted := time.Since(opened)
		if lasted >= steady {
			try, quiet = 0, quietly{log: s.cfg.Logger}
		}
		if ctx.Err() != nil {
			return
		}
		if errors.Is(err, errBye) || errors.Is(err, errSilent) {
			s.leave()
		}
		quiet.warn("the stream ended; connecting again", err)
		if !s.heed(ctx, err, epoch) {
			return
		}
		if errors.Is(err, errBye) && lasted >= time.Second {
			// A server says good-bye to all of its workers in one moment.
			if !link.Sleep(ctx, rand.N(maxByePause)) {
				return
			}
			continue
		}
		if !link.Sleep(ctx, link.Backoff(try, maxBackoff)) {
			return
		}
		try++
	}
}

// number returns the number of the open stream, 0 while there is none.
func (s *stream) number() int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end == nil {
		return 0
	}
	return s.opened
}

// drop ends stream number n, if it is still the open one.
func (s *stream) drop(n int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.opened == n && s.end != nil {
		s.end(errReconnect)
	}
}

// isOpen notes that a stream has been opened, or with nil that it has ended.
func (s *stream) isOpen(end context.CancelCauseFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.end = end; end != nil {
		s.opened++
	}
}

// once opens a stream and reads it to its end. The error is never nil.
func (s *stream) once(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	alive := time.AfterFunc(s.silence(), func() { cancel(errSilent) })
	defer alive.Stop()
	resp, leave, err := s.link.Open(ctx, s.path())
	s.leave = leave
	if err != nil {
		return causeOf(ctx, err)
	}
	defer resp.Body.Close()
	s.isOpen(cancel)
	defer s.isOpen(nil)
	reader := bufio.NewReaderSize(resp.Body, streamBuffer)
	for {
		line, err := s.line(reader)
		if err != nil {
			return causeOf(ctx, fmt.Errorf("reading the stream: %w", err))
		}
		stamp(&s.vital.stream)
		alive.Reset(s.silence())
		if err := s.frame(line); err != nil {
			return err
		}
	}
}

func (s *stream) path() string {
	q := url.Values{"group": {s.cfg.Group}, "node": {s.cfg.Name}, "incarnation": {s.incarnation}}
	return wire.PathStream + "?" + q.Encode()
}

func (s *stream) silence() time.Duration { return missedKeepAlives * s.settings.Load().keepAlive }

// causeOf prefers our own reason for ending a stream to what the read says then.
func causeOf(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	return err
}

// line returns the next line; it is valid until the next call.
func (s *stream) line(r *bufio.Reader) ([]byte, error) {
	line, err := r.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, lineEnd(err)
	}
	if cap(s.lineText) > 1<<20 {
		s.lineText = nil // a giant frame's memory is not kept for the next long one
	}
	s.lineText = s.lineText[:0]
	for errors.Is(err, bufio.ErrBufferFull) {
		s.lineText = append(s.lineText, line...)
		if len(s.lineText) > maxFrameBytes {
			return nil, errTooLong
		}
		line, err = r.ReadSlice('\n')
	}
	s.lineText = append(s.lineText, line...)
	return s.lineText, lineEnd(err)
}

// lineEnd turns the end of the answer into the error that it is for a stream.
func lineEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// frame does what one line says. Kinds that it does not know are of a later server.
func (s *stream) frame(line []byte) error {
	if len(line) <= 1 {
		return nil // an empty line is allowed between frames
	}
	f, err := s.frames.read(line)
	if err != nil {
		return err
	}
	if f.Kind == wire.FrameAssign {
		s.book.take(s.base, f.Seq, f.Assign, s.run)
		return nil
	}
	s.book.sawFrame(f.Seq)
	switch f.Kind {
	case wire.FrameCancel:
		s.cancelAll(f.Cancel)
	case wire.FrameDrain:
		s.drain(true)
	case wire.FrameResume:
		s.drain(false)
	case wire.FrameSettings:
		if f.Settings != nil {
			s.apply(*f.Settings)
		}
	case wire.FrameBye:
		return errBye
	}
	return nil
}

// cancelAll ends the attempts that the server names.
func (s *session) cancelAll(list []wire.Cancel) {
	for _, c := range list {
		s.book.cancel(c.AttemptRef, causeOfCancel(c), c.Cause == wire.CauseLost)
	}
}

// causeOfCancel turns the protocol's word into a cause of the context's end.
func causeOfCancel(c wire.Cancel) error {
	cause := ErrCancelled // also for words of a later protocol
	switch c.Cause {
	case wire.CauseTimeLimit:
		cause = ErrTimeLimit
	case wire.CauseLost:
		cause = ErrLeaseLost
	case wire.CauseReplaced:
		cause = ErrReplaced
	}
	if c.Reason != "" {
		return fmt.Errorf("%w: %s", cause, cut(c.Reason, 1024))
	}
	return cause
}
