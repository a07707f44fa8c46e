package graph_test

import (
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/task"
)

func TestWhyNotRun(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j := hourly(t, b)
	const ask = `query($j:ID!,$at:Time!,$l:String){whyNotRun(job:$j,at:$at,locale:$l){code answer evidence{at message} task{id job{name}} previousFire nextFire}}`
	why := func(id string, at time.Time, locale string) map[string]any {
		t.Helper()
		got, _ := b.Value(t, "whyNotRun", ask, graphtest.Vars{"j": id, "at": at.UTC().Format(time.RFC3339Nano), "l": locale}).(map[string]any)
		return got
	}
	coming := j.NextFireAt.Add(time.Hour)
	got := why(j.ID, coming, "en")
	if got["code"] != "WILL_RUN" || got["task"] != nil || len(got["evidence"].([]any)) != 1 || got["nextFire"] != coming.Add(time.Hour).Format(time.RFC3339) {
		t.Errorf("a fire to come: %v", got)
	}
	if got = why(j.ID, coming.Add(30*time.Minute), "zh-CN"); got["code"] != "NO_FIRE" || !strings.Contains(got["answer"].(string), "不触发") {
		t.Errorf("no fire: %v", got)
	}
	if got = why(j.ID, time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), "en"); got["code"] != "NOT_CREATED_YET" {
		t.Errorf("long ago: %v", got)
	}
	manual := b.Job(t, j.GroupID, "by-hand")
	if got = why(manual.ID, coming, "en"); got["code"] != "NEVER_BY_ITSELF" {
		t.Errorf("by hand: %v", got)
	}
	made := b.Task(t, task.NewTask{Job: manual.ID})
	if got = why(manual.ID, made.ScheduledAt, "en"); got["code"] != "NO_WORKER" || graphtest.At(t, got, "task.id") != made.ID || graphtest.At(t, got, "task.job.name") != "by-hand" {
		t.Errorf("its run: %v", got)
	}
	if _, err := b.Jobs.Update(t.Context(), "test", job.Update{ID: j.ID, Trigger: job.Some(job.TriggerInput{Cron: &job.CronInput{Expression: "30 * * * *"}})}); err != nil {
		t.Fatal(err)
	}
	if got = why(j.ID, coming, "en"); got["code"] != "NO_FIRE" {
		t.Errorf("after an edit: %v", got)
	}
	if _, err := b.Jobs.Pause(t.Context(), "ada", j.ID); err != nil {
		t.Fatal(err)
	}
	if got = why(j.ID, coming.Add(30*time.Minute), "en"); got["code"] != "PAUSED" || !strings.Contains(got["answer"].(string), "ada") {
		t.Errorf("paused: %v", got)
	}
}
