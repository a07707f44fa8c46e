package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/client"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

const (
	chattyTasks = 20
	chattyLines = 15_000 // of each; 100 bytes a line keep it below what is kept of an attempt
	followers   = 20
	livePace    = 5000 // lines a second of the task that is followed
	liveSeconds = 10
)

// chatter says how much the handler Chatter logs: so many lines, at so many a second; 0: as
// fast as it can.
type chatter struct{ Lines, Pace int }

// chat is the handler.
func chat(ctx context.Context, task *worker.Task, args chatter) error {
	const text = "reconciled an invoice with the payment that came for it; nothing is left to be paid, so it is closed"
	log := task.Logger()
	if args.Pace == 0 {
		for i := range args.Lines {
			log.Info(text, "i", i)
		}
		return nil
	}
	const steps = 100 // a second
	tick := time.NewTicker(time.Second / steps)
	defer tick.Stop()
	for sent := 0; sent < args.Lines; {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
		for range args.Pace / steps {
			log.Info(text, "i", sent)
			sent++
		}
	}
	return nil
}

// measureLogs lets tasks log as fast as they can, and one at a pace that many people follow.
func measureLogs(ctx context.Context, o options) error {
	in, err := install(ctx, o, onMariaDB)
	if err != nil {
		return err
	}
	defer in.close()
	process, err := in.startWorker(ctx, o)
	if err != nil {
		return err
	}
	defer stopProcess(process)
	job, err := in.createJobs(ctx, 1, "chatter", map[string]any{"trigger": manual, "handler": "Chatter"})
	if err != nil {
		return err
	}
	c, err := client.New(client.Config{Server: in.url, App: "bench", Key: in.key})
	if err != nil {
		return err
	}
	defer c.Close()
	if err := in.chatterAtOnce(ctx, c, job); err != nil {
		return err
	}
	return in.chatterFollowed(ctx, c, job)
}

// chatterAtOnce measures lines into the ledger.
func (in *installation) chatterAtOnce(ctx context.Context, c *client.Client, job string) error {
	tasks := make([]client.NewTask, chattyTasks)
	for i := range tasks {
		tasks[i] = client.Task("chatter", chatter{Lines: chattyLines})
	}
	cpu, start := in.cpu(), time.Now()
	if _, err := c.EnqueueMany(ctx, tasks...); err != nil {
		return err
	}
	if err := in.awaitEnds(ctx, job, chattyTasks); err != nil {
		return err
	}
	took, used := time.Since(start), cpu.since()
	var stored int
	if err := in.ledger.QueryRowContext(ctx, "SELECT SUM(JSON_LENGTH(line_data)) FROM task_logs").Scan(&stored); err != nil {
		return err
	}
	fmt.Printf("%d tasks log %d lines each as fast as they can: %d stored in %s, %.0f/s; the worker dropped the others; %s\n",
		chattyTasks, chattyLines, stored, took.Round(time.Millisecond), rate(stored, took), used)
	return nil
}

// follower is what one subscriber of a log has seen.
type follower struct {
	lines, cut int
	delays     []int64 // µs from the line to its arrival
	err        error
}

// chatterFollowed measures lines to followers.
func (in *installation) chatterFollowed(ctx context.Context, c *client.Client, job string) error {
	id, err := c.Enqueue(ctx, "chatter", chatter{Lines: livePace * liveSeconds, Pace: livePace})
	if err != nil {
		return err
	}
	cpu := in.cpu()
	all := make([]follower, followers)
	var group sync.WaitGroup
	for i := range all {
		group.Go(func() { all[i].err = in.follow(ctx, id, &all[i]) })
	}
	group.Wait()
	used := cpu.since()
	least, cut, delays := livePace*liveSeconds, 0, []int64(nil)
	for i := range all {
		if all[i].err != nil {
			return all[i].err
		}
		least, cut = min(least, all[i].lines), cut+all[i].cut
		delays = append(delays, all[i].delays...)
	}
	fmt.Printf("%d followers of %d lines/s for %d s: each got %d of %d lines or more, %d times too slow for the limit; line → follower %s; %s\n",
		followers, livePace, liveSeconds, least, livePace*liveSeconds, cut, spread(delays), used)
	return in.awaitEnds(ctx, job, chattyTasks+1)
}

// follow reads a task's log by server-sent events until it is complete.
func (in *installation) follow(ctx context.Context, task string, f *follower) error {
	body, err := json.Marshal(map[string]any{
		"query": `subscription($t:ID!){taskLogParts(task:$t){nodes{at} truncated}}`, "variables": map[string]any{"t": task},
	})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, in.url+"/graphql", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "text/event-stream")
	req.Header.Set("Authorization", "Bearer "+in.token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 4<<20)
	for lines.Scan() {
		data, ok := strings.CutPrefix(lines.Text(), "data:")
		if !ok {
			continue
		}
		var part struct {
			Data struct {
				TaskLogParts *struct {
					Nodes     []struct{ At time.Time }
					Truncated bool
				}
			}
			Errors []struct{ Message string }
		}
		if err := json.Unmarshal([]byte(data), &part); err != nil || part.Data.TaskLogParts == nil {
			if len(part.Errors) > 0 {
				return fmt.Errorf("following: %s", part.Errors[0].Message)
			}
			continue // the end, or a keep-alive
		}
		now := time.Now()
		f.lines += len(part.Data.TaskLogParts.Nodes)
		if part.Data.TaskLogParts.Truncated {
			f.cut++
		}
		for _, line := range part.Data.TaskLogParts.Nodes {
			f.delays = append(f.delays, now.Sub(line.At).Microseconds())
		}
	}
	return lines.Err()
}
