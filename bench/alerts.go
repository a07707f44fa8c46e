package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/client"
)

const (
	failRate    = 167 // tasks a second: 100,000 in ten minutes
	failingJobs = 100
	probeRate   = 50               // tasks a second of a job that is well
	calmWhile   = 60 * time.Second // of the comparison without failures
	loneAlerts  = 200              // failures one at a time
)

// receiver is a webhook on this machine that takes every message at once.
type receiver struct {
	*httptest.Server
	mu       sync.Mutex
	messages int
	problems int
	since    map[string]time.Time // a task that a message names → when it came
}

func newReceiver() *receiver {
	r := &receiver{since: map[string]time.Time{}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, req *http.Request) {
		var body struct {
			Data struct {
				Total    int
				Problems []struct{ TaskID string }
			}
		}
		_ = json.NewDecoder(req.Body).Decode(&body) // what is no message counts as one without problems
		now := time.Now()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.messages++
		r.problems += body.Data.Total
		for _, each := range body.Data.Problems {
			if _, known := r.since[each.TaskID]; !known {
				r.since[each.TaskID] = now
			}
		}
	}))
	return r
}

func (r *receiver) count() (messages, problems int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.messages, r.problems
}

func (r *receiver) toldOf(task string) (time.Time, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	at, ok := r.since[task]
	return at, ok
}

// measureAlerts lets tasks fail for ten minutes beside a job that is well, compares that
// job with a minute in which nothing failed, and then measures lone failures from the end
// of the task to the message.
func measureAlerts(ctx context.Context, o options) error {
	told := newReceiver()
	defer told.Close()
	in, err := install(ctx, o, onMariaDB, "BELFRY_WEBHOOK_ALLOW=127.0.0.1", "BELFRY_SECRET_KEY=0123456789abcdef0123456789abcdef")
	if err != nil {
		return err
	}
	defer in.close()
	if err := in.watchFailures(ctx, told.URL); err != nil {
		return err
	}
	worker, err := in.startWorker(ctx, o)
	if err != nil {
		return err
	}
	defer stopProcess(worker)
	probe, err := in.createJob(ctx)
	if err != nil {
		return err
	}
	once := map[string]any{"maxAttempts": 1, "delay": "1s"}
	if _, err := in.createJobs(ctx, failingJobs, "fail", map[string]any{"trigger": manual, "handler": "Fail", "retry": once, "labels": map[string]any{"alert": "grouped"}}); err != nil {
		return err
	}
	if _, err := in.createJobs(ctx, failingJobs, "well", map[string]any{"trigger": manual}); err != nil {
		return err
	}
	if _, err := in.createJobs(ctx, loneAlerts, "lone", map[string]any{"trigger": manual, "handler": "Fail", "retry": once, "labels": map[string]any{"alert": "at-once"}}); err != nil {
		return err
	}
	c, err := client.New(client.Config{Server: in.url, App: "bench", Key: in.key})
	if err != nil {
		return err
	}
	defer c.Close()
	if err := in.alertPhase(ctx, c, "all succeed", "well", probe, int(failRate*calmWhile.Seconds())); err != nil {
		return err
	}
	if err := in.alertPhase(ctx, c, "all fail", "fail", probe, o.failures); err != nil {
		return err
	}
	// What is told late is told within the rule's interval.
	if err := pause(ctx, groupInterval+5*time.Second); err != nil {
		return err
	}
	messages, problems := told.count()
	fmt.Printf("messages for %d failures of %d jobs: %d, telling of %d problems\n", o.failures, failingJobs, messages, problems)
	return in.loneFailures(ctx, c, told)
}

const groupInterval = 60 * time.Second // of the rule for the many failures

