package job

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Revision is a version of a job with what it changed.
type Revision struct {
	models.JobRevision
	Changes []FieldChange // against the version before it; empty when that is no longer kept
}

// FieldChange is a field that differs between two versions: its path, and its values as
// JSON; empty when the version has none.
type FieldChange struct {
	Field, Before, After string
}

// Revisions answers a page of a job's versions, newest first; the newest 100 are kept.
// Page.After is a position from RevisionPosition. Fault: INVALID.
func (s *Service) Revisions(ctx context.Context, jobID string, p Page) ([]Revision, PageInfo, error) {
	rows, before, info, err := s.store.JobRevisions(ctx, jobID, p)
	if err != nil {
		return nil, PageInfo{}, err
	}
	all, err := withChanges(rows, before)
	return all, info, err
}

// NewestRevisions answers the newest versions of each of these jobs, newest first, at
// most perJob and one more: whether there is one says whether the list goes on.
func (s *Service) NewestRevisions(ctx context.Context, jobIDs []string, perJob int) (map[string][]Revision, error) {
	found, err := s.store.NewestRevisions(ctx, jobIDs, perJob)
	if err != nil {
		return nil, err
	}
	all := make(map[string][]Revision, len(found))
	for id, rows := range found {
		if all[id], err = withChanges(rows, nil); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// withChanges compares each row with the next, and the last one with before; nil: with
// nothing.
func withChanges(rows []models.JobRevision, before *models.JobRevision) ([]Revision, error) {
	all := make([]Revision, len(rows))
	for i := range rows {
		all[i] = Revision{JobRevision: rows[i]}
		older := before
		if i+1 < len(rows) {
			older = &rows[i+1]
		}
		if older == nil {
			continue
		}
		var err error
		if all[i].Changes, err = compare(older.Snapshot, rows[i].Snapshot); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// Revision answers one version of a job; nil when it is not kept.
func (s *Service) Revision(ctx context.Context, jobID string, number int) (*Revision, error) {
	if number < 1 || number == math.MaxInt {
		return nil, nil //nolint:nilnil // there never is such a version
	}
	rows, _, err := s.Revisions(ctx, jobID, Page{First: 1, After: strconv.Itoa(number + 1)})
	if err != nil || len(rows) == 0 || rows[0].Number != number {
		return nil, err
	}
	return &rows[0], nil
}

// RevisionPosition is where a revision stands in the list.
func RevisionPosition(r *Revision) string { return strconv.Itoa(r.Number) }

// RollBackChanges answers what rolling a job back to a revision would change: the
// present version before, that one after. Whether the job is paused is left alone.
func RollBackChanges(j *models.Job, upstream []models.Dependency, r *models.JobRevision) ([]FieldChange, error) {
	present, err := json.Marshal(models.SnapshotOf(j, upstream))
	if err != nil {
		return nil, fmt.Errorf("writing the job as it is: %w", err)
	}
	changes, err := compare(present, r.Snapshot)
	return slices.DeleteFunc(changes, func(c FieldChange) bool { return c.Field == "enabled" || c.Field == "deleted" }), err
}

// RollBack makes a job again what it was at a revision, as a new version; whether it is
// paused stays. Faults: as of Update, and NOT_FOUND for the revision.
func (s *Service) RollBack(ctx context.Context, actor, id string, revision int, version *int) (models.Job, error) {
	r, err := s.store.JobRevision(ctx, id, revision)
	if fault.Is(err, fault.NotFound) {
		return models.Job{}, fault.At("revision", fault.NotFound, "The job has no revision %d; the newest %d are kept.", revision, models.RevisionsKept)
	}
	if err != nil {
		return models.Job{}, err
	}
	in, err := s.updateOf(ctx, &r)
	if err != nil {
		return models.Job{}, err
	}
	in.Version = version
	return s.change(ctx, id, version, "job.rollback", func(j *models.Job, now time.Time) (changes, error) {
		before := *j
		d := draft{job: j, before: &before}
		if err := s.apply(ctx, &d, &in, now); err != nil {
			return changes{}, err
		}
		detail, err := s.withUpstream(ctx, &d, diff(&before, j))
		if err != nil {
			return changes{}, err
		}
		detail["revision"] = revision
		return changes{detail: detail, upstream: d.newUpstream()}, d.wrong.Err()
	}, actor)
}

// updateOf makes the change of every field of a snapshot but enabled.
func (s *Service) updateOf(ctx context.Context, r *models.JobRevision) (Update, error) {
	var was models.JobSnapshot
	if err := json.Unmarshal(r.Snapshot, &was); err != nil {
		return Update{}, fmt.Errorf("reading revision %d of the job %s: %w", r.Number, r.JobID, err)
	}
	trigger, err := s.triggerOf(ctx, &was.Trigger)
	if err != nil {
		return Update{}, err
	}
	priority, _ := models.ParsePriority(was.Priority)
	concurrency, _ := models.ParseConcurrency(was.Concurrency)
	delivery, _ := models.ParseDelivery(was.Delivery)
	backoff, _ := models.ParseBackoff(was.Retry.Backoff)
	policy, _ := models.ParseMisfirePolicy(was.Misfire.Policy)
	routing, err := routingOf(&was)
	if err != nil {
		return Update{}, err
	}
	return Update{
		ID: r.JobID, GroupID: Some(was.Group), Name: Some(was.Name), Handler: Some(was.Handler), Parameters: Some(was.Parameters),
		Description: Some(was.Description), Labels: Some(was.Labels), Trigger: Some(trigger), Priority: Some(priority),
		Timeout: Some(length(was.TimeoutMS)), Concurrency: Some(concurrency), MaxRunning: Field[int]{Set: true, Value: was.MaxRunning},
		Delivery: Some(delivery), Routing: Field[RoutingInput]{Set: true, Value: routing},
		Retry: Some(RetryInput{
			MaxAttempts: was.Retry.MaxAttempts, Backoff: &backoff, Delay: length(was.Retry.DelayMS), MaxDelay: new(length(was.Retry.MaxDelayMS)), Jitter: &was.Retry.Jitter,
		}),
		Misfire: Some(MisfireInput{Policy: policy, Grace: new(length(was.Misfire.GraceMS)), Limit: &was.Misfire.Limit}),
	}, nil
}

func length(ms int64) time.Duration { return time.Duration(ms) * time.Millisecond }

// triggerOf makes the input of a trigger that was. Fault: NOT_FOUND when its calendar is
// gone.
func (s *Service) triggerOf(ctx context.Context, was *models.TriggerSnapshot) (TriggerInput, error) {
	kind, _ := models.ParseTriggerKind(was.Kind)
	switch kind { //nolint:exhaustive // jobs have no other kinds
	case models.TriggerCron:
		in := &CronInput{Expression: was.Expression, Zone: &was.Zone, StartAt: was.StartAt, EndAt: was.EndAt, Jitter: new(length(was.JitterMS))}
		if was.Calendar != "" {
			c, err := s.store.Calendar(ctx, was.Calendar)
			if fault.Is(err, fault.NotFound) {
				return TriggerInput{}, fault.At("revision", fault.NotFound, "The calendar of that revision was deleted; edit the job instead.")
			}
			if err != nil {
				return TriggerInput{}, err
			}
			rule, _ := models.ParseCalendarRule(was.OnRestDay)
			in.Calendar, in.OnRestDay = &c.Name, &rule
		}
		return TriggerInput{Cron: in}, nil
	case models.TriggerFixedRate:
		return TriggerInput{FixedRate: &FixedRateInput{Every: length(was.EveryMS), StartAt: was.StartAt}}, nil
	case models.TriggerFixedDelay:
		return TriggerInput{FixedDelay: &FixedDelayInput{Delay: length(was.EveryMS)}}, nil
	case models.TriggerDependency:
		mode, _ := models.ParseDependencyMode(was.Mode)
		window, _ := models.ParseDependencyWindow(was.Window)
		in := &DependencyInput{Mode: &mode, Window: &window, Zone: &was.Zone}
		for _, u := range was.Upstream {
			on, _ := models.ParseDependencyCondition(u.On)
			in.Upstream = append(in.Upstream, UpstreamInput{Job: u.Job, On: &on})
		}
		return TriggerInput{Dependency: in}, nil
	}
	return TriggerInput{Manual: new(true)}, nil
}

// routingOf makes the input of a routing that was; nil: the group's.
func routingOf(was *models.JobSnapshot) (*RoutingInput, error) {
	strategy, ok := models.ParseRouting(was.Routing)
	if !ok {
		return nil, nil //nolint:nilnil // the job has none of its own
	}
	rule, err := models.RuleOf(was.RoutingRule)
	if err != nil {
		return nil, err
	}
	in := &RoutingInput{Strategy: strategy}
	if rule.Key != "" {
		in.Key = &rule.Key
	}
	if rule.Node != "" {
		in.Node = &rule.Node
	}
	if rule.Fallback != 0 {
		in.Fallback = &rule.Fallback
	}
	if rule.Fallback == models.PinAny || rule.Fallback == models.PinFail {
		in.After = new(length(rule.AfterMS))
	}
	if len(rule.Labels) > 0 {
		if in.Labels, err = json.Marshal(rule.Labels); err != nil {
			return nil, fmt.Errorf("writing the labels of a routing: %w", err)
		}
	}
	return in, nil
}

// compare lists the fields in which two snapshots differ, by name.
func compare(before, after json.RawMessage) ([]FieldChange, error) {
	was, is := map[string]string{}, map[string]string{}
	for _, side := range []struct {
		from   json.RawMessage
		leaves map[string]string
	}{{before, was}, {after, is}} {
		var tree map[string]json.RawMessage
		if err := json.Unmarshal(side.from, &tree); err != nil {
			return nil, fmt.Errorf("reading a revision of a job: %w", err)
		}
		leaves(side.leaves, "", tree)
	}
	names := map[string]bool{}
	for name := range was {
		names[name] = true
	}
	for name := range is {
		names[name] = true
	}
	changes := []FieldChange{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if was[name] != is[name] {
			changes = append(changes, FieldChange{Field: name, Before: was[name], After: is[name]})
		}
	}
	return changes, nil
}

// leaves puts the values of a tree under their dotted paths. Parameters, labels and
// lists stay whole: their keys are people's.
func leaves(into map[string]string, path string, tree map[string]json.RawMessage) {
	for name, value := range tree {
		full := path + name
		var inner map[string]json.RawMessage
		whole := full == "parameters" || full == "labels" || full == "routingRule"
		if !whole && json.Unmarshal(value, &inner) == nil && inner != nil {
			leaves(into, full+".", inner)
			continue
		}
		into[full] = string(value)
	}
}
