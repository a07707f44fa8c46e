package worker

import (
	"encoding/json"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

func (c *cursor) assignment(a *wire.Assignment) {
	c.object(func(key []byte) (bit uint32) {
		switch string(key) {
		case "task":
			a.Task = string(c.plain())
			return 1 << 0
		case "attempt":
			a.Attempt = int(c.integer())
			return 1 << 1
		case "maxAttempts":
			a.MaxAttempts = int(c.integer())
			return 1 << 2
		case "jobId":
			a.JobID = c.name()
			return 1 << 3
		case "job":
			a.Job = c.name()
			return 1 << 4
		case "handler":
			a.Handler = c.name()
			return 1 << 5
		case "trigger":
			a.Trigger = c.name()
			return 1 << 6
		case "parameters":
			a.Parameters = c.raw()
			return 1 << 7
		case "scheduledAt":
			a.ScheduledAt = c.instant()
			return 1 << 8
		case "timeoutMs":
			a.TimeoutMS = c.integer()
			return 1 << 9
		case "deadline":
			deadline := c.instant()
			a.Deadline = &deadline
			return 1 << 10
		}
		return c.optional(a, key)
	})
}

// optional reads those fields of an assignment that only some have.
func (c *cursor) optional(a *wire.Assignment, key []byte) (bit uint32) {
	switch string(key) {
	case "uniqueKey":
		a.UniqueKey = string(c.plain())
		return 1 << 11
	case "root":
		a.Root = string(c.plain())
		return 1 << 12
	case "shard":
		a.Shard = int(c.integer())
		return 1 << 13
	case "shards":
		a.Shards = int(c.integer())
		return 1 << 14
	case "range":
		a.Range = c.indexRange()
		return 1 << 15
	case "checkpoint":
		a.Checkpoint = c.raw()
		return 1 << 16
	case "traceParent":
		a.TraceParent = string(c.plain())
		return 1 << 17
	case "upstream":
		c.failed = json.Unmarshal(c.raw(), &a.Upstream) != nil || c.failed
		return 1 << 18
	}
	return 0
}

func (c *cursor) indexRange() *wire.Range {
	r := &wire.Range{}
	c.object(func(key []byte) (bit uint32) {
		switch string(key) {
		case "from":
			r.From = c.integer()
			return 1
		case "to":
			r.To = c.integer()
			return 2
		}
		return 0
	})
	return r
}
