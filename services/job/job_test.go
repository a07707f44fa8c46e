package job

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/store"
)

// heard notes what a service told.
type heard struct {
	mu   sync.Mutex
	jobs []string
}

func (h *heard) JobChanged(_ context.Context, jobID, _ string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.jobs = append(h.jobs, jobID)
}

type shop struct {
	*testing.T
	*Service
	clock *testledger.Clock
	store *store.Store
	heard *heard
	app   models.App
	group models.NodeGroup
}

// start is a Friday.
var start = time.Date(2031, 5, 2, 18, 0, 10, 500_000_000, time.UTC)

func newShop(t *testing.T) *shop {
	t.Helper()
	c := testledger.NewClock(start)
	s := &shop{T: t, clock: c, store: testledger.Open(t, c), heard: &heard{}}
	s.Service = New(Config{Store: s.store, Clock: c, Logger: slog.New(slog.DiscardHandler), Notifier: s.heard})
	s.app, s.group = s.newApp("shop")
	return s
}

func (s *shop) newApp(name string) (models.App, models.NodeGroup) {
	s.Helper()
	now := s.clock.Now()
	app := models.App{ID: models.NewID(now), Name: name, CreatedAt: now, UpdatedAt: now}
	key := models.AppKey{ID: models.NewID(now), AppID: app.ID, Hash: app.ID, CreatedAt: now}
	group := s.newGroup(app.ID, "default")
	s.must(s.store.CreateApp(s.Context(), app, key, group, s.audit()))
	return app, group
}

func (s *shop) newGroup(appID, name string) models.NodeGroup {
	now := s.clock.Now()
	id := models.NewID(now)
	return models.NodeGroup{
		ID: id, AppID: appID, Name: name, Partition: models.PartitionOf(id), Routing: models.RouteLeastLoaded,
		HeartbeatMS: 5000, HeartbeatMisses: 3, CreatedAt: now, UpdatedAt: now,
	}
}

func (s *shop) audit() models.Audit {
	now := s.clock.Now()
	return models.Audit{ID: models.NewID(now), At: now}
}

func (s *shop) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

func (s *shop) want(err error, code fault.Code) {
	s.Helper()
	if fault.CodeOf(err) != code {
		s.Errorf("got %v, want %q", err, code)
	}
}

// input is a valid new job.
func (s *shop) input(name string, edit ...func(*Input)) Input {
	in := Input{GroupID: s.group.ID, Name: name, Handler: "Pay", Trigger: TriggerInput{Manual: new(true)}}
	for _, e := range edit {
		e(&in)
	}
	return in
}

func (s *shop) job(name string, edit ...func(*Input)) models.Job {
	s.Helper()
	j, err := s.Create(s.Context(), "ada", s.input(name, edit...))
	s.must(err)
	return j
}

func cron(expression string, edit ...func(*CronInput)) func(*Input) {
	return func(in *Input) { in.Trigger = cronTrigger(expression, edit...) }
}

func cronTrigger(expression string, edit ...func(*CronInput)) TriggerInput {
	c := CronInput{Expression: expression}
	for _, e := range edit {
		e(&c)
	}
	return TriggerInput{Cron: &c}
}

func zone(name string) func(*CronInput) { return func(c *CronInput) { c.Zone = &name } }

