package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

const (
	otherApp     = "other"
	hugeResult   = 100 << 20
	beaters      = 32
	hugeTaken    = 32 << 20 // bytes of a huge body that may leave here before the server says no: it reads 8 MiB, and buffers on the way hold more
	stolenMarker = "stolen"
)

// hostile is F30: forged results, also with another app's key, wrong and old protocols,
// results of 100 MB, reports with one broken item, and heartbeats without end.
func hostile(ctx context.Context, b *bed) error {
	s := &stranger{url: b.servers[0].url(), key: b.key, node: "stranger", group: b.groups[0].Name}
	key, err := b.belfry(ctx, "app", "create", otherApp)
	if err != nil {
		return err
	}
	thief := &stranger{url: s.url, key: key, node: "thief", group: "default"}
	watching, end := context.WithCancel(ctx)
	defer end()
	y := b.bystand(watching, b.servers[0])
	b.rest(ctx, 4*time.Second)
	calm, _, _ := y.take()
	taken, err := s.mustBeRefused(ctx, b, thief)
	if err != nil {
		return err
	}
	for _, w := range []*stranger{s, thief} {
		hello := w.hello(wire.Version)
		hello.App = ""
		if status, err := w.call(ctx, wire.PathRegister, hello, nil); err != nil || status != http.StatusOK {
			return fmt.Errorf("registering: status %d, %w", status, err)
		}
	}
	_, _, _ = y.take()
	beats, stop := s.beatWildly(ctx)
	forged := 0
	for b.more(4 * time.Second) {
		running := b.witness.running()
		for _, n := range running[:min(len(running), 20)] {
			forged += 2
			if err := errors.Join(s.forge(ctx, b, n), thief.forge(ctx, b, n)); err != nil {
				return err
			}
		}
		b.load.request(ctx, "long-"+b.groups[b.rng.IntN(len(b.groups))].Name)
		b.rest(ctx, 50*time.Millisecond)
	}
	stop()
	busy := y.judge(calm)
	b.look(ctx)
	if err := b.nothingStolen(ctx); err != nil {
		return err
	}
	b.fig.scale = fmt.Sprintf("%d forged results, half of them with another app's key: none taken; %d heartbeats as fast as %d clients can; of a result of 100 MB %s were taken before it was refused; another client p99 %s, calm %s",
		forged, beats.Load(), beaters, mib(taken), short(busy), short(calm))
	return nil
}

// beatWildly beats from many clients until stop is called.
func (s *stranger) beatWildly(ctx context.Context) (beats *atomic.Int64, stop func()) {
	ctx, end := context.WithCancel(ctx)
	beats = &atomic.Int64{}
	var running sync.WaitGroup
	for range beaters {
		running.Go(func() {
			for ctx.Err() == nil {
				if status, err := s.call(ctx, wire.PathHeartbeat, wire.Heartbeat{Group: s.group, Node: s.node, Incarnation: incarnation, Slots: 20}, nil); err == nil && status == http.StatusOK {
					beats.Add(1)
				}
			}
		})
	}
	return beats, func() {
		end()
		running.Wait()
	}
}

// forge reports an end and a line of log of an attempt that another process runs, between
// items that say nothing.
func (s *stranger) forge(ctx context.Context, b *bed, n note) error {
	ref := wire.AttemptRef{Task: n.Task, Attempt: n.Attempt}
	acks, err := s.report(ctx, wire.Item{AttemptRef: wire.AttemptRef{Task: "no task", Attempt: -1}},
		wire.Item{AttemptRef: ref, Result: &wire.Result{Outcome: wire.OutcomeSucceeded, Result: json.RawMessage(`{"attempt":1,"pid":0}`)}},
		wire.Item{AttemptRef: ref},
		wire.Item{AttemptRef: ref, Log: &wire.LogChunk{Lines: []wire.LogLine{{Seq: 1 << 20, At: time.Now(), Message: stolenMarker}}}},
		wire.Item{AttemptRef: wire.AttemptRef{Task: n.Task, Attempt: n.Attempt + 1}, Result: &wire.Result{Outcome: wire.OutcomeFailed, NoRetry: true}})
	if err != nil {
		return err
	}
	for _, at := range []int{1, 3, 4} {
		if len(acks) != 5 || acks[at].Status == wire.AckAccepted {
			b.fig.breaks("V4: item %d of %s's forged report of attempt %d of task %s was answered with %+v", at, s.node, n.Attempt, n.Task, acks)
		}
	}
	return nil
}

// nothingStolen looks for a forged line in the logs.
func (b *bed) nothingStolen(ctx context.Context) error {
	var n int
	err := b.ledger.QueryRowContext(ctx, "SELECT COUNT(*) FROM task_logs WHERE line_data LIKE '%"+stolenMarker+"%'").Scan(&n)
	if n > 0 {
		b.fig.breaks("V4: %d logs have lines of a stranger", n)
	}
	return err
}

// counted is a body of so many bytes that counts what of it was taken.
type counted struct {
	left  int64
	taken atomic.Int64
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	if c.left <= 0 {
		return 0, io.EOF
	}
	n := int(min(int64(len(p)), c.left))
	for i := range n {
		p[i] = 'x'
	}
	c.left -= int64(n)
	c.taken.Add(int64(n))
	return n, nil
}

// mustBeRefused sends what no server may take, and answers how much of a huge result was.
func (s *stranger) mustBeRefused(ctx context.Context, b *bed, other *stranger) (taken int64, err error) {
	wrong := *s
	wrong.key = "bk_" + strings.Repeat("0", 40)
	head := fmt.Sprintf(`{"node":%q,"group":%q,"incarnation":%q,"items":[{"task":%q,"attempt":1,"result":{"outcome":"succeeded","result":"`, s.node, s.group, incarnation, strings.Repeat("0", 26))
	huge := &counted{left: hugeResult}
	for what, try := range map[string]func() (int, error){
		"a wrong key": func() (int, error) { return wrong.call(ctx, wire.PathRegister, s.hello(wire.Version), nil) },
		"no key": func() (int, error) {
			return (&stranger{url: s.url}).call(ctx, wire.PathRegister, s.hello(wire.Version), nil)
		},
		"another app's key":   func() (int, error) { return other.call(ctx, wire.PathRegister, s.hello(wire.Version), nil) },
		"protocol version 0":  func() (int, error) { return s.call(ctx, wire.PathRegister, s.hello(0), nil) },
		"protocol version 99": func() (int, error) { return s.call(ctx, wire.PathRegister, s.hello(99), nil) },
		"a result of 100 MB": func() (int, error) {
			res, err := s.send(ctx, http.MethodPost, wire.PathReport, io.MultiReader(strings.NewReader(head), huge, strings.NewReader(`"}}]}`)))
			if err != nil {
				return 0, err
			}
			return res.StatusCode, res.Body.Close()
		},
	} {
		status, err := try()
		if ctx.Err() != nil {
			return 0, ctx.Err()
		}
		if err == nil && status < 400 { // a connection that was broken off is a refusal too
			b.fig.breaks("V4: %s was answered with status %d", what, status)
		}
	}
	if taken = huge.taken.Load(); taken > hugeTaken {
		b.fig.breaks("V9: %s of a result of 100 MB were taken", mib(taken))
	}
	return taken, nil
}
