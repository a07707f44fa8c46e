package dispatch

import (
	"fmt"

	"github.com/oklog/ulid/v2"

	"github.com/belfry-scheduler/belfry/models"
)

// traceParent is the trace context of a task in the form of W3C's traceparent. Its ids are
// the ledger's own: the trace is the task that began the chain, read as 128 bits, and the
// parent of each attempt is the task, by its lower 64. So the attempts of a task, and all
// that its end sets off, are one trace, which whoever knows a TaskId finds without asking
// Belfry; nothing is stored for it. Empty for an id that is no ULID.
func traceParent(t *models.Task) string {
	root := t.ID
	if t.RootID != nil {
		root = *t.RootID
	}
	trace, err := ulid.ParseStrict(root)
	if err != nil {
		return ""
	}
	span, err := ulid.ParseStrict(t.ID)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("00-%x-%x-01", trace[:], span[8:])
}
