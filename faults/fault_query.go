package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"
)

const (
	attackers     = 50
	attackPause   = 200 * time.Millisecond // of each: without it they would take the processors that the server needs
	refuseWithin  = 50 * time.Millisecond  // alone; what many at once wait for is the processor
	queryMemory   = 50 << 20               // bytes that a server may grow by
	refusalRounds = 20
)

// badQueries are bodies that no server may run, by what is wrong with them.
func badQueries() map[string][]byte {
	body := func(query string) []byte {
		text, _ := json.Marshal(map[string]any{"query": query}) // a map of strings always marshals
		return text
	}
	var aliases, many strings.Builder
	for i := range 10_000 {
		fmt.Fprintf(&aliases, "a%d:viewer{role} ", i)
	}
	for i := range 1000 {
		fmt.Fprintf(&many, "query q%d{viewer{role}} ", i)
	}
	one := `{"query":"{viewer{role}}"},`
	var chain strings.Builder
	for i := range 18 { // each doubles what the one before it asks for
		fmt.Fprintf(&chain, "fragment F%d on Job{...F%d ...F%d} ", i, i+1, i+1)
	}
	return map[string][]byte{
		"5 MB of text":             body("{viewer{role}}" + strings.Repeat(" ", 5<<20)),
		"depth 50":                 body("{jobs{nodes" + strings.Repeat("{group{jobs{nodes", 16) + "{id}" + strings.Repeat("}}}", 16) + "}}"),
		"10,000 aliases":           body("{" + aliases.String() + "}"),
		"a batch of 1,000":         []byte("[" + strings.TrimSuffix(strings.Repeat(one, 1000), ",") + "]"),
		"1,000 operations":         body(many.String()),
		"a page of 1,000,000":      body("{jobs(first:1000000){nodes{id}}}"),
		"pages in pages":           body("{jobs(first:100){nodes{tasks(first:100){nodes{job{tasks(first:100){nodes{id}}}}}}}}"),
		"fragments in a circle":    body("{jobs(first:1){nodes{...A}}} fragment A on Job{id ...B} fragment B on Job{name ...A}"),
		"fragments that double":    body("{jobs(first:1){nodes{...F0}}} " + chain.String() + "fragment F18 on Job{id}"),
		"200,000 open braces":      body(strings.Repeat("{a", 200_000)),
		"a list 100,000 deep":      []byte(`{"query":"query($x:[ID!]){node(id:\"x\"){id}}","variables":{"x":` + strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000) + `}}`),
		"half a megabyte of names": body("{" + strings.Repeat("x", 500_000) + "}"),
	}
}

// refused sends a body and says whether it was refused: by its status, by errors
// without data, or by breaking off the connection.
func (b *bed) sendQuery(ctx context.Context, s *server, body []byte) (refused bool, said string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+s.host()+"/graphql", bytes.NewReader(body))
	if err != nil {
		return false, "", err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+b.token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return ctx.Err() == nil, "", ctx.Err() // broken off while it was being sent
	}
	defer res.Body.Close()
	text, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		return ctx.Err() == nil, "", ctx.Err()
	}
	var answer struct {
		Data   json.RawMessage
		Errors []struct{ Message string }
	}
	_ = json.Unmarshal(text, &answer) // what is no object has no data either
	none := len(answer.Data) == 0 || string(answer.Data) == "null"
	return none && (res.StatusCode >= 400 || len(answer.Errors) > 0), string(text[:min(len(text), 200)]), nil
}

// queries is F26: queries that no server may run, one after the other to take the time
// that a refusal takes, and then from fifty clients at once.
func queries(ctx context.Context, b *bed) error {
	s := b.servers[0]
	watching, end := context.WithCancel(ctx)
	defer end()
	y := b.bystand(watching, s)
	b.rest(ctx, 4*time.Second)
	calm, _, _ := y.take()
	before, err := s.gauges(ctx)
	if err != nil {
		return err
	}
	most := peak(ctx, s.proc.pid())
	bad := badQueries()
	slowest, which, err := b.refusalTimes(ctx, s, bad)
	if err != nil {
		return err
	}
	_, _, _ = y.take()
	sent := b.attack(ctx, s, bad, b.load.to.Add(-6*time.Second))
	busy := y.judge(calm)
	grown := most() - before.memory
	if grown > queryMemory {
		b.fig.breaks("V9: bad queries made %s grow by %s", s.name, mib(grown))
	}
	b.look(ctx)
	after, err := b.returned(ctx, s, before, 20*time.Second)
	if err != nil {
		return err
	}
	b.fig.scale = fmt.Sprintf("%d kinds alone, the slowest refusal (p99) took %s (%s); then %d from %d clients; memory +%s; goroutines %d, then %d; another client p99 %s, calm %s",
		len(bad), short(slowest), which, sent, attackers, mib(grown), before.goroutines, after.goroutines, short(busy), short(calm))
	return nil
}

// refusalTimes sends each kind some times, alone, and answers the slowest.
func (b *bed) refusalTimes(ctx context.Context, s *server, bad map[string][]byte) (slowest time.Duration, which string, err error) {
	for _, what := range slices.Sorted(maps.Keys(bad)) {
		var times []time.Duration
		for range refusalRounds {
			began := time.Now()
			refused, said, err := b.sendQuery(ctx, s, bad[what])
			if err != nil {
				return 0, "", err
			}
			if !refused {
				b.fig.breaks("V12: %s is answered: %s", what, said)
			}
			times = append(times, time.Since(began))
		}
		p99, p50 := percentile(times, 99), percentile(times, 50)
		if p50 > refuseWithin {
			b.fig.breaks("V12: refusing %s takes %s (p50)", what, short(p50))
		}
		if p99 > slowest {
			slowest, which = p99, what
		}
	}
	return slowest, which, nil
}

// attack sends bad queries from many clients until an instant and answers how many.
func (b *bed) attack(ctx context.Context, s *server, bad map[string][]byte, until time.Time) int {
	kinds := slices.Sorted(maps.Keys(bad))
	var mu sync.Mutex
	var running sync.WaitGroup
	sent := 0
	for n := range attackers {
		running.Go(func() {
			for i := n; time.Now().Before(until) && ctx.Err() == nil; i++ {
				what := kinds[i%len(kinds)]
				refused, said, err := b.sendQuery(ctx, s, bad[what])
				if err == nil && !refused {
					b.fig.breaks("V12: %s is answered: %s", what, said)
				}
				if errors.Is(err, context.Canceled) {
					return
				}
				mu.Lock()
				sent++
				mu.Unlock()
				sleepUntil(ctx, time.Now().Add(attackPause))
			}
		})
	}
	running.Wait()
	return sent
}
