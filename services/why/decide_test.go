package why

import (
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

var (
	two = time.Date(2026, 3, 8, 2, 0, 0, 0, time.UTC) // what people ask about
	now = two.Add(8 * time.Hour)
)

func cron(t *testing.T, expression string) *schedule.Trigger {
	t.Helper()
	c, err := schedule.Compile(schedule.Spec{Kind: schedule.KindCron, Expression: expression, Zone: "UTC"}, "job")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// nightly are the facts of a job that fires at two each night, of which nothing is
// recorded.
func nightly(t *testing.T) *Facts {
	f := &Facts{Now: now, At: two, Trigger: cron(t, "0 2 * * *"), Job: models.Job{
		ID: "job", Handler: "Report", TriggerKind: models.TriggerCron, Enabled: true, CreatedAt: two.AddDate(-1, 0, 0), NextFireAt: new(two.AddDate(0, 0, 1)),
	}}
	f.Waits.Workers, f.Waits.Able = 1, 1
	return f
}

func task(state models.TaskState, reason string) *models.Task {
	return &models.Task{
		ID: "task", State: state, Reason: reason, Attempt: 1, NodeName: "w1", ScheduledAt: two, AvailableAt: two,
		StartedAt: new(two.Add(time.Second)), FinishedAt: new(two.Add(time.Minute)), CancelActor: "ada",
	}
}

func skipped(reason string) []models.SkippedFires {
	return []models.SkippedFires{{FirstAt: two, LastAt: two, Count: 1, Reason: reason, RecordedAt: now}}
}

func TestEveryCode(t *testing.T) {
	t.Parallel()
	edit := &models.Audit{At: two.Add(time.Hour), Actor: "ada", Action: "job.update"}
	kind := func(k models.TriggerKind) func(*Facts) {
		return func(f *Facts) { f.Trigger, f.Job.TriggerKind, f.Job.NextFireAt = nil, k, nil }
	}
	joined := func(j *Join) func(*Facts) {
		return func(f *Facts) { kind(models.TriggerDependency)(f); f.Join = j }
	}
	queued := func(edit func(*Facts)) func(*Facts) {
		return func(f *Facts) {
			f.Task = task(models.TaskWaiting, "")
			f.Task.StartedAt, f.Task.FinishedAt = nil, nil
			edit(f)
		}
	}
	pinned := models.Route{Strategy: models.RoutePinned, Rule: models.RoutingRule{Node: "web-3", Fallback: models.PinWait}}
	labelled := models.Route{Strategy: models.RouteLabels, Rule: models.RoutingRule{Labels: map[string]string{"region": "eu", "disk": "ssd"}}}
	coming := func(f *Facts) { f.Now = two.Add(-time.Hour); f.Job.NextFireAt = &two }
	for name, c := range map[string]struct {
		edit     func(*Facts)
		code     Code
		en, zh   string // words of the answer
		evidence int
	}{
		"ran":               {func(f *Facts) { f.Task = task(models.TaskSucceeded, "") }, Ran, "succeeded", "成功", 3},
		"ran late":          {func(f *Facts) { f.Task = task(models.TaskSucceeded, ""); f.Task.StartedAt = new(two.Add(time.Hour)) }, Ran, "1h0m0s late", "晚启动", 3},
		"will run":          {coming, WillRun, "will run", "将在", 0},
		"will, no worker":   {func(f *Facts) { coming(f); f.Waits.Able = 0 }, WillRun, "will run", "将在", 1},
		"waiting":           {queued(func(*Facts) {}), Waiting, "free slot", "空闲槽位", 1},
		"waiting for time":  {queued(func(f *Facts) { f.Task.AvailableAt = now.Add(time.Hour) }), Waiting, "waits for its time", "等待其时间", 1},
		"no worker":         {queued(func(f *Facts) { f.Waits.Able = 0 }), NoWorker, "Report", "没有在线", 2},
		"its node is away":  {queued(func(f *Facts) { f.Waits.Able = 0; f.Route = pinned }), NoWorker, "for the node web-3", "等待节点 web-3", 2},
		"nobody has labels": {queued(func(f *Facts) { f.Waits.Able = 0; f.Route = labelled }), NoWorker, "disk=ssd, region=eu", "disk=ssd, region=eu", 2},
		"job limit":         {queued(func(f *Facts) { f.Waits.JobLimit, f.Waits.JobRunning = new(2), 2 }), Limited, "tasks of the job", "并发", 2},
		"group limit":       {queued(func(f *Facts) { f.Waits.GroupFull = true }), Limited, "the group", "分组", 1},
		"running, spread":   {func(f *Facts) { f.Task = task(models.TaskRunning, ""); f.Task.Shards = new(5) }, Running, "spread over 5 nodes", "分发到 5 个节点", 2},
		"some nodes failed": {func(f *Facts) {
			f.Task = task(models.TaskFailed, models.ReasonChildrenFailed)
			f.Task.Shards, f.Task.Error = new(5), "2 of 5 nodes failed: a, b"
		}, Failed, "2 of 5 nodes failed: a, b", "已运行但失败", 3},
		"running":           {func(f *Facts) { f.Task = task(models.TaskRunning, "") }, Running, "runs now", "正在运行", 2},
		"failed":            {func(f *Facts) { f.Task = task(models.TaskFailed, "") }, Failed, "failed", "失败", 3},
		"discarded":         {func(f *Facts) { f.Task = task(models.TaskDiscarded, "") }, Failed, "failed", "失败", 3},
		"cancelled":         {func(f *Facts) { f.Task = task(models.TaskCancelled, "") }, Cancelled, "by ada", "ada", 3},
		"replaced":          {func(f *Facts) { f.Task = task(models.TaskCancelled, models.ReasonReplaced) }, Cancelled, "replaced", "替换", 3},
		"with its job":      {func(f *Facts) { f.Task = task(models.TaskCancelled, models.ReasonJobDeleted) }, Cancelled, "job was deleted", "删除", 3},
		"overlap":           {func(f *Facts) { f.Task = task(models.TaskSkipped, models.ReasonOverlap) }, Overlap, "still ran", "仍在运行", 3},
		"coalesced":         {func(f *Facts) { f.Task = task(models.TaskSkipped, models.ReasonCoalesced) }, Coalesced, "newer task", "取代", 3},
		"not created":       {func(f *Facts) { f.Job.CreatedAt = two.Add(time.Hour) }, NotCreatedYet, "created at 2026-03-08 03:00:00 UTC", "尚不存在", 1},
		"deleted":           {func(f *Facts) { f.Job.DeletedAt = new(two.Add(-time.Hour)) }, Deleted, "deleted, at", "删除", 1},
		"paused":            {func(f *Facts) { f.Pause = &models.Audit{At: two.Add(-time.Hour), Actor: "ada"} }, Paused, "by ada", "ada", 1},
		"paused now":        {func(f *Facts) { coming(f); f.Job.Enabled = false }, Paused, "is paused", "暂停", 0},
		"paused, recorded":  {func(f *Facts) { f.Skipped = skipped(models.ReasonPaused) }, Paused, "paused before", "暂停", 1},
		"invalid":           {func(f *Facts) { f.Job.InvalidReason = "no such zone." }, InvalidTrigger, "no such zone", "无法工作", 1},
		"invalid, recorded": {func(f *Facts) { f.Skipped = skipped(models.ReasonInvalidTrigger) }, InvalidTrigger, "could not work", "无法工作", 1},
		"before its start":  {func(f *Facts) { f.Trigger = cron(t, "0 5 * * *"); f.Job.StartAt = new(two.Add(time.Hour)) }, BeforeStart, "begins later", "才开始", 0},
		"after its end":     {func(f *Facts) { f.Trigger = cron(t, "0 5 * * *"); f.Job.EndAt = new(two.Add(-time.Hour)) }, AfterEnd, "had ended", "结束", 0},
		"rest day":          {func(f *Facts) { f.Skipped = skipped(string(CalendarRestDay)) }, CalendarRestDay, "rest day", "休息日", 1},
		"quiet":             {func(f *Facts) { f.Skipped = skipped(string(CalendarQuiet)) }, CalendarQuiet, "quiet window", "静默时段", 1},
		"rest day to come": {func(f *Facts) {
			f.Trigger = cron(t, "0 5 * * *")
			f.Excluded = &schedule.Excluded{At: two, Reason: "CALENDAR_REST_DAY"}
		}, CalendarRestDay, "rest day", "休息日", 0},
		"quiet to come": {func(f *Facts) {
			f.Trigger = cron(t, "0 5 * * *")
			f.Excluded = &schedule.Excluded{At: two, Reason: "CALENDAR_QUIET"}
		}, CalendarQuiet, "quiet window", "静默时段", 0},
		"moved": {func(f *Facts) {
			f.Trigger = cron(t, "0 5 * * *")
			f.Excluded = &schedule.Excluded{At: two, MovedTo: now}
		}, Moved, "moves this fire to 2026-03-08 10:00:00", "移到", 1},
		"misfire, skipped":   {func(f *Facts) { f.Skipped = skipped(models.ReasonMisfireSkipped) }, Misfire, "policy is to skip", "跳过", 1},
		"misfire, coalesced": {func(f *Facts) { f.Skipped = skipped(models.ReasonMisfireCoalesced) }, Misfire, "one later run", "一次运行", 1},
		"misfire, limit":     {func(f *Facts) { f.Skipped = skipped(models.ReasonMisfireLimit) }, Misfire, "limit", "上限", 1},
		"no worker, counted": {func(f *Facts) { f.Skipped = skipped(models.ReasonNoWorker) }, NoWorker, "waited already", "等待", 1},
		"edited, recorded":   {func(f *Facts) { f.Skipped = skipped("EDITED") }, Edited, "changed before", "修改", 1},
		"edited":             {func(f *Facts) { f.ThenEdit, f.Then = edit, cron(t, "0 5 * * *") }, Edited, "another one then", "当时的触发器", 1},
		"not then either":    {func(f *Facts) { f.ThenEdit, f.Then, f.Trigger = edit, cron(t, "0 5 * * *"), cron(t, "0 6 * * *") }, NoFire, "does not fire then", "不触发", 1},
		"no fire":            {func(f *Facts) { f.Trigger = cron(t, "0 5 * * *") }, NoFire, "before it fires at 2026-03-07 05:00:00 UTC, after it at 2026-03-08 05:00:00 UTC", "之前为", 0},
		"manual":             {kind(models.TriggerManual), NeverByItself, "by itself", "自行", 0},
		"fixed delay":        {kind(models.TriggerFixedDelay), NoFire, "after its last run", "上次运行", 0},
		"upstream, none":     {joined(nil), UpstreamMissing, "None of", "没有任何", 0},
		"upstream missing":   {joined(&Join{Window: "2026-03-08", Missing: []string{"import"}}), UpstreamMissing, "import", "import", 1},
		"upstream condition": {joined(&Join{Window: "2026-03-08", Wrong: []string{"import"}, Missing: []string{"other"}}), UpstreamCondition, "import", "import", 1},
		"its node was away":  {func(f *Facts) { f.Skipped, f.Route = skipped(models.ReasonNoWorker), pinned }, NoWorker, "The node web-3 was not there", "节点 web-3", 1},
		"nobody had labels":  {func(f *Facts) { f.Skipped, f.Route = skipped(models.ReasonNoWorker), labelled }, NoWorker, "region=eu", "region=eu", 1},
		"joined, no worker":  {joined(&Join{Reason: models.ReasonNoWorker}), NoWorker, "waited already", "等待", 1},
		"joined, invalid":    {joined(&Join{Reason: models.ReasonInvalidTrigger}), InvalidTrigger, "could not work", "无法工作", 1},
		"joined, counted": {func(f *Facts) {
			joined(nil)(f)
			f.Skipped = skipped(models.ReasonNoWorker)
		}, NoWorker, "waited already", "等待", 1},
		"joined, paused": {joined(&Join{Reason: models.ReasonPaused}), Paused, "was paused", "暂停", 1},
		"server late":    {func(f *Facts) { f.Now, f.Job.NextFireAt = two.Add(3*time.Second), &two }, ServerLate, "no server has come", "尚无服务器", 1},
		"unknown":        {func(*Facts) {}, Unknown, "nothing is recorded", "没有任何记录", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := nightly(t)
			c.edit(f)
			f.Calendar = "cn"
			excluded := f.Excluded
			f.aim()
			f.Excluded = excluded
			for lang, says := range map[schedule.Lang]string{schedule.English: c.en, schedule.Chinese: c.zh} {
				got := Decide(f, lang)
				if got.Code != c.code || !strings.Contains(got.Sentence, says) || len(got.Evidence) != c.evidence || strings.Contains(got.Sentence, "%!") {
					t.Errorf("%s: %s %q, evidence %+v; want %s %q", lang, got.Code, got.Sentence, got.Evidence, c.code, says)
				}
			}
		})
	}
}

func TestInstantsNearAFireMeanIt(t *testing.T) {
	t.Parallel()
	jittered, err := schedule.Compile(schedule.Spec{Kind: schedule.KindCron, Expression: "0 2 * * *", Zone: "UTC", Jitter: 30 * time.Minute}, "job")
	if err != nil {
		t.Fatal(err)
	}
	late := two.Add(jittered.JitterFor(two, "job"))
	for name, c := range map[string]struct {
		trigger *schedule.Trigger
		at      time.Time
		want    time.Time // zero: none
	}{
		"exactly":          {cron(t, "0 2 * * *"), two, two},
		"some seconds on":  {cron(t, "0 2 * * *"), two.Add(20 * time.Second), two},
		"a second before":  {cron(t, "0 2 * * *"), two.Add(-time.Second), two},
		"two minutes on":   {cron(t, "0 2 * * *"), two.Add(2 * time.Minute), time.Time{}},
		"hours away":       {cron(t, "0 2 * * *"), two.Add(5 * time.Hour), time.Time{}},
		"with seconds":     {cron(t, "30 0 2 * * ?"), two, two.Add(30 * time.Second)},
		"each ten seconds": {cron(t, "*/10 * * * * ?"), two.Add(4 * time.Second), two},
		"the nearer one":   {cron(t, "*/10 * * * * ?"), two.Add(6 * time.Second), two.Add(10 * time.Second)},
		"its jitter":       {jittered, late.Add(time.Second), two},
		"before any":       {cron(t, "0 0 0 1 1 ? 2030"), two, time.Time{}},
	} {
		got, ok := nearest(c.trigger, c.at, "job")
		if ok == c.want.IsZero() || !got.Equal(c.want) {
			t.Errorf("%s: %s, %t; want %s", name, got, ok, c.want)
		}
	}
}
