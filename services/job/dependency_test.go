package job

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// after is a dependency on the success of other jobs.
func after(jobs ...models.Job) TriggerInput {
	in := &DependencyInput{}
	for i := range jobs {
		in.Upstream = append(in.Upstream, UpstreamInput{Job: jobs[i].ID})
	}
	return TriggerInput{Dependency: in}
}

func waits(jobs ...models.Job) func(*Input) { return func(in *Input) { in.Trigger = after(jobs...) } }

func (s *shop) upstream(j models.Job) []models.Dependency {
	s.Helper()
	all, err := s.Upstream(s.Context(), []string{j.ID})
	s.must(err)
	return all[j.ID]
}

func TestDependencyIsSaved(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	a, b := s.job("a"), s.job("b")
	j := s.job("j", waits(a, b, a))
	if j.TriggerKind != models.TriggerDependency || j.DependencyMode != models.DependencyAll || j.DependencyWindow != models.WindowRun ||
		j.Zone != "UTC" || j.NextFireAt != nil {
		t.Errorf("by default %+v", j)
	}
	want := []models.Dependency{{JobID: j.ID, UpstreamID: a.ID, On: models.OnSuccess}, {JobID: j.ID, UpstreamID: b.ID, On: models.OnSuccess, Place: 1}}
	if diff := cmp.Diff(want, s.upstream(j)); diff != "" {
		t.Errorf("upstream, each once (-want +got):\n%s", diff)
	}

	trigger := after(b)
	trigger.Dependency.Mode, trigger.Dependency.Window, trigger.Dependency.Zone = new(models.DependencyAny), new(models.WindowMonth), new("Europe/Berlin")
	trigger.Dependency.Upstream[0].On = new(models.OnFailure)
	j, err := s.Update(t.Context(), "ada", Update{ID: j.ID, Trigger: Some(trigger)})
	s.must(err)
	want = []models.Dependency{{JobID: j.ID, UpstreamID: b.ID, On: models.OnFailure}}
	if diff := cmp.Diff(want, s.upstream(j)); diff != "" || j.DependencyMode != models.DependencyAny || j.DependencyWindow != models.WindowMonth || j.Zone != "Europe/Berlin" {
		t.Errorf("after an edit %+v (-want +got):\n%s", j, diff)
	}

	j, err = s.Update(t.Context(), "ada", Update{ID: j.ID, Description: Some("another")})
	s.must(err)
	if diff := cmp.Diff(want, s.upstream(j)); diff != "" {
		t.Errorf("after an edit of something else (-want +got):\n%s", diff)
	}
	j, err = s.Pause(t.Context(), "ada", j.ID)
	s.must(err)
	j, err = s.Resume(t.Context(), "ada", j.ID)
	s.must(err)
	if diff := cmp.Diff(want, s.upstream(j)); diff != "" || !j.Enabled {
		t.Errorf("after a pause (-want +got):\n%s", diff)
	}

	j, err = s.Update(t.Context(), "ada", Update{ID: j.ID, Trigger: Some(TriggerInput{Manual: new(true)})})
	s.must(err)
	if got := s.upstream(j); len(got) != 0 || j.DependencyMode != 0 || j.DependencyWindow != 0 || j.Zone != "" {
		t.Errorf("after another trigger %+v waits for %v", j, got)
	}
	if _, err := s.Delete(t.Context(), "ada", b.ID); err != nil {
		t.Error(err)
	}
}

