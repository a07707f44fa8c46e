package bulk

import (
	"context"
	"encoding/json"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Create makes a bulk operation, which begins at once. Its tasks are those that are
// meant now; none comes in later. Faults, all those of the input at once: INVALID,
// REQUIRED, LIMIT.
func (s *Service) Create(ctx context.Context, actor string, in Input) (models.BulkOperation, error) {
	now := s.clock.Now()
	if err := in.check(now); err != nil {
		return models.BulkOperation{}, err
	}
	id, known, err := check.Identify(in.RequestID, now,
		func(at time.Time) string { return models.BulkID(in.RequestID, at) },
		func(ids []string) ([]models.BulkOperation, error) { return s.store.BulksByIDs(ctx, ids) })
	if err != nil || known != nil {
		return value(known), err
	}
	chosen, err := s.choose(ctx, in, now)
	if err != nil {
		return models.BulkOperation{}, err
	}
	if wrong := chosen.countable(); wrong != nil {
		return models.BulkOperation{}, wrong
	}
	b := models.BulkOperation{
		ID: id, Kind: in.Kind, State: models.BulkRunning, Total: int64(len(chosen.ids)),
		Parameters: check.Compact(in.Parameters), Patch: check.Compact(in.Patch), Reason: in.Reason,
		Selection: selection(in, chosen), CreatedBy: actor, CreatedAt: now,
	}
	detail := map[string]any{"kind": b.Kind.String(), "tasks": b.Total, "selection": b.Selection}
	if b.Reason != "" {
		detail["reason"] = b.Reason
	}
	b, err = s.store.CreateBulk(ctx, b, chosen.ids, record(now, actor, "bulk.create", "bulk", b.ID, detail))
	if err != nil {
		return models.BulkOperation{}, err
	}
	s.notify.BulkChanged(ctx, b)
	return b, nil
}

func value(b *models.BulkOperation) models.BulkOperation {
	if b == nil {
		return models.BulkOperation{}
	}
	return *b
}

// selection is how the tasks were chosen, for people: the filter without what is not
// set, or how many were named.
func selection(in Input, chosen selected) json.RawMessage {
	shown := map[string]any{"asOf": chosen.asOf}
	if in.Filter == nil {
		shown["named"] = len(chosen.ids)
	} else {
		f := in.Filter
		for name, v := range map[string]string{
			"job": f.JobID, "app": f.AppID, "group": f.GroupID, "node": f.NodeID, "backfill": f.BackfillID, "search": f.Search,
		} {
			if v != "" {
				shown[name] = v
			}
		}
		if len(f.States) > 0 {
			shown["states"] = stateNames(f.States)
		}
		if f.Trigger != 0 {
			shown["trigger"] = f.Trigger.String()
		}
		if f.From != nil {
			shown["from"] = f.From
		}
		if f.To != nil {
			shown["to"] = f.To
		}
	}
	raw, err := json.Marshal(shown)
	if err != nil { // plain values always marshal
		return json.RawMessage(`{}`)
	}
	return raw
}

// Cancel stops an operation; what it has done stands. Faults: NOT_FOUND, CONFLICT
// when it has come to its end.
func (s *Service) Cancel(ctx context.Context, actor, id string) (models.BulkOperation, error) {
	now := s.clock.Now()
	b, err := s.store.CancelBulk(ctx, id, now, record(now, actor, "bulk.cancel", "bulk", id, nil))
	if err != nil {
		return models.BulkOperation{}, err
	}
	s.notify.BulkChanged(ctx, b)
	return b, nil
}

// record is the audit row of a change.
func record(now time.Time, actor, action, kind, object string, detail map[string]any) models.Audit {
	a := models.Audit{ID: models.NewID(now), At: now, Actor: actor, Action: action, Kind: kind, Object: object}
	if raw, err := json.Marshal(detail); err == nil && len(detail) > 0 { // plain values always marshal
		a.Detail = raw
	}
	return a
}

// refusal is a fault as one, whatever it was wrapped in; nil for any other error.
func refusal(err error) *fault.Error {
	if all := fault.All(err); len(all) > 0 {
		return all[0]
	}
	return nil
}
