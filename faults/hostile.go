package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// stranger is a worker of somebody else's making: it speaks the protocol and does
// with it what it likes.
type stranger struct {
	url, key, node, group string
}

// incarnation of every stranger; any text will do.
const incarnation = "stranger-0001"

// call posts a frame and answers the status; the answer is decoded into out, if given.
func (s *stranger) call(ctx context.Context, path string, body, out any) (int, error) {
	text, err := json.Marshal(body)
	if err != nil {
		return 0, err
	}
	res, err := s.send(ctx, http.MethodPost, path, bytes.NewReader(text))
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	if out != nil && res.StatusCode == http.StatusOK {
		err = json.NewDecoder(res.Body).Decode(out)
	}
	return res.StatusCode, err
}

// send makes a request with the stranger's key; the caller closes the answer's body.
func (s *stranger) send(ctx context.Context, method, path string, body io.Reader) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, s.url+path, body)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Authorization", "Bearer "+s.key)
	return http.DefaultClient.Do(req)
}

func (s *stranger) hello(protocol int) wire.Register {
	return wire.Register{Protocol: protocol, App: appName, Group: s.group, Node: s.node, Incarnation: incarnation, Slots: 20, Handlers: []string{handlerName}}
}

func (s *stranger) report(ctx context.Context, items ...wire.Item) ([]wire.Ack, error) {
	var answer wire.Reported
	status, err := s.call(ctx, wire.PathReport, wire.Report{Node: s.node, Group: s.group, Incarnation: incarnation, Items: items}, &answer)
	if err == nil && status != http.StatusOK {
		err = fmt.Errorf("the report was answered with status %d", status)
	}
	return answer.Acks, err
}

// refuseAll is a node that takes every assignment and hands it back, until ctx ends.
func (s *stranger) refuseAll(ctx context.Context) (refused int, err error) {
	if status, err := s.call(ctx, wire.PathRegister, s.hello(wire.Version), nil); err != nil || status != http.StatusOK {
		return 0, fmt.Errorf("registering: status %d, %w", status, err)
	}
	query := "?group=" + s.group + "&node=" + s.node + "&incarnation=" + incarnation
	res, err := s.send(ctx, http.MethodGet, wire.PathStream+query, nil)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	go s.beat(ctx)
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var f wire.Frame
		if err := json.Unmarshal(lines.Bytes(), &f); err != nil {
			return refused, err
		}
		var items []wire.Item
		for _, a := range f.Assign {
			items = append(items, wire.Item{AttemptRef: wire.AttemptRef{Task: a.Task, Attempt: a.Attempt}, Refused: &wire.Refused{Reason: "I do not like it"}})
		}
		if len(items) == 0 {
			continue
		}
		if _, err := s.report(ctx, items...); err == nil {
			refused += len(items)
		}
	}
	if err := lines.Err(); err != nil && ctx.Err() == nil {
		return refused, err
	}
	return refused, nil
}

// beat beats each half second until ctx ends.
func (s *stranger) beat(ctx context.Context) {
	for sleepUntil(ctx, time.Now().Add(500*time.Millisecond)) {
		_, _ = s.call(ctx, wire.PathHeartbeat, wire.Heartbeat{Group: s.group, Node: s.node, Incarnation: incarnation, Slots: 20}, nil) // what it is answered is no matter
	}
}

// noWorkers is F25: nobody is there to run anything, then somebody who hands
// everything back, then workers.
func noWorkers(ctx context.Context, b *bed) error {
	for len(b.workers) > 0 {
		b.killWorker(b.workers[0])
	}
	b.rest(ctx, 10*time.Second)
	limited, cancel := context.WithTimeout(ctx, 8*time.Second)
	defer cancel()
	s := &stranger{url: b.servers[0].url(), key: b.key, node: "stranger", group: b.groups[0].Name}
	refused, err := s.refuseAll(limited)
	if err != nil {
		return err
	}
	b.look(ctx)
	b.fig.scale = fmt.Sprintf("10 s without workers, then 8 s with one that refused %d times", refused)
	if err := b.startWorkers(b.f.workerCount()); err != nil {
		return err
	}
	return b.awaitNodes(ctx, b.f.workerCount()*groupCount)
}