// watchFailures makes a channel and two rules in place of the default one: failures of
// many jobs are grouped, those of the jobs called lone are told at once.
func (in *installation) watchFailures(ctx context.Context, url string) error {
	var made struct {
		CreateAlertChannel struct {
			Channel    *struct{ ID string }
			UserErrors []struct{ Message string }
		}
	}
	err := in.graphql(ctx, `mutation($in:AlertChannelInput!){createAlertChannel(input:$in){channel{id} userErrors{message}}}`,
		map[string]any{"in": map[string]any{"name": "here", "kind": "WEBHOOK", "perMinute": 6000, "burst": 1000, "webhook": map[string]any{
			"url": url, "secrets": []string{"whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="},
		}}}, &made)
	if err != nil {
		return err
	}
	if made.CreateAlertChannel.Channel == nil {
		return fmt.Errorf("createAlertChannel: %v", made.CreateAlertChannel.UserErrors)
	}
	var rules struct{ AlertRules []struct{ ID string } }
	if err := in.graphql(ctx, `{alertRules{id}}`, nil, &rules); err != nil {
		return err
	}
	for _, rule := range rules.AlertRules {
		if err := in.graphql(ctx, `mutation($id:ID!){deleteAlertRule(id:$id){userErrors{message}}}`, map[string]any{"id": rule.ID}, &struct{}{}); err != nil {
			return err
		}
	}
	for _, rule := range []map[string]any{
		{"name": "many", "groupWait": "5s", "groupInterval": groupInterval.String(), "scope": map[string]any{"kind": "LABELS", "labels": map[string]any{"alert": "grouped"}}},
		{"name": "lone", "groupWait": "0s", "groupInterval": "0s", "scope": map[string]any{"kind": "LABELS", "labels": map[string]any{"alert": "at-once"}}},
	} {
		rule["severity"] = "CRITICAL"
		rule["conditions"] = []any{map[string]any{"event": "RETRIES_EXHAUSTED"}}
		rule["routes"] = []any{map[string]any{"severities": []string{"CRITICAL"}, "channels": []string{made.CreateAlertChannel.Channel.ID}}}
		var created struct {
			CreateAlertRule struct{ UserErrors []struct{ Message string } }
		}
		if err := in.graphql(ctx, `mutation($in:AlertRuleInput!){createAlertRule(input:$in){userErrors{message}}}`, map[string]any{"in": rule}, &created); err != nil {
			return err
		}
		if len(created.CreateAlertRule.UserErrors) > 0 {
			return fmt.Errorf("createAlertRule: %v", created.CreateAlertRule.UserErrors)
		}
	}
	return nil
}

// alertPhase runs n tasks of the jobs of a name at failRate, the probe beside them.
func (in *installation) alertPhase(ctx context.Context, c *client.Client, what, name, probe string, n int) error {
	if err := pause(ctx, 2*time.Second); err != nil { // what came before has settled
		return err
	}
	const steps = 10 // enqueues a second
	tick := time.NewTicker(time.Second / steps)
	defer tick.Stop()
	from, used, sent := time.Now().UTC(), in.cpu(), 0
	for step := 1; sent < n; step++ {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
		var tasks []client.NewTask
		for ; sent < min(n, step*failRate/steps); sent++ {
			tasks = append(tasks, client.Task(fmt.Sprintf("%s-%d", name, sent%failingJobs), struct{}{}))
		}
		for range probeRate / steps {
			tasks = append(tasks, client.Task("noop", struct{}{}))
		}
		if _, err := c.EnqueueMany(ctx, tasks...); err != nil {
			return err
		}
	}
	cpu := used.since()
	err := until(ctx, func() (bool, error) {
		var open int
		err := in.ledger.QueryRowContext(ctx, "SELECT COUNT(*) FROM tasks WHERE state < 4").Scan(&open)
		return open == 0, err
	})
	if err != nil {
		return err
	}
	dispatched, started, err := in.delays(ctx, probe, from)
	if err != nil {
		return err
	}
	fmt.Printf("%s, %d tasks at %d/s (load %s): %s\n", what, n, failRate, loadAverage(), cpu)
	fmt.Printf("%s: a job that is well, due → dispatched %s\n%s: due → handler started %s\n", what, spread(dispatched), what, spread(started))
	return nil
}

// delays answers for a job's tasks since an instant how many µs after their due instant
// they were dispatched and started.
func (in *installation) delays(ctx context.Context, job string, from time.Time) (dispatched, started []int64, err error) {
	rows, err := in.ledger.QueryContext(ctx,
		"SELECT scheduled_at, dispatched_at, started_at FROM tasks WHERE job_id = ? AND scheduled_at >= ? AND state = 4", job, from)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var due, sent, began time.Time
		if err := rows.Scan(&due, &sent, &began); err != nil {
			return nil, nil, err
		}
		dispatched = append(dispatched, sent.Sub(due).Microseconds())
		started = append(started, began.Sub(due).Microseconds())
	}
	return dispatched, started, rows.Err()
}

// loneFailures lets jobs fail one at a time and measures from the end of the task to the
// arrival of the message that tells of it.
func (in *installation) loneFailures(ctx context.Context, c *client.Client, told *receiver) error {
	var took []int64
	for i := range loneAlerts {
		id, err := c.Enqueue(ctx, fmt.Sprintf("lone-%d", i), struct{}{})
		if err != nil {
			return err
		}
		var at time.Time
		err = until(ctx, func() (bool, error) {
			var ok bool
			at, ok = told.toldOf(id)
			return ok, nil
		})
		if err != nil {
			return err
		}
		var finished time.Time
		if err := in.ledger.QueryRowContext(ctx, "SELECT finished_at FROM tasks WHERE id = ?", id).Scan(&finished); err != nil {
			return err
		}
		took = append(took, at.Sub(finished).Microseconds())
	}
	fmt.Printf("lone failures, task's end → message at a receiver (load %s): %s\n", loadAverage(), spread(took))
	return nil
}