// fields lists the fields that an error blames, and their codes.
func fields(err error) []string {
	var paths []string
	for _, e := range fault.All(err) {
		paths = append(paths, string(e.Code)+" "+strings.Join(e.Field, "."))
	}
	return paths
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	got := s.job("pay")
	want := models.Job{
		ID: got.ID, AppID: s.app.ID, GroupID: s.group.ID, Partition: s.group.Partition, Name: "pay", LiveName: new("pay"), Handler: "Pay",
		TriggerKind: models.TriggerManual, Enabled: true, Priority: models.PriorityNormal, TimeoutMS: 3_600_000,
		Concurrency: models.ConcurrencyAllow, Delivery: models.AtLeastOnce, MaxAttempts: 1, Backoff: models.BackoffFixed,
		RetryDelayMS: 10_000, RetryMaxDelayMS: 3_600_000, MisfirePolicy: models.MisfireFireOnce, MisfireGraceMS: 60_000, MisfireLimit: 100,
		Version: 1, TriggerSince: &start, CreatedAt: start, UpdatedAt: start,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	read, err := s.Job(t.Context(), got.ID)
	s.must(err)
	if diff := cmp.Diff(want, read); diff != "" {
		t.Errorf("(-want +read):\n%s", diff)
	}
	if !slices.Contains(s.heard.jobs, got.ID) {
		t.Error("nobody was told")
	}
}

func TestEverythingIsTaken(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	got := s.job("päy 😀", func(in *Input) {
		in.Parameters, in.Labels = []byte(` {"a": 9007199254740993} `), []byte(`{"team": "zürich"}`)
		in.Description, in.Enabled, in.Priority = new("line\nline"), new(false), new(models.PriorityHigh)
		in.Timeout, in.MaxRunning = new(90*time.Second), new(4)
		in.Retry = &RetryInput{MaxAttempts: 5, Backoff: new(models.BackoffExponential), Delay: 2 * time.Second, MaxDelay: new(time.Minute), Jitter: new(0.5)}
		in.Concurrency, in.Delivery = new(models.ConcurrencyQueue), new(models.AtMostOnce)
		in.Misfire = &MisfireInput{Policy: models.MisfireFireAll, Grace: new(time.Second), Limit: new(7)}
		in.Routing = &RoutingInput{Strategy: models.RouteRandom}
		in.Trigger = TriggerInput{Cron: &CronInput{
			Expression: "0 2 * * *", Zone: new("Asia/Shanghai"), StartAt: new(start), EndAt: new(start.Add(1000 * time.Hour)), Jitter: new(time.Minute),
		}}
	})
	route := models.RouteRandom
	want := models.Job{
		ID: got.ID, AppID: s.app.ID, GroupID: s.group.ID, Partition: s.group.Partition, Name: "päy 😀", LiveName: new("päy 😀"), Handler: "Pay",
		Description: "line\nline", Parameters: []byte(`{"a":9007199254740993}`), Labels: []byte(`{"team":"zürich"}`),
		TriggerKind: models.TriggerCron, Expression: "0 2 * * *", Zone: "Asia/Shanghai", StartAt: new(start), EndAt: new(start.Add(1000 * time.Hour)), JitterMS: 60_000,
		Priority: models.PriorityHigh, TimeoutMS: 90_000, MaxRunning: new(4), Concurrency: models.ConcurrencyQueue, Delivery: models.AtMostOnce, Routing: &route,
		MaxAttempts: 5, Backoff: models.BackoffExponential, RetryDelayMS: 2000, RetryMaxDelayMS: 60_000, RetryJitter: 0.5,
		MisfirePolicy: models.MisfireFireAll, MisfireGraceMS: 1000, MisfireLimit: 7, Version: 1, TriggerSince: &start, CreatedAt: start, UpdatedAt: start,
	}
	read, err := s.Job(t.Context(), got.ID)
	s.must(err)
	for _, j := range []models.Job{got, read} {
		if diff := cmp.Diff(want, j); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestAllFaultsAtOnce(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	_, err := s.Create(t.Context(), "ada", Input{
		GroupID: "01NONE", Name: "", Handler: strings.Repeat("h", 129), Parameters: []byte(`{`), Description: new(strings.Repeat("长", 2001)),
		Labels: []byte(`[1]`), Trigger: TriggerInput{Cron: &CronInput{Expression: "61 * * * *", Zone: new("Mars/Base"), Jitter: new(25 * time.Hour)}},
		Timeout: new(time.Duration(0)), Retry: &RetryInput{MaxAttempts: 0, Delay: -1, MaxDelay: new(200 * time.Hour), Jitter: new(2.0)},
		MaxRunning: new(0), Misfire: &MisfireInput{Policy: models.MisfireSkip, Grace: new(time.Duration(-5)), Limit: new(1001)}, Sharding: &ShardingInput{Shards: 3},
	})
	want := []string{
		"NOT_FOUND group", "REQUIRED name", "INVALID handler", "INVALID parameters", "INVALID description", "INVALID labels",
		"INVALID trigger.cron.jitter", "INVALID trigger.cron.expression", "INVALID trigger.cron.zone",
		"INVALID timeout", "INVALID retry.maxAttempts", "INVALID retry.delay", "INVALID retry.maxDelay", "INVALID retry.jitter",
		"INVALID maxRunning", "INVALID misfire.grace", "INVALID misfire.limit", "UNSUPPORTED sharding",
	}
	if diff := cmp.Diff(want, fields(err)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, e := range fault.All(err) {
		if !strings.HasSuffix(e.Message, ".") || len(e.Message) > 400 {
			t.Errorf("no sentence: %q", e.Message)
		}
	}
}

func TestRefusedFields(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	every := func(d time.Duration) func(*Input) {
		return func(in *Input) { in.Trigger = TriggerInput{FixedRate: &FixedRateInput{Every: d}} }
	}
	retry := func(r RetryInput) func(*Input) { return func(in *Input) { in.Retry = &r } }
	for name, c := range map[string]struct {
		edit func(*Input)
		want string
	}{
		"no group":              {func(in *Input) { in.GroupID = "" }, "REQUIRED group"},
		"blank name":            {func(in *Input) { in.Name = " pay" }, "INVALID name"},
		"name with a line end":  {func(in *Input) { in.Name = "a\nb" }, "INVALID name"},
		"name not UTF-8":        {func(in *Input) { in.Name = "a\xff" }, "INVALID name"},
		"name of 129":           {func(in *Input) { in.Name = strings.Repeat("😀", 129) }, "INVALID name"},
		"no handler":            {func(in *Input) { in.Handler = "" }, "REQUIRED handler"},
		"parameters too large":  {func(in *Input) { in.Parameters = []byte(`"` + strings.Repeat("x", 256<<10) + `"`) }, "INVALID parameters"},
		"parameters too deep":   {func(in *Input) { in.Parameters = []byte(strings.Repeat("[", 101) + strings.Repeat("]", 101)) }, "INVALID parameters"},
		"label not a string":    {func(in *Input) { in.Labels = []byte(`{"a":1}`) }, "INVALID labels"},
		"too many labels":       {func(in *Input) { in.Labels = manyLabels(33) }, "INVALID labels"},
		"timeout below 1s":      {func(in *Input) { in.Timeout = new(999 * time.Millisecond) }, "INVALID timeout"},
		"timeout negative":      {func(in *Input) { in.Timeout = new(time.Duration(-1)) }, "INVALID timeout"},
		"timeout of 68 years":   {func(in *Input) { in.Timeout = new(time.Duration(1<<31) * time.Second) }, "INVALID timeout"},
		"timeout of 292 years":  {func(in *Input) { in.Timeout = new(time.Duration(1<<63 - 1)) }, "INVALID timeout"},
		"timeout of a fraction": {func(in *Input) { in.Timeout = new(time.Second + 1) }, "INVALID timeout"},
		"1,001 tries":           {retry(RetryInput{MaxAttempts: 1001}), "INVALID retry.maxAttempts"},
		"delay of 25 hours":     {retry(RetryInput{MaxAttempts: 2, Delay: 25 * time.Hour}), "INVALID retry.delay"},
		"maxDelay too short":    {retry(RetryInput{MaxAttempts: 2, Delay: time.Minute, MaxDelay: new(time.Second)}), "INVALID retry.maxDelay"},
		"negative jitter":       {retry(RetryInput{MaxAttempts: 2, Jitter: new(-0.1)}), "INVALID retry.jitter"},
		"no trigger":            {func(in *Input) { in.Trigger = TriggerInput{} }, "REQUIRED trigger"},
		"two triggers":          {func(in *Input) { in.Trigger.FixedDelay = &FixedDelayInput{Delay: time.Minute} }, "REQUIRED trigger"},
		"manual: false":         {func(in *Input) { in.Trigger.Manual = new(false) }, "INVALID trigger.manual"},
		"dependency":            {func(in *Input) { in.Trigger = TriggerInput{Dependency: &DependencyInput{}} }, "REQUIRED trigger.dependency.upstream"},
		"every 0":               {every(0), "INVALID trigger.fixedRate.every"},
		"every 367 days":        {every(367 * 24 * time.Hour), "INVALID trigger.fixedRate.every"},
		"delay negative":        {func(in *Input) { in.Trigger = TriggerInput{FixedDelay: &FixedDelayInput{Delay: -time.Second}} }, "INVALID trigger.fixedDelay.delay"},
		"anchor absurd": {func(in *Input) {
			in.Trigger = TriggerInput{FixedRate: &FixedRateInput{Every: time.Second, StartAt: new(time.Date(99999, 1, 1, 0, 0, 0, 0, time.UTC))}}
		}, "INVALID trigger.fixedRate.startAt"},
		"bad cron":         {cron("0 0 * *"), "INVALID trigger.cron.expression"},
		"empty cron":       {cron(""), "INVALID trigger.cron.expression"},
		"zone in cron":     {cron("CRON_TZ=UTC 0 0 * * *"), "INVALID trigger.cron.expression"},
		"long cron":        {cron(strings.Repeat("0", 1001)), "INVALID trigger.cron.expression"},
		"never":            {cron("0 0 30 2 *"), "INVALID trigger.cron.expression"},
		"only in the past": {cron("0 0 0 1 1 ? 2020"), "INVALID trigger.cron.expression"},
		"machine's zone":   {cron("0 0 * * *", zone("Local")), "INVALID trigger.cron.zone"},
		"path as a zone":   {cron("0 0 * * *", zone("../../etc/passwd")), "INVALID trigger.cron.zone"},
		"ends before it starts": {cron("0 0 * * *", func(c *CronInput) {
			c.StartAt, c.EndAt = new(start.Add(time.Hour)), new(start)
		}), "INVALID trigger.cron.endAt"},
		"ended already":         {cron("0 0 * * *", func(c *CronInput) { c.EndAt = new(start) }), "INVALID trigger.cron.endAt"},
		"ends before its first": {cron("0 0 1 1 *", func(c *CronInput) { c.EndAt = new(start.Add(time.Hour)) }), "INVALID trigger.cron.endAt"},
		"one shard":             {func(in *Input) { in.Sharding = &ShardingInput{Shards: 1} }, "UNSUPPORTED sharding"},
		"limit of misfires":     {func(in *Input) { in.Misfire = &MisfireInput{Policy: models.MisfireFireAll, Limit: new(0)} }, "INVALID misfire.limit"},
	} {
		_, err := s.Create(t.Context(), "ada", s.input("x", c.edit))
		if diff := cmp.Diff([]string{c.want}, fields(err)); diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", name, err, diff)
		}
	}
	n, err := s.Count(t.Context(), Filter{})
	s.must(err)
	if n != 0 {
		t.Errorf("%d jobs were made", n)
	}
}

func manyLabels(n int) []byte {
	var b strings.Builder
	for i := range n {
		b.WriteString(`,"k` + strings.Repeat("x", i) + `":"v"`)
	}
	return []byte("{" + b.String()[1:] + "}")
}

func TestLongestAllowed(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	got := s.job(strings.Repeat("😀", 128), func(in *Input) {
		in.Handler, in.Description = strings.Repeat("中", 128), new(strings.Repeat("文", 2000))
		in.Parameters, in.Labels = []byte(`"`+strings.Repeat("x", 256<<10-2)+`"`), manyLabels(32)
		in.Timeout, in.Retry = new(366*24*time.Hour), &RetryInput{MaxAttempts: 1000, Delay: 24 * time.Hour, MaxDelay: new(168 * time.Hour), Jitter: new(1.0)}
	})
	read, err := s.Job(t.Context(), got.ID)
	s.must(err)
	if diff := cmp.Diff(got, read); diff != "" {
		t.Errorf("(-answered +read):\n%s", diff)
	}
}

func TestCronFaultNamesItsPlace(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	_, err := s.Create(t.Context(), "ada", s.input("x", cron("0 25 * * *")))
	all := fault.All(err)
	if len(all) != 1 || !strings.Contains(all[0].Message, "hour field, position 3") || !strings.Contains(all[0].Message, `"0 25 * * *"`) {
		t.Errorf("the message is %v", err)
	}
	_, err = s.Create(t.Context(), "ada", s.input("x", cron("0 2 * * *", zone("asia/beijing"))))
	if err == nil || !strings.Contains(err.Error(), "Asia/Shanghai") {
		t.Errorf("the message is %v", err)
	}
}

func TestNamesAreUniqueWithinTheApp(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.job("pay")
	_, err := s.Create(t.Context(), "ada", s.input("pay"))
	if diff := cmp.Diff([]string{"TAKEN name"}, fields(err)); diff != "" {
		t.Error(diff)
	}
	_, other := s.newApp("bank")
	s.job("pay", func(in *Input) { in.GroupID = other.ID })
	s.job("Pay")
}

func TestFirstFires(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	at := func(text string) *time.Time {
		if text == "" {
			return nil
		}
		parsed, err := time.Parse(time.RFC3339Nano, text)
		s.must(err)
		return &parsed
	}
	paused := func(in *Input) { in.Enabled = new(false) }
	rate := func(every time.Duration, anchor *time.Time) func(*Input) {
		return func(in *Input) { in.Trigger = TriggerInput{FixedRate: &FixedRateInput{Every: every, StartAt: anchor}} }
	}
	delay := func(in *Input) { in.Trigger = TriggerInput{FixedDelay: &FixedDelayInput{Delay: time.Hour}} }
	for name, c := range map[string]struct {
		edit []func(*Input)
		want string
	}{
		"manual":        {nil, ""},
		"cron":          {[]func(*Input){cron("*/5 * * * *")}, "2031-05-02T18:05:00Z"},
		"seconds":       {[]func(*Input){cron("* * * * * ?")}, "2031-05-02T18:00:11Z"},
		"zone":          {[]func(*Input){cron("0 2 * * *", zone("Asia/Shanghai"))}, "2031-05-03T18:00:00Z"},
		"start":         {[]func(*Input){cron("* * * * *", func(c *CronInput) { c.StartAt = at("2031-06-01T00:00:00Z") })}, "2031-06-01T00:00:00Z"},
		"paused cron":   {[]func(*Input){cron("*/5 * * * *"), paused}, ""},
		"rate":          {[]func(*Input){rate(time.Minute, nil)}, "2031-05-02T18:01:00Z"},
		"rate anchored": {[]func(*Input){rate(time.Minute, at("2020-01-01T00:00:07Z"))}, "2031-05-02T18:01:07Z"},
		"delay":         {[]func(*Input){delay}, "2031-05-02T18:00:10.5Z"},
		"paused delay":  {[]func(*Input){delay, paused}, ""},
	} {
		j := s.job(name, c.edit...)
		if diff := cmp.Diff(at(c.want), j.NextFireAt); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}
