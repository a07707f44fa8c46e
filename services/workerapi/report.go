package workerapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/mask"
	"github.com/belfry-scheduler/belfry/services/registry"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// report stores what attempts did. Notes (starts, progress, logs, checkpoints) go
// before results, so that an attempt's last words are not refused as late.
func (a *API) report(ctx context.Context, app models.App, req wire.Report) (wire.Reported, error) {
	if len(req.Items) > wire.MaxReportItems {
		return wire.Reported{}, &registry.Refusal{Wire: wire.Error{
			Code: wire.CodeTooLarge, Field: "items",
			Message: fmt.Sprintf("The report has %d items: send at most %d.", len(req.Items), wire.MaxReportItems),
		}}
	}
	node, err := a.cfg.Registry.Node(ctx, app, req.Group, req.Node, req.Incarnation)
	if err != nil {
		if failed := a.lastWords(ctx, &node, req); failed != nil {
			return wire.Reported{}, failed // it comes again
		}
		return wire.Reported{}, err
	}
	b := newBatch(req, a.cfg.Clock.Now(), a.cfg.Mask)
	b.from(&node)
	if err := a.ownLogs(ctx, app, &req, b); err != nil {
		return wire.Reported{}, err
	}
	if err := a.notes.write(ctx, b); err != nil {
		return wire.Reported{}, err
	}
	if err := a.end(ctx, b); err != nil {
		return wire.Reported{}, err
	}
	return wire.Reported{Acks: b.acks}, nil
}

// lastWords takes the results of a process that another has replaced: they are late, since
// its attempts were given away, and their tasks' timelines say that they came.
func (a *API) lastWords(ctx context.Context, node *models.Node, req wire.Report) error {
	if node.ID == "" {
		return nil // it is nobody's
	}
	req.Items = slices.DeleteFunc(slices.Clone(req.Items), func(item wire.Item) bool { return item.Result == nil })
	b := newBatch(req, a.cfg.Clock.Now(), a.cfg.Mask)
	b.from(node)
	return a.end(ctx, b)
}

// reportBatch is a report taken apart.
type reportBatch struct {
	acks     []wire.Ack
	progress []store.AttemptProgress
	progAt   []int // index into acks
	logs     []models.LogChunk
	logsAt   []int
	ends     []store.AttemptEnd
	endsAt   []int
}

// newBatch takes a report apart; invalid items are answered at once and block nothing.
func newBatch(req wire.Report, now time.Time, secrets *mask.Masker) *reportBatch {
	b := &reportBatch{acks: make([]wire.Ack, len(req.Items))}
	t := translator{req: &req, now: now, mask: secrets}
	if !req.SentAt.IsZero() {
		t.offset = now.Sub(req.SentAt)
	}
	for i := range req.Items {
		item := &req.Items[i]
		b.acks[i] = wire.Ack{Status: wire.AckAccepted}
		switch {
		case !isTask(item.Task) || item.Attempt < 1 || item.Attempt > math.MaxInt32:
			b.acks[i] = invalid("task %s and attempt %d do not name an attempt", check.Quote(item.Task), item.Attempt)
		case kinds(item) > 1:
			b.acks[i] = invalid("the item says %d things: set one of started, progress, log, checkpoint, refused, result", kinds(item))
		case item.Result != nil:
			b.addEnd(i, item, t.result)
		case item.Refused != nil:
			b.addEnd(i, item, t.refused)
		case item.Log != nil:
			b.addLog(i, item, &t)
		case kinds(item) == 1:
			b.addProgress(i, item, &t)
		default:
			b.acks[i] = invalid("the item says nothing: set one of started, progress, log, checkpoint, refused, result")
		}
	}
	return b
}

// from notes the process that reports: nobody else's attempts are changed.
func (b *reportBatch) from(n *models.Node) {
	for i := range b.ends {
		b.ends[i].NodeID = n.ID
	}
	for i := range b.progress {
		b.progress[i].NodeID = n.ID
	}
}

// kinds counts what an item says; null counts as nothing.
func kinds(item *wire.Item) (n int) {
	for _, set := range []bool{
		item.Started != nil, item.Progress != nil, item.Log != nil, present(item.Checkpoint), item.Refused != nil, item.Result != nil,
	} {
		if set {
			n++
		}
	}
	return n
}

func present(v json.RawMessage) bool { return len(v) > 0 && string(v) != "null" }

// isTask says whether a text can be a TaskId. Anything else is not asked for: a database
// may compare a text of another character set row by row.
func isTask(s string) bool {
	_, err := ulid.ParseStrict(s)
	return err == nil
}

func invalid(format string, args ...any) wire.Ack {
	return wire.Ack{Status: wire.AckInvalid, Message: fmt.Sprintf(format, args...)}
}

func (b *reportBatch) addEnd(i int, item *wire.Item, translate func(*wire.Item) (store.AttemptEnd, error)) {
	end, err := translate(item)
	if err != nil {
		b.acks[i] = invalid("%v", err)
		return
	}
	b.ends, b.endsAt = append(b.ends, end), append(b.endsAt, i)
}

func (b *reportBatch) addLog(i int, item *wire.Item, t *translator) {
	chunks, err := t.log(item)
	if err != nil {
		b.acks[i] = invalid("%v", err)
		return
	}
	for _, chunk := range chunks {
		b.logs, b.logsAt = append(b.logs, chunk), append(b.logsAt, i)
	}
}

