package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/client"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

const (
	floodBytes   = 1 << 30 // that one run sends, if the window is long enough
	followers    = 20
	floodMemory  = 128 << 20 // bytes that a server may grow by: reports are up to 8 MiB, and some are under way
	agentMemory  = 96 << 20
	slowDown     = 0.05
	slowDownRest = 500 * time.Millisecond // what two programs on a busy machine differ by anyway
)

// programs are what the agent runs: 200 MB without a line end over eight seconds, the
// same with nobody who looks at it, and bytes that are no text in any encoding.
var programs = map[string]string{
	"endless": paced + "cat",
	"unseen":  paced + "cat >/dev/null",
	"noise":   "head -c 20000000 /dev/urandom",
}

// paced writes five megabytes, forty times, with pauses.
const paced = `i=0; while [ $i -lt 40 ]; do head -c 5000000 /dev/zero | tr '\0' x; sleep 0.2; i=$((i+1)); done | `

// floodLogs is F28.
func floodLogs(ctx context.Context, b *bed) error {
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
	agent, err := b.startAgent(ctx)
	if err != nil {
		return err
	}
	defer agent.kill()
	small := resident(agent.pid())
	most, mostAgent := peak(ctx, s.proc.pid()), peak(ctx, agent.pid())
	tasks := map[string]string{}
	for name, shell := range programs {
		if tasks[name], err = b.startFlood(ctx, name, "command", map[string]string{"shell": shell}); err != nil {
			return err
		}
	}
	f, err := b.openFlood(ctx, s)
	if err != nil {
		return err
	}
	if err := f.follow(watching); err != nil {
		return err
	}
	if err := f.send(ctx, b.load.to.Add(-12*time.Second)); err != nil {
		return err
	}
	b.awaitFloods(ctx, tasks)
	b.look(ctx)
	return b.judgeFlood(ctx, y, calm, f, tasks, most()-before.memory, mostAgent()-small)
}

// judgeFlood looks at what is left of the flood and writes the figures.
func (b *bed) judgeFlood(ctx context.Context, y *bystander, calm time.Duration, f *flood, tasks map[string]string, grown, grownAgent int64) error {
	busy := y.judge(calm)
	if grown > floodMemory {
		b.fig.breaks("V9: the server grew by %s", mib(grown))
	}
	if grownAgent > agentMemory {
		b.fig.breaks("V9: the agent grew by %s", mib(grownAgent))
	}
	tasks["raw"] = f.task.Task
	var kept []string
	for name, id := range tasks {
		var bytes, own int64
		err := b.ledger.QueryRowContext(ctx, "SELECT COALESCE(SUM(bytes), 0), COALESCE(SUM(LENGTH(line_data)), 0) FROM task_logs WHERE task_id = ?", id).Scan(&bytes, &own)
		if err != nil {
			return err
		}
		if bytes > f.limit+(64<<10) {
			b.fig.breaks("V9: of the log of %s %d bytes are kept, and the limit is %d", name, bytes, f.limit)
		}
		kept = append(kept, fmt.Sprintf("%s %s", name, mib(own)))
	}
	took := map[string]time.Duration{}
	for name := range programs {
		var err error
		if took[name], err = b.floodTook(ctx, name, tasks[name]); err != nil {
			return err
		}
	}
	if more := slowDownRest + time.Duration(float64(took["unseen"])*slowDown); took["endless"]-took["unseen"] > time.Duration(float64(more)*crowded()) {
		b.fig.breaks("V12: a program whose output is taken needed %s, one whose output nobody takes %s", took["endless"], took["unseen"])
	}
	parts, worst := f.followed()
	b.fig.scale = fmt.Sprintf("%s of log from one run in %s (%s a second), 200 MB without a line end and 20 MB of noise through an agent; kept (limit %s): %s; server +%s, agent +%s; %d followers got %d lines, at most %s late; program %s, unseen %s; another client p99 %s, calm %s",
		mib(f.sent), short(f.took), mib(int64(float64(f.sent)/max(f.took.Seconds(), 1))), mib(f.limit), strings.Join(kept, ", "), mib(grown), mib(grownAgent),
		followers, parts, short(worst), short(took["endless"]), short(took["unseen"]), short(busy), short(calm))
	return nil
}