func TestEditOfUpstreamIsAudited(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	a, b := s.job("a"), s.job("b")
	j := s.job("j", waits(a))
	before := j
	d := draft{job: &j, before: &before}
	d.setTrigger(after(b), s.clock.Now())
	detail, err := s.withUpstream(t.Context(), &d, map[string]any{})
	s.must(err)
	want := map[string]any{"upstream": map[string]any{"from": []string{a.ID + " SUCCESS"}, "to": []string{b.ID + " SUCCESS"}}}
	if diff := cmp.Diff(want, detail); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestRefusedDependencies(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	a := s.job("a")
	j := s.job("j", waits(a))
	gone := s.job("gone")
	_, err := s.Delete(t.Context(), "ada", gone.ID)
	s.must(err)
	var many []models.Job
	for i := range mostUpstream + 1 {
		many = append(many, models.Job{ID: fmt.Sprint("job-", i)})
	}
	twice := after(a, a)
	twice.Dependency.Upstream[1].On = new(models.OnFailure)
	zone := after(a)
	zone.Dependency.Zone = new("Mars/Base")
	for name, c := range map[string]struct {
		trigger TriggerInput
		want    string
	}{
		"nothing":                 {after(), "REQUIRED trigger.dependency.upstream"},
		"too many":                {after(many...), "INVALID trigger.dependency.upstream"},
		"no name":                 {after(models.Job{}), "REQUIRED trigger.dependency.upstream.0.job"},
		"unknown":                 {after(a, models.Job{ID: "nobody"}), "NOT_FOUND trigger.dependency.upstream.1.job"},
		"unknown after a double":  {after(a, a, models.Job{ID: "nobody"}), "NOT_FOUND trigger.dependency.upstream.2.job"},
		"deleted":                 {after(gone), "NOT_FOUND trigger.dependency.upstream.0.job"},
		"itself":                  {after(a, j), "INVALID trigger.dependency.upstream.1.job"},
		"twice, in different way": {twice, "INVALID trigger.dependency.upstream.1.on"},
		"zone":                    {zone, "INVALID trigger.dependency.zone"},
	} {
		_, err := s.Update(t.Context(), "ada", Update{ID: j.ID, Trigger: Some(c.trigger)})
		if diff := cmp.Diff([]string{c.want}, fields(err)); diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	_, err = s.Update(t.Context(), "ada", Update{ID: a.ID, Trigger: Some(after(j))})
	if diff := cmp.Diff([]string{"INVALID trigger.dependency.upstream.0.job"}, fields(err)); diff != "" || !strings.Contains(err.Error(), `"a" → "j" → "a"`) {
		t.Errorf("a circle: %v (-want +got):\n%s", err, diff)
	}
	_, err = s.Delete(t.Context(), "ada", a.ID)
	s.want(err, fault.Conflict)
}

func TestDependencyInWords(t *testing.T) {
	t.Parallel()
	six := []Upstream{{"a", models.OnSuccess}, {"b", models.OnFailure}, {"c", models.OnCompletion}, {"d", models.OnSuccess}, {"e", models.OnSuccess}, {"f", models.OnSuccess}}
	for want, c := range map[string]struct {
		mode     models.DependencyMode
		window   models.DependencyWindow
		upstream []Upstream
	}{
		`When "a" has succeeded in the same run|同一次运行中“a”成功后`:                                     {models.DependencyAll, models.WindowRun, six[:1]},
		`When "a" has succeeded or "b" has failed for the same hour (UTC)|同一小时(UTC)内“a”成功或“b”失败后`: {models.DependencyAny, models.WindowHour, six[:2]},
		`When "a" has succeeded, "b" has failed and "c" has ended for the same week (UTC)|同一周(UTC)内“a”成功、“b”失败且“c”结束后`: {
			models.DependencyAll, models.WindowWeek, six[:3],
		},
		`When "a" has succeeded, "b" has failed, "c" has ended, "d" has succeeded, "e" has succeeded and 1 more for the same month (UTC)|` +
			"同一月(UTC)内“a”成功、“b”失败、“c”结束、“d”成功、“e”成功且另外 1 个作业后": {models.DependencyAll, models.WindowMonth, six},
		"When upstream jobs have ended|上游作业结束后": {models.DependencyAll, models.WindowDay, nil},
	} {
		j := models.Job{DependencyMode: c.mode, DependencyWindow: c.window, Zone: "UTC"}
		if got := DependencyWords(&j, c.upstream, "en") + "|" + DependencyWords(&j, c.upstream, "zh-CN"); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestPreviewOfDependency(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	a := s.job("a")
	p, err := s.Preview(t.Context(), PreviewInput{Trigger: after(a), Locale: new("zh-CN")})
	s.must(err)
	if p.Err != nil || p.Description != "同一次运行中“a”成功后" || p.Fires == nil || p.Warnings == nil {
		t.Errorf("%+v", p)
	}
	p, err = s.Preview(t.Context(), PreviewInput{Trigger: after(a, models.Job{ID: "nobody"})})
	s.must(err)
	if p.Err == nil || p.Err.Code != fault.NotFound || !slices.Equal(p.Err.Field, []string{"trigger", "dependency", "upstream", "1", "job"}) {
		t.Errorf("%+v", p)
	}
}

func TestWarnsOfUpstreamJobsThatNeverMeet(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	a, b := s.job("a"), s.job("b")
	down := s.job("down", waits(a))
	never := s.job("never", waits(a, b))
	trigger := after(a, b)
	trigger.Dependency.Window = new(models.WindowDay)
	daily := s.job("daily", func(in *Input) { in.Trigger = trigger })
	either := s.job("either", func(in *Input) {
		in.Trigger = after(a, b)
		in.Trigger.Dependency.Mode = new(models.DependencyAny)
	})
	diamond := s.job("diamond", waits(a, down))
	all, err := s.Warnings(t.Context(), []models.Job{never, daily, either, diamond, down, a})
	s.must(err)
	for id, list := range all {
		if warned := strings.Contains(strings.Join(list, " "), `The upstream jobs "a", "b" each begin runs of their own`); warned != (id == never.ID) {
			t.Errorf("warnings %v", list)
		}
	}
}