// hostile is F30: forged results, another's key, an old protocol, results that are too
// large, reports with one broken item, and heartbeats without end.
func hostile(ctx context.Context, b *bed) error {
	s := &stranger{url: b.servers[0].url(), key: b.key, node: "stranger", group: b.groups[0].Name}
	if err := s.mustBeRefused(ctx, b); err != nil {
		return err
	}
	if status, err := s.call(ctx, wire.PathRegister, s.hello(wire.Version), nil); err != nil || status != http.StatusOK {
		return fmt.Errorf("registering: status %d, %w", status, err)
	}
	forged, beats := 0, 0
	for b.more(4 * time.Second) {
		running := b.witness.running()
		for _, n := range running[:min(len(running), 20)] {
			forged++
			if err := s.forge(ctx, b, n); err != nil {
				return err
			}
		}
		for range 50 {
			beats++
			if _, err := s.call(ctx, wire.PathHeartbeat, wire.Heartbeat{Group: s.group, Node: s.node, Incarnation: incarnation, Slots: 20}, nil); err != nil {
				return err
			}
		}
		b.load.request(ctx, "long-"+b.groups[b.rng.IntN(len(b.groups))].Name)
	}
	b.look(ctx)
	b.fig.scale = fmt.Sprintf("%d forged results, %d heartbeats as fast as they go", forged, beats)
	return nil
}

// forge reports an end of an attempt that another process runs, between two items
// that say nothing.
func (s *stranger) forge(ctx context.Context, b *bed, n note) error {
	ref := wire.AttemptRef{Task: n.Task, Attempt: n.Attempt}
	acks, err := s.report(ctx, wire.Item{AttemptRef: wire.AttemptRef{Task: "no task", Attempt: -1}},
		wire.Item{AttemptRef: ref, Result: &wire.Result{Outcome: wire.OutcomeSucceeded, Result: json.RawMessage(`{"attempt":1,"pid":0}`)}},
		wire.Item{AttemptRef: ref})
	if err != nil {
		return err
	}
	if len(acks) != 3 || acks[1].Status == wire.AckAccepted {
		b.fig.breaks("V4: the forged end of attempt %d of task %s was answered with %+v", n.Attempt, n.Task, acks)
	}
	return nil
}

// mustBeRefused sends what no server may take.
func (s *stranger) mustBeRefused(ctx context.Context, b *bed) error {
	thief := *s
	thief.key = "bk_" + strings.Repeat("0", 40)
	large := wire.Report{Node: s.node, Group: s.group, Incarnation: incarnation, Items: []wire.Item{{
		AttemptRef: wire.AttemptRef{Task: strings.Repeat("0", 26), Attempt: 1},
		Result:     &wire.Result{Outcome: wire.OutcomeSucceeded, Error: strings.Repeat("x", wire.MaxBodyBytes+1)},
	}}}
	for what, try := range map[string]func() (int, error){
		"a wrong key":         func() (int, error) { return thief.call(ctx, wire.PathRegister, s.hello(wire.Version), nil) },
		"protocol version 0":  func() (int, error) { return s.call(ctx, wire.PathRegister, s.hello(0), nil) },
		"protocol version 99": func() (int, error) { return s.call(ctx, wire.PathRegister, s.hello(99), nil) },
		"a body over 8 MiB":   func() (int, error) { return s.call(ctx, wire.PathReport, large, nil) },
	} {
		status, err := try()
		if errors.Is(err, context.Canceled) {
			return err
		}
		if err == nil && status < 400 { // a connection that was broken off is a refusal too
			b.fig.breaks("V4: %s was answered with status %d", what, status)
		}
	}
	return nil
}
