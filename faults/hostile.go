package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
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
