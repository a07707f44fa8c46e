package graph

import (
	"context"
	"encoding/json"

	"github.com/99designs/gqlgen/graphql"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/job"
)

func jobOf(j *models.Job) *gqlmodel.Job {
	if j == nil {
		return nil
	}
	return &gqlmodel.Job{
		ID: j.ID, Name: j.Name, Handler: j.Handler, Parameters: j.Parameters, Description: j.Description, Labels: j.Labels,
		Trigger: triggerOf(j), Enabled: j.Enabled, Priority: j.Priority, Timeout: millis(j.TimeoutMS),
		Retry: &gqlmodel.Retry{
			MaxAttempts: j.MaxAttempts, Backoff: j.Backoff, Delay: millis(j.RetryDelayMS),
			MaxDelay: millis(j.RetryMaxDelayMS), Jitter: j.RetryJitter,
		},
		Concurrency: j.Concurrency, MaxRunning: j.MaxRunning,
		Misfire:  &gqlmodel.Misfire{Policy: j.MisfirePolicy, Grace: millis(j.MisfireGraceMS), Limit: j.MisfireLimit},
		Delivery: j.Delivery, Routing: ownRouting(j), NextFireAt: j.NextFireAt, LastFireAt: j.LastFireAt, InvalidReason: text(j.InvalidReason),
		Version: j.Version, CreatedAt: j.CreatedAt, UpdatedAt: j.UpdatedAt, DeletedAt: j.DeletedAt,
		Row: j,
	}
}

// ownRouting is a job's routing that differs from its group's.
func ownRouting(j *models.Job) *gqlmodel.Routing {
	if j.Routing == nil {
		return nil
	}
	return routingOf(*j.Routing, j.RoutingRule)
}

// routingOf shows a routing; a rule that cannot be read is shown as none.
func routingOf(strategy models.Routing, document json.RawMessage) *gqlmodel.Routing {
	shown := &gqlmodel.Routing{Strategy: strategy}
	rule, err := models.RuleOf(document)
	if err != nil {
		return shown
	}
	shown.Key, shown.Node = text(rule.Key), text(rule.Node)
	if rule.Fallback != 0 {
		shown.Fallback = &rule.Fallback
	}
	if rule.Fallback == models.PinAny || rule.Fallback == models.PinFail {
		shown.FallbackAfter = new(millis(rule.AfterMS))
	}
	if len(rule.Labels) > 0 {
		shown.Labels, _ = json.Marshal(rule.Labels) // a map of strings always marshals
	}
	return shown
}

// triggerOf sets the fields that belong to the trigger's kind.
func triggerOf(j *models.Job) *gqlmodel.Trigger {
	t := &gqlmodel.Trigger{Kind: j.TriggerKind, Row: j}
	switch j.TriggerKind { //nolint:exhaustive // the other kinds have no fields
	case models.TriggerCron:
		t.Expression, t.Zone = &j.Expression, &j.Zone
		t.StartAt, t.EndAt = j.StartAt, j.EndAt
		if j.JitterMS > 0 {
			t.Jitter = new(millis(j.JitterMS))
		}
		if j.CalendarID != nil {
			t.OnRestDay = new(j.OnRestDay)
		}
	case models.TriggerFixedRate:
		t.Every, t.StartAt = new(millis(j.EveryMS)), j.StartAt
	case models.TriggerFixedDelay:
		t.Delay = new(millis(j.EveryMS))
	case models.TriggerDependency:
		t.Mode, t.Window, t.Zone = &j.DependencyMode, &j.DependencyWindow, &j.Zone
	}
	return t
}

func skippedOf(s *models.SkippedFires) *gqlmodel.SkippedFires {
	return &gqlmodel.SkippedFires{
		FirstAt: s.FirstAt, LastAt: s.LastAt, Count: s.Count, Reason: s.Reason,
		Message: skipMessage(s), RecordedAt: s.RecordedAt,
	}
}

// skipMessage says why fires became no task; a count that is a lower bound is
// named as such.
func skipMessage(s *models.SkippedFires) string {
	words := job.ReasonInWords(s.Reason)
	if s.AtLeast {
		words += " There were at least as many as counted."
	}
	return words
}

func jobInput(in gqlmodel.CreateJobInput) job.Input {
	return job.Input{
		GroupID: in.Group, Name: in.Name, Handler: in.Handler, Parameters: raw(in.Parameters),
		Description: in.Description.Value(), Labels: raw(in.Labels), Trigger: triggerInput(in.Trigger),
		Enabled: in.Enabled.Value(), Priority: in.Priority.Value(), Timeout: in.Timeout.Value(),
		Retry: retryInput(in.Retry.Value()), Concurrency: in.Concurrency.Value(), MaxRunning: in.MaxRunning.Value(),
		Misfire: misfireInput(in.Misfire.Value()), Delivery: in.Delivery.Value(),
		Routing: routingInput(in.Routing.Value()), Sharding: shardingInput(in.Sharding.Value()),
	}
}

func jobUpdate(in gqlmodel.UpdateJobInput) job.Update {
	return job.Update{
		ID: in.ID, Version: in.Version.Value(),
		GroupID: jobField(in.Group), Name: jobField(in.Name), Handler: jobField(in.Handler),
		Parameters: jsonField(in.Parameters), Description: jobField(in.Description), Labels: jsonField(in.Labels),
		Trigger: mapped(in.Trigger, triggerInputOf), Enabled: jobField(in.Enabled), Priority: jobField(in.Priority),
		Timeout: jobField(in.Timeout), Retry: mapped(in.Retry, retryInput), Concurrency: jobField(in.Concurrency),
		MaxRunning: jobField(in.MaxRunning), Misfire: mapped(in.Misfire, misfireInput), Delivery: jobField(in.Delivery),
		Routing: mapped(in.Routing, routingInput), Sharding: mapped(in.Sharding, shardingInput),
	}
}