func (b *reportBatch) addProgress(i int, item *wire.Item, t *translator) {
	p, err := t.progress(item)
	if err != nil {
		b.acks[i] = invalid("%v", err)
		return
	}
	b.progress, b.progAt = append(b.progress, p), append(b.progAt, i)
}

// end ends the attempts whose results came.
func (a *API) end(ctx context.Context, b *reportBatch) error {
	if len(b.ends) == 0 {
		return nil
	}
	results, errs, err := a.cfg.Ender.End(ctx, b.ends...)
	if err != nil {
		return err
	}
	for i, at := range b.endsAt {
		switch {
		case errs[i] != nil:
			e := &b.ends[i]
			a.cfg.Logger.WarnContext(ctx, "result not stored", "task_id", e.TaskID, "attempt", e.Attempt, "error", errs[i])
			b.acks[at] = wire.Ack{Status: wire.AckRetry, Message: "The result could not be stored now."}
		case results[i].Status == store.Stale:
			b.acks[at] = wire.Ack{Status: wire.AckStale, Message: "The attempt was over."}
		case results[i].Status == store.Missing:
			b.acks[at] = invalid("there is no task %s", b.ends[i].TaskID)
		}
	}
	return nil
}

// translator puts the items of one report into the ledger's terms.
type translator struct {
	req    *wire.Report
	now    time.Time
	offset time.Duration // this server's clock minus the worker's
	mask   *mask.Masker
}

var earliest = time.Unix(0, 0).UTC()

// at puts an instant of the worker's clock onto the server's; it is never ahead.
func (t *translator) at(worker time.Time) time.Time {
	at := worker.Add(t.offset)
	if worker.IsZero() || at.After(t.now) {
		return t.now
	}
	if at.Before(earliest) { // the ledger holds no year 1
		return earliest
	}
	return at
}

var outcomes = map[string]models.Outcome{
	wire.OutcomeSucceeded: models.OutcomeSucceeded, wire.OutcomeFailed: models.OutcomeFailed,
	wire.OutcomeTimedOut: models.OutcomeTimedOut, wire.OutcomeCancelled: models.OutcomeCancelled,
	wire.OutcomeReleased: models.OutcomeReleased, wire.OutcomeSnoozed: models.OutcomeReleased,
}

func (t *translator) result(item *wire.Item) (store.AttemptEnd, error) {
	r := item.Result
	outcome, ok := outcomes[r.Outcome]
	if !ok {
		return store.AttemptEnd{}, fmt.Errorf("outcome %q is unknown", r.Outcome)
	}
	if !present(r.Result) {
		r.Result = nil
	}
	if err := checkJSON("result", r.Result, wire.MaxResultBytes); err != nil {
		return store.AttemptEnd{}, err
	}
	started := t.at(r.StartedAt)
	end := store.AttemptEnd{
		TaskID: item.Task, Attempt: item.Attempt, Incarnation: t.req.Incarnation, Outcome: outcome,
		StartedAt: &started, FinishedAt: t.at(r.FinishedAt), Error: t.mask.Text(r.Error), Result: t.mask.JSON(r.Result), NoRetry: r.NoRetry,
	}
	if r.Stack != "" {
		end.Error += "\n\n" + t.mask.Text(r.Stack)
	}
	if r.AfterMS != nil {
		after := milliseconds(*r.AfterMS)
		end.After = &after
	}
	if r.Outcome == wire.OutcomeSnoozed {
		end.Reason = models.ReasonSnoozed
	}
	return end, nil
}

func (t *translator) refused(item *wire.Item) (store.AttemptEnd, error) {
	return store.AttemptEnd{
		TaskID: item.Task, Attempt: item.Attempt, Incarnation: t.req.Incarnation, Outcome: models.OutcomeReleased,
		FinishedAt: t.now, Reason: models.ReasonRefused,
		Error: fmt.Sprintf("Node %s refused the attempt: %s.", t.req.Node, t.mask.Text(item.Refused.Reason)),
	}, nil
}

func (t *translator) progress(item *wire.Item) (store.AttemptProgress, error) {
	p := store.AttemptProgress{TaskID: item.Task, Attempt: item.Attempt, Incarnation: t.req.Incarnation}
	if item.Started != nil {
		at := t.at(item.Started.At)
		p.StartedAt = &at
	}
	if item.Progress != nil {
		fraction := min(max(item.Progress.Fraction, 0), 1)
		p.Fraction, p.Message = &fraction, t.mask.Text(item.Progress.Message)
	}
	if !present(item.Checkpoint) {
		return p, nil
	}
	if err := checkJSON("checkpoint", item.Checkpoint, wire.MaxCheckpoint); err != nil {
		return p, err
	}
	p.Checkpoint = item.Checkpoint
	return p, nil
}

func checkJSON(field string, v json.RawMessage, limit int) error {
	if len(v) > limit {
		return fmt.Errorf("%s has %d bytes: at most %d are kept", field, len(v), limit)
	}
	if err := check.JSON(field, v, limit); err != nil {
		return errors.New(err.Message)
	}
	return nil
}

// cut shortens s to limit bytes on a rune, marked.
func cut(s string, limit int) string {
	const mark = " … (cut)"
	if len(s) <= limit {
		return s
	}
	end := limit - len(mark)
	for end > 0 && s[end]&0xC0 == 0x80 { // inside a rune
		end--
	}
	return s[:end] + mark
}