// startAgent starts a real agent that may run any text.
func (b *bed) startAgent(ctx context.Context) (*process, error) {
	list := filepath.Join(b.dir, "allow.yaml")
	if err := os.WriteFile(list, []byte("shell:\n  - any: true\n"), 0o600); err != nil {
		return nil, err
	}
	agent, err := start(b.dir, "agent", []string{"BELFRY_KEY=" + b.key}, nil, b.o.belfry, "agent",
		"--server", b.servers[0].url(), "--app", appName, "--group", b.groups[0].Name, "--name", "agent", "--allow", list, "--log-level", "warn")
	if err != nil {
		return nil, err
	}
	var count int
	if !waitUntil(ctx, patience, func() bool {
		return b.ledger.QueryRowContext(ctx, "SELECT COUNT(*) FROM nodes WHERE name = 'agent' AND state = 1").Scan(&count) == nil && count == 1
	}) {
		agent.kill()
		return nil, fmt.Errorf("the agent did not come: %w", ctx.Err())
	}
	return agent, nil
}

// startFlood makes a job that the checker does not judge and enqueues its one task.
func (b *bed) startFlood(ctx context.Context, name, handler string, parameters any) (task string, err error) {
	made, err := ask[struct {
		CreateJob struct {
			Job        *struct{ ID string }
			UserErrors []struct{ Message string }
		}
	}](ctx, b, `mutation($in:CreateJobInput!){createJob(input:$in){job{id} userErrors{message}}}`, map[string]any{"in": map[string]any{
		"group": b.groups[0].ID, "name": poisonPrefix + name, "handler": handler, "trigger": map[string]any{"manual": true}, "timeout": "120s",
		"parameters": parameters, "retry": map[string]any{"maxAttempts": 5, "delay": "0s"},
	}})
	if err != nil {
		return "", err
	}
	if made.CreateJob.Job == nil {
		return "", fmt.Errorf("making job %s: %v", name, made.CreateJob.UserErrors)
	}
	return b.load.client.Enqueue(ctx, poisonPrefix+name, parameters, client.RequestID(client.NewRequestID()))
}

// awaitFloods waits until the programs have ended.
func (b *bed) awaitFloods(ctx context.Context, tasks map[string]string) {
	for name, id := range tasks {
		var state int
		if !waitUntil(ctx, patience, func() bool {
			return b.ledger.QueryRowContext(ctx, "SELECT state FROM tasks WHERE id = ?", id).Scan(&state) == nil && state >= stateSucceeded
		}) || state != stateSucceeded {
			b.fig.breaks("V3: the program %s ended in state %d", name, state)
		}
	}
}

// floodTook is how long a program ran, as the agent says.
func (b *bed) floodTook(ctx context.Context, name, id string) (time.Duration, error) {
	var text []byte
	if err := b.ledger.QueryRowContext(ctx, "SELECT COALESCE(result, '{}') FROM tasks WHERE id = ?", id).Scan(&text); err != nil {
		return 0, err
	}
	var said struct{ DurationMS, StdoutBytes int64 }
	if err := json.Unmarshal(text, &said); err != nil {
		return 0, err
	}
	if want := map[string]int64{"endless": 200_000_000, "noise": 20_000_000}[name]; said.StdoutBytes != want {
		b.fig.breaks("V1: %s wrote %d bytes, the agent counted %d", name, want, said.StdoutBytes)
	}
	return time.Duration(said.DurationMS) * time.Millisecond, nil
}

// flood is a worker of somebody else's making that sends the log of one attempt as fast
// as a server takes it.
type flood struct {
	b     *bed
	w     *stranger
	task  wire.Assignment
	limit int64
	sent  int64
	took  time.Duration
	heard atomic.Int64 // seq of the latest frame
	lines atomic.Int64 // that followers got

	mu    sync.Mutex
	worst time.Duration // from a line's instant until a follower had it
}

const floodHandler = "Flood"

