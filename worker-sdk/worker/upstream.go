package worker

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// UpstreamResult is what became of a task whose end made this one, for a job with a
// dependency trigger.
type UpstreamResult struct {
	Job    string // its name
	TaskID string
	State  string          // SUCCEEDED, FAILED or CANCELLED; another if somebody has had it retried since
	Result json.RawMessage // what its handler set; nil without one, and when it was left out
	// Omitted says that the result was left out because all results together would have
	// had more than 32 KiB. It can be read by the task's id, for example with
	// client.Wait if the task is of the same app.
	Omitted bool
}

// ErrUpstreamOmitted says that a result was too large to be sent along.
var ErrUpstreamOmitted = errors.New("the upstream result was too large to be sent along: read it by its task's id")

// UpstreamResults returns what became of the tasks whose ends made this one, the
// earliest scheduled first; none if the job has no dependency trigger. A re-run gets
// those of the task that it repeats.
func (t *Task) UpstreamResults() []UpstreamResult { return slices.Clone(t.upstream) }

// Upstream decodes the result of the upstream job with this name into v, and reports
// whether it set one. ErrUpstreamOmitted, wrapped, says that it did and that it was
// left out; see UpstreamResult.Omitted.
func (t *Task) Upstream(jobName string, v any) (bool, error) {
	for _, u := range t.upstream {
		if u.Job != jobName {
			continue
		}
		switch {
		case u.Omitted:
			return true, fmt.Errorf("the result of task %s of job %q: %w", u.TaskID, jobName, ErrUpstreamOmitted)
		case len(u.Result) == 0:
			return false, nil
		}
		if err := json.Unmarshal(u.Result, v); err != nil {
			return true, fmt.Errorf("decoding the result of the upstream job %q: %w", jobName, err)
		}
		return true, nil
	}
	return false, nil
}
