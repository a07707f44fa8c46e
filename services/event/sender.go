package event

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/belfry-scheduler/belfry/services/lifecycle"
)

const (
	// maxQueued and maxQueuedBytes bound what waits for Redis. When it is full the
	// oldest are dropped and all servers are told to look again.
	maxQueued      = 8192
	maxQueuedBytes = 32 << 20
	// maxBatch and maxBatchBytes bound one pipeline, maxFrame one Redis message.
	maxBatch      = 512
	maxBatchBytes = 1 << 20
	maxFrame      = 256 << 10
	// sendTimeout bounds one pipeline.
	sendTimeout = 2 * time.Second
	// sendEvery is how often the sender looks for work without being woken.
	sendEvery = 10 * time.Second
	// maxSendBackoff bounds the pause after Redis took nothing: messages are about
	// the present, and each server is told to look again afterwards.
	maxSendBackoff = 2 * time.Second
)

type queued struct {
	channel string
	msg     Message
}

// sender takes messages to Redis, in order.
type sender struct {
	clients []redis.UniversalClient
	names   names
	id      string
	loop    *lifecycle.Loop

	sending sync.Mutex // one round at a time
	good    int        // the client that took the last batch; guarded by sending

	mu     sync.Mutex
	items  []queued // bounded by maxQueued and maxQueuedBytes
	bytes  int      // size of items
	lost   bool     // messages were dropped: the others must look again
	closed bool     // takes no more
}

func newSender(cfg RedisConfig, n names) (*sender, error) {
	s := &sender{clients: cfg.Clients, names: n, id: cfg.ServerID}
	var err error
	s.loop, err = lifecycle.NewLoop(lifecycle.LoopConfig{
		Name: "event sender", Every: sendEvery, MaxBackoff: maxSendBackoff, Logger: cfg.Logger,
		Run: func(ctx context.Context) (time.Duration, error) { return 0, s.round(ctx) },
	})
	return s, err
}

func (s *sender) queue(channel string, m Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.items = append(s.items, queued{channel, m})
	s.bytes += size(m)
	drop := 0
	for len(s.items)-drop > maxQueued || s.bytes > maxQueuedBytes {
		s.bytes -= size(s.items[drop].msg)
		drop++
	}
	if drop > 0 {
		s.forget(drop)
		s.lost = true
	}
}

// forget takes the first n items off the queue and lets go of their payloads.
func (s *sender) forget(n int) {
	clear(s.items[:n])
	s.items = s.items[n:]
	if len(s.items) == 0 {
		s.items = nil
	}
}

// round sends everything that waits. After a failure it first tells all servers
// to look again, and keeps the queue until that has worked.
func (s *sender) round(ctx context.Context) error {
	s.sending.Lock()
	defer s.sending.Unlock()
	for {
		if s.takeLost() {
			mark := appendMessage(openFrame(s.id), Message{Topic: TopicResync})
			if err := s.send(ctx, map[string][][]byte{s.names.all(): {mark}}); err != nil {
				s.setLost()
				return err
			}
		}
		batch := s.take()
		if len(batch) == 0 {
			return nil
		}
		if err := s.send(ctx, s.frames(batch)); err != nil {
			s.setLost()
			return err
		}
	}
}

func (s *sender) takeLost() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	lost := s.lost
	s.lost = false
	return lost
}

func (s *sender) setLost() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost = true
}

func (s *sender) take() []queued {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, bytes := 0, 0
	for n < len(s.items) && n < maxBatch && bytes < maxBatchBytes {
		bytes += size(s.items[n].msg)
		n++
	}
	batch := append([]queued(nil), s.items[:n]...)
	s.bytes -= bytes
	s.forget(n)
	return batch
}

// frames packs the batch, by channel and in order.
func (s *sender) frames(batch []queued) map[string][][]byte {
	frames := map[string][][]byte{}
	for _, q := range batch {
		of := frames[q.channel]
		if last := len(of) - 1; last >= 0 && len(of[last])+size(q.msg) <= maxFrame {
			of[last] = appendMessage(of[last], q.msg)
			continue
		}
		frames[q.channel] = append(of, appendMessage(openFrame(s.id), q.msg))
	}
	return frames
}

// send publishes the frames on the first server that takes them, beginning with
// the one that took the last.
func (s *sender) send(ctx context.Context, frames map[string][][]byte) error {
	var errs []error
	for i := range s.clients {
		n := (s.good + i) % len(s.clients)
		err := publish(ctx, s.clients[n], frames)
		if err == nil {
			s.good = n
			s.loop.Alive()
			return nil
		}
		errs = append(errs, err)
	}
	return fmt.Errorf("sending messages over Redis: %w", errors.Join(errs...))
}

func publish(ctx context.Context, client redis.UniversalClient, frames map[string][][]byte) error {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	_, err := client.Pipelined(ctx, func(p redis.Pipeliner) error {
		for channel, of := range frames {
			for _, frame := range of {
				p.Publish(ctx, channel, frame)
			}
		}
		return nil
	})
	return err
}

// flush sends what is queued and takes no more.
func (s *sender) flush(ctx context.Context) error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	return s.round(ctx)
}