// openFlood registers the worker and waits for its task.
func (b *bed) openFlood(ctx context.Context, s *server) (*flood, error) {
	f := &flood{b: b, w: &stranger{url: "http://" + s.host(), key: b.key, node: "flood", group: b.groups[0].Name}}
	hello := f.w.hello(wire.Version)
	hello.Handlers = []string{floodHandler}
	var answer wire.Registered
	if status, err := f.w.call(ctx, wire.PathRegister, hello, &answer); err != nil || status != 200 {
		return nil, fmt.Errorf("registering: status %d, %w", status, err)
	}
	f.limit = answer.Settings.LogLimit
	res, err := f.w.send(ctx, "GET", wire.PathStream+"?group="+f.w.group+"&node="+f.w.node+"&incarnation="+incarnation, nil) //nolint:bodyclose // the goroutine below closes it
	if err != nil {
		return nil, err
	}
	given := make(chan wire.Assignment, 1)
	go func() { // ends with ctx, or with the server
		defer res.Body.Close()
		for lines := json.NewDecoder(res.Body); ; {
			var frame wire.Frame
			if lines.Decode(&frame) != nil {
				return
			}
			f.heard.Store(max(f.heard.Load(), frame.Seq))
			for _, a := range frame.Assign {
				select {
				case given <- a:
				default: // pushed again
				}
			}
		}
	}()
	if _, err := b.startFlood(ctx, "raw", floodHandler, nil); err != nil {
		return nil, err
	}
	limit := time.NewTimer(patience)
	defer limit.Stop()
	select {
	case f.task = <-given:
		go f.beat(ctx)
		return f, nil
	case <-limit.C:
		return nil, fmt.Errorf("the flood's task did not come in %s", patience)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// beat says twice a second that the attempt is held, until ctx ends.
func (f *flood) beat(ctx context.Context) {
	held := []wire.AttemptRef{{Task: f.task.Task, Attempt: f.task.Attempt}}
	for sleepUntil(ctx, time.Now().Add(500*time.Millisecond)) {
		_, _ = f.w.call(ctx, wire.PathHeartbeat, wire.Heartbeat{
			Group: f.w.group, Node: f.w.node, Incarnation: incarnation, Slots: 20, Held: held, LastSeq: f.heard.Load(),
		}, nil) // what it is answered is no matter
	}
}

// follow opens the followers' sockets; each sees that lines come in order, and once.
func (f *flood) follow(ctx context.Context) error {
	for i := range followers {
		s := f.b.servers[i%len(f.b.servers)]
		conn, err := subscribe(ctx, s.host(), f.b.token, `subscription($t:ID!){taskLogParts(task:$t){nodes{seq at}}}`, map[string]any{"t": f.task.Task}, false)
		if err != nil {
			return fmt.Errorf("following the log: %w", err)
		}
		go func() { // ends with ctx
			defer func() { _ = conn.CloseNow() }()
			last := int64(0)
			for {
				_, text, err := conn.Read(ctx)
				if err != nil {
					return
				}
				last = f.take(text, last)
			}
		}()
	}
	return nil
}

// take looks at a message of a follower's and answers the seq of its last line.
func (f *flood) take(text []byte, last int64) int64 {
	var m struct {
		Type    string
		Payload struct {
			Data struct {
				TaskLogParts struct {
					Nodes []struct {
						Seq int64 `json:",string"`
						At  time.Time
					}
				}
			}
			Errors []struct{ Message string }
		}
	}
	if err := json.Unmarshal(text, &m); err != nil || m.Type == "error" {
		f.b.fig.breaks("V12: a follower got %.200s", text)
		return last
	}
	nodes := m.Payload.Data.TaskLogParts.Nodes
	for i, n := range nodes {
		if n.Seq <= last {
			f.b.fig.breaks("V6: a follower got line %d after line %d", n.Seq, last)
		}
		last = n.Seq
		if i == len(nodes)-1 {
			f.mu.Lock()
			f.worst = max(f.worst, time.Since(n.At))
			f.mu.Unlock()
		}
	}
	f.lines.Add(int64(len(nodes)))
	return last
}

// followed answers how many lines the followers got and how late the latest was.
func (f *flood) followed() (lines int64, worst time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.lines.Load(), f.worst
}

// send sends lines of a kilobyte, 2,000 in a report, until there are enough or an instant
// comes, and ends the attempt.
func (f *flood) send(ctx context.Context, until time.Time) error {
	const lines, items = wire.MaxLogChunkLines, 4
	began, seq := time.Now(), int64(0)
	text := strings.Repeat("flood \u0000\u001b[31m王 ", 50) // also what is no plain text
	ref := wire.AttemptRef{Task: f.task.Task, Attempt: f.task.Attempt}
	for f.sent < floodBytes && time.Now().Before(until) {
		var all []wire.Item
		for range items {
			chunk := &wire.LogChunk{}
			for range lines {
				seq++
				chunk.Lines = append(chunk.Lines, wire.LogLine{Seq: seq, At: time.Now().UTC(), Level: "INFO", Message: fmt.Sprintf("%d %s", seq, text)})
				f.sent += int64(len(text))
			}
			all = append(all, wire.Item{AttemptRef: ref, Log: chunk})
		}
		acks, err := f.w.report(ctx, all...)
		if err != nil {
			return fmt.Errorf("sending logs: %w", err)
		}
		for _, ack := range acks {
			if ack.Status != wire.AckAccepted && ack.Status != wire.AckRetry {
				f.b.fig.breaks("V1: lines of a log were answered with %+v", ack)
			}
		}
	}
	f.took = time.Since(began)
	now := time.Now().UTC()
	_, err := f.w.report(ctx, wire.Item{AttemptRef: ref, Result: &wire.Result{Outcome: wire.OutcomeSucceeded, StartedAt: now, FinishedAt: now}})
	return err
}
