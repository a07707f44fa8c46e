package trigger

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/internal/testledger"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

func TestATriggerNeedsALogger(t *testing.T) {
	t.Parallel()
	if _, err := New(Config{}); err == nil {
		t.Error("a configuration without a logger was taken")
	}
}

// A pass writes the fires of the look-ahead, of this server's partitions, and no more.
func TestFiresOfTheLookAhead(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	horizon := begin.Add(LookAhead)
	daily := func(j *models.Job) { j.Expression = "0 14 * * *" } // hours away from the fires below
	cases := map[string]struct {
		next time.Time
		edit func(*models.Job)
		want int // tasks
	}{
		"now":               {begin, daily, 1},
		"overdue":           {begin.Add(-30 * time.Second), daily, 1},
		"at the horizon":    {horizon, everySecond, 1},
		"after the horizon": {horizon.Add(time.Microsecond), nil, 0},
		"twice within it":   {begin, everySecond, 2},
		"paused":            {begin, func(j *models.Job) { j.Enabled = false }, 0},
		"invalid":           {begin, func(j *models.Job) { j.InvalidReason = "no such zone" }, 0},
		"another partition": {begin, func(j *models.Job) { j.Partition = (j.Partition + 1) % models.Partitions }, 0},
		"a period": {begin, func(j *models.Job) {
			j.TriggerKind, j.Expression, j.Zone, j.EveryMS = models.TriggerFixedRate, "", "", 500
		}, 4},
		"a delay after ends": {begin, func(j *models.Job) {
			j.TriggerKind, j.Expression, j.Zone, j.EveryMS = models.TriggerFixedDelay, "", "", 500
		}, 1},
	}
	jobs := map[string]models.Job{}
	for name, c := range cases {
		jobs[name] = b.with(name, c.next, c.edit)
	}
	delete(b.owner.held, (b.group.Partition+1)%models.Partitions)
	b.pass()
	for name, c := range cases {
		got := b.tasks(jobs[name])
		if len(got) != c.want {
			t.Errorf("%s: %d tasks %v, want %d", name, len(got), got, c.want)
		}
		for _, told := range b.heard.fired {
			if told.Name == name && c.want > 0 && !told.LastFireAt.Equal(got[len(got)-1]) {
				t.Errorf("%s: told of a last fire at %v, want %v", name, told.LastFireAt, got[len(got)-1])
			}
		}
	}
	if diff := cmp.Diff([]string{b.group.ID}, slices.Compact(b.heard.groups)); diff != "" || len(b.heard.fired) != 6 {
		t.Errorf("%d jobs told, groups (-want +got):\n%s", len(b.heard.fired), diff)
	}
	before := len(b.heard.fired)
	b.pass()
	if len(b.heard.fired) != before {
		t.Errorf("a second look fired %v", b.heard.fired[before:])
	}
}

// It rests until the next fire comes into the look-ahead, never for long.
func TestRestsUntilTheNextFire(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		in   time.Duration // 0: no job
		want time.Duration
	}{
		"no job":           {0, longest},
		"far away":         {time.Hour, longest},
		"soon":             {LookAhead + time.Second, time.Second},
		"very soon":        {LookAhead + time.Millisecond, shortest},
		"after what fires": {time.Millisecond, longest}, // the next one is tomorrow
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			if c.in > 0 {
				b.with("j", begin.Add(c.in), nil)
			}
			if got := b.pass(); got != c.want {
				t.Errorf("rests %s, want %s", got, c.want)
			}
		})
	}
	b := newBench(t)
	b.with("j", begin, nil)
	b.owner.held = nil
	if got := b.pass(); got != longest || len(b.heard.fired) > 0 {
		t.Errorf("without partitions it rests %s and fired %v", got, b.heard.fired)
	}
}

// herd is a ledger with many jobs that are due, of which nothing is written.
type herd struct {
	Ledger

	jobs []models.Job
}

func (h *herd) DueJobs(_ context.Context, _ []int, _ time.Time, limit int) ([]models.Job, error) {
	n := min(limit, len(h.jobs))
	return h.jobs[:n:n], nil
}

