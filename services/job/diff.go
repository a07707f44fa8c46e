package job

import (
	"reflect"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// diff lists the fields in which two versions of a job differ, as the audit log
// shows them: the value before and after. Parameters may hold secrets, so only
// that they changed is told.
func diff(before, after *models.Job) map[string]any {
	a, b := view(before), view(after)
	changed := map[string]any{}
	for name, value := range b {
		if !reflect.DeepEqual(a[name], value) {
			changed[name] = map[string]any{"from": a[name], "to": value}
		}
	}
	if string(before.Parameters) != string(after.Parameters) {
		changed["parameters"] = "changed"
	}
	return changed
}

// view is a job as people see it.
func view(j *models.Job) map[string]any {
	return map[string]any{
		"group": j.GroupID, "name": j.Name, "handler": j.Handler, "description": j.Description, "labels": string(j.Labels),
		"trigger": viewTrigger(j), "enabled": j.Enabled, "priority": j.Priority.String(), "timeout": span(j.TimeoutMS),
		"concurrency": j.Concurrency.String(), "maxRunning": valueOr(j.MaxRunning, 0), "delivery": j.Delivery.String(),
		"routing": valueOr(j.Routing, 0).String(), "routingRule": string(j.RoutingRule),
		"retry": map[string]any{
			"maxAttempts": j.MaxAttempts, "backoff": j.Backoff.String(), "delay": span(j.RetryDelayMS),
			"maxDelay": span(j.RetryMaxDelayMS), "jitter": j.RetryJitter,
		},
		"misfire": map[string]any{"policy": j.MisfirePolicy.String(), "grace": span(j.MisfireGraceMS), "limit": j.MisfireLimit},
	}
}

func viewTrigger(j *models.Job) map[string]any {
	v := map[string]any{"kind": j.TriggerKind.String()}
	if j.Expression != "" {
		v["expression"], v["zone"] = j.Expression, j.Zone
	}
	if j.TriggerKind == models.TriggerDependency {
		v["mode"], v["window"], v["zone"] = j.DependencyMode.String(), j.DependencyWindow.String(), j.Zone
	}
	if j.EveryMS != 0 {
		v["every"] = span(j.EveryMS)
	}
	if j.CalendarID != nil {
		v["calendar"], v["onRestDay"] = *j.CalendarID, j.OnRestDay.String()
	}
	if j.JitterMS != 0 {
		v["jitter"] = span(j.JitterMS)
	}
	if j.StartAt != nil {
		v["startAt"] = j.StartAt.UTC().Format(time.RFC3339Nano)
	}
	if j.EndAt != nil {
		v["endAt"] = j.EndAt.UTC().Format(time.RFC3339Nano)
	}
	return v
}

func span(ms int64) string { return (time.Duration(ms) * time.Millisecond).String() }
