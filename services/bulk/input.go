package bulk

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Limits of what is asked for.
const (
	// MaxNamed is how many tasks can be named one by one.
	MaxNamed  = 1000
	maxReason = 500 // characters of a reason that a person gives
	idLength  = 26
)

// Input asks for a bulk operation.
type Input struct {
	Kind    models.BulkKind
	TaskIDs []string // either these
	Filter  *Filter  // or all that a filter means
	// AsOf leaves out what was made, or came into its state, later: a person means
	// what they have seen. Nil: now.
	AsOf       *time.Time
	Parameters json.RawMessage // of a retry: instead of each task's; nil: theirs
	Patch      json.RawMessage // of a retry: merged into each task's (RFC 7396); nil: none
	Reason     string
	RequestID  string // a repeat makes nothing; empty: none
}

// states are those in which tasks allow a kind: what a filter that names no states
// means, and what else it may name.
var states = map[models.BulkKind]struct{ usual, more []models.TaskState }{
	models.BulkRetry: {
		usual: []models.TaskState{models.TaskFailed},
		more:  []models.TaskState{models.TaskSucceeded, models.TaskCancelled, models.TaskSkipped, models.TaskDiscarded},
	},
	models.BulkDiscard: {usual: []models.TaskState{models.TaskFailed}},
	models.BulkCancel: {
		usual: []models.TaskState{models.TaskWaiting, models.TaskRunning, models.TaskRetrying},
		more:  []models.TaskState{models.TaskFailed},
	},
}

// check says everything that is wrong with in.
func (in *Input) check(now time.Time) error {
	var wrong fault.List
	wrong.Add(in.checkTasks())
	wrong.Add(check.JSON("parameters", in.Parameters, check.MaxJSON))
	wrong.Add(check.JSON("patch", in.Patch, check.MaxJSON))
	wrong.Add(in.checkEdits())
	wrong.Add(check.Text("reason", in.Reason, maxReason))
	wrong.Add(check.RequestID(in.RequestID))
	if in.AsOf != nil && in.AsOf.After(now) {
		wrong.Add(fault.At("asOf", fault.Invalid, "asOf is %s, in the future; give an instant up to now, or leave it out.", in.AsOf.UTC().Format(time.RFC3339)))
	}
	return wrong.Err()
}

func (in *Input) checkTasks() *fault.Error {
	switch {
	case (len(in.TaskIDs) == 0) == (in.Filter == nil):
		return fault.At("tasks", fault.Required, "Name the tasks, or give a filter for them; one of the two.")
	case len(in.TaskIDs) > MaxNamed:
		return fault.At("tasks", fault.Limit, "tasks names %s tasks; name at most %s, or give a filter.", check.Thousands(len(in.TaskIDs)), check.Thousands(MaxNamed))
	}
	for i, id := range in.TaskIDs {
		if len(id) != idLength || !check.Plain(id) {
			return fault.At(fmt.Sprintf("tasks.%d", i), fault.Invalid, "tasks holds %s, which is no id of a task; ids have %d characters.", check.Quote(id), idLength)
		}
	}
	if in.Filter == nil {
		return nil
	}
	allowed := states[in.Kind]
	for _, state := range in.Filter.States {
		if !slices.Contains(allowed.usual, state) && !slices.Contains(allowed.more, state) {
			return fault.At("filter.states", fault.Invalid, "filter.states names %s, but %s is for tasks that are %s.",
				state, in.Kind, words(slices.Concat(allowed.usual, allowed.more)))
		}
	}
	return nil
}

func (in *Input) checkEdits() *fault.Error {
	switch {
	case in.Kind != models.BulkRetry && in.Parameters != nil:
		return fault.At("parameters", fault.Invalid, "parameters can be changed for RETRY only, not for %s; leave them out.", in.Kind)
	case in.Kind != models.BulkRetry && in.Patch != nil:
		return fault.At("patch", fault.Invalid, "patch changes parameters for RETRY only, not for %s; leave it out.", in.Kind)
	case in.Parameters != nil && in.Patch != nil:
		return fault.At("patch", fault.Invalid, "parameters replaces what tasks have and patch changes it; give one of them.")
	case in.Patch != nil && !isObject(in.Patch):
		return fault.At("patch", fault.Invalid, "patch must be a JSON object: its members are set in each task's parameters, and those that are null are removed.")
	}
	return nil
}

func isObject(raw json.RawMessage) bool {
	var members map[string]json.RawMessage
	return json.Unmarshal(raw, &members) == nil && members != nil
}

// stateNames are the states as the API writes them.
func stateNames(list []models.TaskState) []string {
	names := make([]string, len(list))
	for i, state := range list {
		names[i] = state.String()
	}
	return names
}

func words(list []models.TaskState) string {
	names := stateNames(list)
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}

// selected are the tasks that were meant, in the order in which they are dealt with.
type selected struct {
	ids  []string // oldest first
	more bool     // there are more than one operation may have
	asOf time.Time
}

// choose fixes the tasks that in means.
func (s *Service) choose(ctx context.Context, in Input, now time.Time) (selected, error) {
	chosen := selected{asOf: now}
	if in.AsOf != nil {
		chosen.asOf = in.AsOf.UTC()
	}
	if in.Filter == nil {
		chosen.ids = slices.Compact(slices.Sorted(slices.Values(in.TaskIDs)))
		return chosen, nil
	}
	f := *in.Filter
	f.AsOf = &chosen.asOf
	if len(f.States) == 0 {
		f.States = states[in.Kind].usual
	}
	var err error
	chosen.ids, chosen.more, err = s.store.SelectTasks(ctx, f, models.MaxBulkTasks)
	slices.Reverse(chosen.ids)
	return chosen, err
}

// Preview is what a bulk operation would do.
type Preview struct {
	Total int  // tasks
	More  bool // there are more than one operation may have
	AsOf  time.Time
	Err   *fault.Error // why it would be refused; the first reason
}

// Preview tells how many tasks are meant and does nothing to them. What is refused
// is no fault but Preview.Err.
func (s *Service) Preview(ctx context.Context, in Input) (Preview, error) {
	now := s.clock.Now()
	if all := fault.All(in.check(now)); len(all) > 0 {
		return Preview{AsOf: now, Err: all[0]}, nil
	}
	chosen, err := s.choose(ctx, in, now)
	if err != nil {
		return Preview{}, err
	}
	return Preview{Total: len(chosen.ids), More: chosen.more, AsOf: chosen.asOf, Err: chosen.countable()}, nil
}

// countable answers why an operation on these tasks is refused, or nil.
func (c *selected) countable() *fault.Error {
	switch {
	case len(c.ids) == 0:
		return fault.At("filter", fault.Invalid, "The filter matches no task in a state that allows this; widen it.")
	case c.more:
		return fault.At("filter", fault.Limit, "The filter matches more than %s tasks; narrow it, for example by time, and do the rest afterwards.", check.Thousands(models.MaxBulkTasks))
	}
	return nil
}
