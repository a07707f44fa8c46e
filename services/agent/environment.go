package agent

import (
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/services/agent/allow"
	"github.com/belfry-scheduler/belfry/services/agent/process"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// environment is what a program gets: a few basic variables, those of the agent's own
// that the allow-list names, those of the job that the rule lets it set, the rule's
// fixed ones, and the task. Later ones replace earlier ones. Nothing else of the
// agent's environment comes along, above all not Belfry's key.
func (a *Agent) environment(list *allow.List, account allow.Account, p *commandParameters, task *worker.Task, user *process.Identity) []string {
	env := basicEnvironment(a.cfg.LookupEnv, user)
	for _, pair := range os.Environ() {
		if name, _, ok := strings.Cut(pair, "="); ok && list.Covers(name) {
			if value, ok := a.cfg.LookupEnv(name); ok {
				env[name] = value
			}
		}
	}
	for name, value := range p.Env {
		env[name] = string(value)
	}
	maps.Copy(env, account.Set)
	maps.Copy(env, taskEnvironment(task))
	pairs := make([]string, 0, len(env))
	for _, name := range slices.Sorted(maps.Keys(env)) {
		// A NUL would end the value for the system, and refuse the whole program.
		pairs = append(pairs, name+"="+strings.ReplaceAll(env[name], "\x00", ""))
	}
	return pairs
}

// taskEnvironment tells a program which task it runs.
func taskEnvironment(t *worker.Task) map[string]string {
	env := map[string]string{
		"BELFRY_TASK_ID":      t.ID,
		"BELFRY_ATTEMPT":      strconv.Itoa(t.Attempt),
		"BELFRY_MAX_ATTEMPTS": strconv.Itoa(t.MaxAttempts),
		"BELFRY_FENCE":        strconv.FormatInt(t.Fence, 10),
		"BELFRY_JOB_ID":       t.JobID,
		"BELFRY_JOB":          t.JobName,
		"BELFRY_TRIGGER":      t.Trigger,
		"BELFRY_SCHEDULED_AT": t.ScheduledAt.UTC().Format(time.RFC3339Nano),
	}
	set := func(name, value string) {
		if value != "" {
			env[name] = value
		}
	}
	set("BELFRY_ROOT_TASK_ID", t.Root)
	set("BELFRY_UNIQUE_KEY", t.UniqueKey)
	set("TRACEPARENT", t.TraceParent)
	if !t.Deadline.IsZero() {
		env["BELFRY_DEADLINE"] = t.Deadline.UTC().Format(time.RFC3339Nano)
	}
	if t.Shards > 0 {
		env["BELFRY_SHARD"], env["BELFRY_SHARDS"] = strconv.Itoa(t.Shard), strconv.Itoa(t.Shards)
	}
	if t.Range.Len() != 0 {
		env["BELFRY_RANGE_FROM"], env["BELFRY_RANGE_TO"] = strconv.FormatInt(t.Range.From, 10), strconv.FormatInt(t.Range.To, 10)
	}
	return env
}