func (h *herd) RecordFires(_ context.Context, _ store.Fence, fires []store.Fires) ([]bool, error) {
	h.jobs = h.jobs[len(fires):]
	return slices.Repeat([]bool{true}, len(fires)), nil
}

func (h *herd) NextFireAt(context.Context, []int) (*time.Time, error) { return nil, nil }

// More jobs than a batch holds all fire in one pass (CB-079).
func TestAHerdFiresInOnePass(t *testing.T) {
	t.Parallel()
	const jobs = 10_000
	h, told := &herd{}, &heard{}
	for i := range jobs {
		h.jobs = append(h.jobs, models.Job{
			ID: fmt.Sprint(i), TriggerKind: models.TriggerCron, Expression: "0 * * * *", Zone: "UTC", NextFireAt: new(begin.Add(time.Second)), GroupID: "g",
		})
	}
	f, err := New(Config{Ledger: h, Owner: ownsAll(), Workers: served{}, Watcher: told, Clock: testledger.NewClock(begin), Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	if rest, err := f.Pass(t.Context()); err != nil || rest != longest || len(told.fired) != jobs {
		t.Errorf("%d jobs fired; rests %s, %v", len(told.fired), rest, err)
	}
}

// What a server read too long ago changes nothing, however old it is: the next fire is
// compared with the one that was read (CB-046). A server that stops between reading and
// writing, while another does its work, writes nothing either (CB-047).
func TestAStaleReaderFiresNothing(t *testing.T) {
	t.Parallel()
	for name, behind := range map[string]int{"stopped before it wrote": 0, "one read behind": 1, "five behind": 5} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			j := b.with("j", begin.Add(time.Second), func(j *models.Job) { j.Expression = "*/5 * * * * ?" })
			slow := b.newServer(b.ledger.Store, served{})
			var reads [][]models.Job
			slow.ledger.due = func(jobs []models.Job) ([]models.Job, error) {
				if len(jobs) > 0 {
					reads = append(reads, jobs)
				}
				return reads[max(len(reads)-1-behind, 0)], nil
			}
			slow.ledger.record = func(write func() ([]bool, error)) ([]bool, error) {
				b.pass() // the other server runs this tick and the next fully in between
				b.clock.Advance(5 * time.Second)
				b.pass()
				return write()
			}
			const ticks = 100 // of two fires each
			for i := range ticks {
				_, err := slow.trigger.Pass(t.Context())
				b.must(err)
				row, err := b.ledger.Job(t.Context(), j.ID)
				b.must(err)
				if want := begin.Add(time.Second + time.Duration(i+2)*5*time.Second); !row.NextFireAt.Equal(want) {
					t.Fatalf("the next fire is %s, want %s", row.NextFireAt, want)
				}
			}
			at := b.tasks(j)
			if len(at) != ticks+1 {
				t.Errorf("%d tasks in %d ticks", len(at), ticks+1)
			}
			for i := 1; i < len(at); i++ {
				if at[i].Sub(at[i-1]) != 5*time.Second {
					t.Fatalf("fires at %s and %s", at[i-1], at[i])
				}
			}
		})
	}
}

// A commit whose answer was lost and that is tried again later leaves one task for each
// slot (CB-049).
func TestALostAnswerFiresOnce(t *testing.T) {
	t.Parallel()
	for _, committed := range []bool{true, false} {
		b := newBench(t)
		jobs := []models.Job{b.with("every", begin, everySecond), b.with("daily", begin.Add(time.Second), nil)}
		lost := true
		b.ledger.record = func(write func() ([]bool, error)) ([]bool, error) {
			if !lost {
				return write()
			}
			lost = false
			if committed {
				_, err := write()
				b.must(err)
			}
			return nil, fmt.Errorf("recording: %w", store.ErrCommitUnknown)
		}
		if _, err := b.trigger.Pass(t.Context()); !errors.Is(err, store.ErrCommitUnknown) {
			t.Fatalf("the pass answers %v", err)
		}
		b.clock.Advance(15 * time.Second)
		b.pass()
		every, daily := b.tasks(jobs[0]), b.tasks(jobs[1])
		if len(every) != 17 || len(daily) != 1 { // 15 s, and one second and a half ahead
			t.Errorf("committed %t: %d and %d tasks, want 17 and 1", committed, len(every), len(daily))
		}
	}
}