func jobField[T any](o graphql.Omittable[*T]) job.Field[T] {
	value, set := o.ValueOK()
	return job.Field[T]{Set: set, Value: value}
}

func jsonField(o graphql.Omittable[json.RawMessage]) job.Field[json.RawMessage] {
	value, set := o.ValueOK()
	if value == nil {
		return job.Field[json.RawMessage]{Set: set}
	}
	return job.Field[json.RawMessage]{Set: set, Value: &value}
}

func mapped[I, T any](o graphql.Omittable[*I], convert func(*I) *T) job.Field[T] {
	value, set := o.ValueOK()
	return job.Field[T]{Set: set, Value: convert(value)}
}

func triggerInputOf(in *gqlmodel.TriggerInput) *job.TriggerInput {
	if in == nil {
		return nil
	}
	return new(triggerInput(in))
}

func triggerInput(in *gqlmodel.TriggerInput) job.TriggerInput {
	t := job.TriggerInput{Manual: in.Manual.Value()}
	if c := in.Cron.Value(); c != nil {
		t.Cron = &job.CronInput{
			Expression: c.Expression, Zone: c.Zone.Value(), StartAt: c.StartAt.Value(), EndAt: c.EndAt.Value(),
			Jitter: c.Jitter.Value(), Calendar: c.Calendar.Value(), OnRestDay: c.OnRestDay.Value(),
		}
	}
	if f := in.FixedRate.Value(); f != nil {
		t.FixedRate = &job.FixedRateInput{Every: f.Every, StartAt: f.StartAt.Value()}
	}
	if f := in.FixedDelay.Value(); f != nil {
		t.FixedDelay = &job.FixedDelayInput{Delay: f.Delay}
	}
	if d := in.Dependency.Value(); d != nil {
		t.Dependency = dependencyInput(d)
	}
	return t
}

func retryInput(in *gqlmodel.RetryInput) *job.RetryInput {
	if in == nil {
		return nil
	}
	return &job.RetryInput{
		MaxAttempts: in.MaxAttempts, Backoff: in.Backoff.Value(), Delay: in.Delay,
		MaxDelay: in.MaxDelay.Value(), Jitter: in.Jitter.Value(),
	}
}

func misfireInput(in *gqlmodel.MisfireInput) *job.MisfireInput {
	if in == nil {
		return nil
	}
	return &job.MisfireInput{Policy: in.Policy, Grace: in.Grace.Value(), Limit: in.Limit.Value()}
}

func routingInput(in *gqlmodel.RoutingInput) *job.RoutingInput {
	if in == nil {
		return nil
	}
	return &job.RoutingInput{
		Strategy: in.Strategy, Key: in.Key.Value(), Node: in.Node.Value(), Fallback: in.Fallback.Value(),
		After: in.FallbackAfter.Value(), Labels: raw(in.Labels),
	}
}

func shardingInput(in *gqlmodel.ShardingInput) *job.ShardingInput {
	if in == nil {
		return nil
	}
	return &job.ShardingInput{Shards: in.Shards}
}

func jobFilter(ctx context.Context, in *gqlmodel.JobFilter) job.Filter {
	if in == nil {
		return job.Filter{Within: within(ctx)}
	}
	return job.Filter{
		AppID: given(in.App), GroupID: given(in.Group), Enabled: in.Enabled.Value(),
		Trigger: given(in.Trigger), Search: given(in.Search),
		Within: within(ctx),
	}
}

// jobOrder is the order of a list of jobs, with its name in cursors.
func jobOrder(in *gqlmodel.JobOrder) (job.Order, string) {
	switch or(in, gqlmodel.JobOrderName) {
	case gqlmodel.JobOrderNextFire:
		return job.ByNextFire, "job.next"
	case gqlmodel.JobOrderCreated:
		return job.ByCreation, "job.created"
	case gqlmodel.JobOrderName:
	}
	return job.ByName, "job.name"
}

func previewInput(in gqlmodel.SchedulePreviewInput) job.PreviewInput {
	return job.PreviewInput{
		Trigger: triggerInput(in.Trigger), AppID: given(in.App), JobID: given(in.Job), After: in.After.Value(), Count: in.Count.Value(), Locale: in.Locale.Value(),
	}
}

func previewOf(p *job.Preview) *gqlmodel.SchedulePreview {
	shown := &gqlmodel.SchedulePreview{
		Fires: pointers(p.Fires), Description: p.Description, Dialect: text(p.Dialect), Resolved: text(p.Resolved), Warnings: p.Warnings,
		ClockChanges: each(p.ClockChanges, clockChangeOf), RestDays: each(p.RestDays, scheduleDayOf), Excluded: each(p.Excluded, excludedOf),
	}
	if p.Err != nil {
		field := append([]string{"input"}, p.Err.Field...)
		shown.Error = &gqlmodel.UserError{Code: string(p.Err.Code), Field: field, Message: p.Err.Message}
	}
	return shown
}

func statsOf(s *job.Stats) *gqlmodel.JobStats {
	return &gqlmodel.JobStats{
		Succeeded: s.Succeeded, Failed: s.Failed, Cancelled: s.Cancelled, Skipped: s.Skipped, Retried: s.Retried,
		Missed: s.Missed, Excluded: s.Excluded, Late: s.Late,
		MeanDuration: s.MeanDuration, MeanDelay: s.MeanDelay,
	}
}