// An owner that was deposed writes nothing, gives up what it lost and goes on with the
// rest.
func TestADeposedOwnerGivesUp(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	other := (b.group.Partition + 1) % models.Partitions
	lost, kept := b.with("lost", begin.Add(time.Second), nil), b.with("kept", begin.Add(time.Second), func(j *models.Job) { j.Partition = other })
	_, err := b.ledger.TakePartition(t.Context(), b.group.Partition, "another")
	b.must(err)
	rest, err := b.trigger.round(t.Context())
	if err != nil || rest > time.Second || !slices.Equal(b.owner.lost, []int{b.group.Partition}) {
		t.Errorf("rests %s, gave up %v, %v", rest, b.owner.lost, err)
	}
	if n := len(b.tasks(lost)) + len(b.tasks(kept)); n != 0 {
		t.Errorf("%d tasks of a batch with a deposed partition", n)
	}
	_, err = b.trigger.round(t.Context())
	b.must(err)
	if len(b.tasks(lost)) != 0 || len(b.tasks(kept)) != 1 {
		t.Errorf("%d and %d tasks, want 0 and 1", len(b.tasks(lost)), len(b.tasks(kept)))
	}
}

// However the ledger stalls or fails, each slot of a job that fires each second becomes
// a task or is counted (CB-080).
func TestEverySlotIsAccountedFor(t *testing.T) {
	t.Parallel()
	b, n := newBench(t), 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		first := b.clock.Now().Truncate(time.Second).Add(time.Second)
		policy := rapid.SampledFrom([]models.MisfirePolicy{models.MisfireFireOnce, models.MisfireFireAll, models.MisfireSkip}).Draw(rt, "policy")
		j := b.with(fmt.Sprint(n), first, func(j *models.Job) {
			everySecond(j)
			j.MisfirePolicy, j.MisfireGraceMS = policy, 3000
		})
		b.ledger.record = func(write func() ([]bool, error)) ([]bool, error) {
			b.clock.Advance(rapid.SampledFrom([]time.Duration{0, 0, 0, 1500 * time.Millisecond, 20 * time.Second}).Draw(rt, "stall"))
			switch rapid.IntRange(0, 9).Draw(rt, "luck") {
			case 0:
				return nil, errors.New("away")
			case 1:
				_, err := write()
				return nil, errors.Join(err, store.ErrCommitUnknown)
			}
			return write()
		}
		for range 8 {
			rest, err := b.trigger.Pass(t.Context())
			if err != nil {
				rest = afterError
			}
			b.clock.Advance(rest)
		}
		b.ledger.record = nil
		b.clock.Advance(time.Second)
		b.pass()
		row, err := b.ledger.Job(t.Context(), j.ID)
		b.must(err)
		slots, tasks, skipped := int64(row.NextFireAt.Sub(first)/time.Second), b.tasks(j), b.skipped(j)
		counted := int64(len(tasks))
		for _, n := range skipped {
			counted += n
		}
		if counted != slots || slots == 0 {
			rt.Errorf("%d of %d slots are accounted for: %d tasks and %v", counted, slots, len(tasks), skipped)
		}
		_, err = b.ledger.DeleteJob(t.Context(), j.ID, b.clock.Now(), b.audit())
		b.must(err)
	})
}

// Jobs with a period keep their phase over an outage: they do not fall into step with
// one another or with the restart (CB-079).
func TestPeriodsKeepTheirPhase(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	jobs := map[time.Duration]models.Job{}
	for i := range 50 {
		phase := time.Duration(i) * 1171 * time.Millisecond
		jobs[phase] = b.with(fmt.Sprint(i), begin.Add(phase), func(j *models.Job) {
			j.TriggerKind, j.Expression, j.Zone, j.EveryMS, j.StartAt = models.TriggerFixedRate, "", "", 60_000, j.NextFireAt
		})
	}
	b.clock.Advance(10*time.Minute + 17*time.Second + 333*time.Millisecond) // nobody was there
	for range 70 {
		b.pass()
		b.clock.Advance(time.Second)
	}
	for phase, j := range jobs {
		row, err := b.ledger.Job(t.Context(), j.ID)
		b.must(err)
		for _, at := range append(b.tasks(j), *row.NextFireAt) {
			if got := at.Sub(begin) % time.Minute; got != phase%time.Minute {
				t.Errorf("phase %s: fires at %s, %s into its minute", phase, at, got)
			}
		}
	}
}

// The spread of a herd is drawn for each job and fire, the same whenever it is asked
// for, bounded, and stands beside the instant that the fire is for (CB-079).
func TestTheSpreadStandsBesideTheInstant(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	const jitter = 10 * time.Minute
	due := begin.Add(time.Second)
	offsets := map[time.Duration]bool{}
	var jobs []models.Job
	for i := range 100 {
		jobs = append(jobs, b.with(fmt.Sprint(i), due, func(j *models.Job) { j.JitterMS = jitter.Milliseconds() }))
	}
	b.pass()
	for _, j := range jobs {
		task, err := b.ledger.Task(t.Context(), models.FireID(j.ID, due, -1))
		b.must(err)
		offset := task.AvailableAt.Sub(task.ScheduledAt)
		compiled, err := b.trigger.compiled.Compile(&j, nil)
		b.must(err)
		if !task.ScheduledAt.Equal(due) || offset < 0 || offset >= jitter || offset != compiled.JitterFor(due, j.ID) {
			t.Errorf("a fire for %s is available at %s", task.ScheduledAt, task.AvailableAt)
		}
		offsets[offset.Truncate(time.Minute)] = true
	}
	if len(offsets) < 8 {
		t.Errorf("a hundred jobs start within %d minutes of ten", len(offsets))
	}
}

// Of jobs that nobody can run a bounded number of fires waits, whatever their trigger.
func TestWithoutAWorker(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.unserved()
	period := func(j *models.Job) {
		j.TriggerKind, j.Expression, j.Zone, j.EveryMS = models.TriggerFixedRate, "", "", 1000
	}
	cases := map[string]struct {
		edit  func(*models.Job)
		tasks int
	}{
		"skip":            {func(j *models.Job) { everySecond(j); j.Concurrency = models.ConcurrencySkip }, 1},
		"queue":           {func(j *models.Job) { everySecond(j); j.Concurrency = models.ConcurrencyQueue }, 1},
		"replace, period": {func(j *models.Job) { period(j); j.Concurrency = models.ConcurrencyReplace }, 1},
		"allow":           {everySecond, 100},
		"allow, period":   {period, 100},
		"delay": {func(j *models.Job) {
			j.TriggerKind, j.Expression, j.Zone, j.EveryMS = models.TriggerFixedDelay, "", "", 1000
		}, 1},
	}
	jobs := map[string]models.Job{}
	for name, c := range cases {
		jobs[name] = b.with(name, begin, c.edit)
	}
	const seconds = 150
	for range seconds {
		b.pass()
		b.clock.Advance(time.Second)
	}
	for name, c := range cases {
		want := map[string]int64{}
		if name != "delay" {
			want[models.ReasonNoWorker] = seconds + 1 - int64(c.tasks) // the last look was a second and a half ahead
		}
		if diff := cmp.Diff(want, b.skipped(jobs[name])); diff != "" || len(b.tasks(jobs[name])) != c.tasks {
			t.Errorf("%s: %d tasks, want %d; skipped (-want +got):\n%s", name, len(b.tasks(jobs[name])), c.tasks, diff)
		}
	}
	for _, told := range b.heard.fired {
		if row := b.tasks(jobs[told.Name]); told.LastFireAt.After(row[len(row)-1]) {
			t.Fatalf("%s: told of a last fire that never was", told.Name)
		}
	}
}
