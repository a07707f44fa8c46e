package backfill

import (
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

func TestInstantsComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		at := time.UnixMicro(rapid.Int64Range(0, 4e15).Draw(t, "first")).UTC()
		var fires []time.Time
		for range rapid.IntRange(0, 50).Draw(t, "n") {
			fires = append(fires, at)
			at = at.Add(time.Duration(rapid.Int64Range(1, 1e9).Draw(t, "step")) * time.Microsecond)
		}
		got, err := decode(encode(fires))
		if err != nil || !slices.Equal(got, fires) {
			t.Fatalf("%v came back as %v, %v", fires, got, err)
		}
	})
}

// FuzzDecode feeds anything: what is accepted is in order and is written alike.
func FuzzDecode(f *testing.F) {
	f.Add(encode([]time.Time{base, base.Add(time.Minute), base.Add(time.Hour)}))
	f.Add([]byte{0x80})
	f.Add([]byte{2, 1})
	f.Fuzz(func(t *testing.T, raw []byte) {
		fires, err := decode(raw)
		if err != nil {
			return
		}
		if !slices.IsSortedFunc(fires, time.Time.Compare) {
			t.Errorf("%x is read out of order", raw)
		}
		if again, err := decode(encode(fires)); err != nil || !slices.Equal(again, fires) {
			t.Errorf("%x is read as %v, and again as %v, %v", raw, fires, again, err)
		}
	})
}

func TestFiresOfARange(t *testing.T) {
	t.Parallel()
	hourly, err := schedule.Compile(schedule.Spec{Kind: schedule.KindCron, Expression: "0 * * * *", Zone: "UTC"}, "")
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		from, to time.Time
		limit    int
		want     int
		more     bool
	}{
		"both ends on a fire": {day, day.Add(3 * time.Hour), 100, 3, false},
		"between fires":       {day.Add(time.Second), day.Add(3*time.Hour + time.Second), 100, 3, false},
		"none":                {day.Add(time.Second), day.Add(time.Hour), 100, 0, false},
		"just as many":        {day, day.Add(3 * time.Hour), 3, 3, false},
		"one too many":        {day, day.Add(3 * time.Hour), 2, 2, true},
	} {
		fires, more := firesOf(hourly, c.from, c.to, c.limit)
		if len(fires) != c.want || more != c.more {
			t.Errorf("%s: %d fires, more %t", name, len(fires), more)
		}
	}
}

// However a backfill is held up, it never makes more than its rate allows in any
// stretch of time, but for the burst of one second; and with nothing in its way it
// makes them evenly.
func TestRateIsKept(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := models.Backfill{
			State: models.BackfillRunning, Total: 1 << 40, MaxRunning: 1 << 30,
			PerMinute: rapid.SampledFrom([]int{1, 7, 60, 61, 600, 6000, 60_000}).Draw(t, "per minute"), ReleaseAt: base,
		}
		now := base
		var looks []time.Time
		total := []int{0} // made before each look
		for range rapid.IntRange(1, 60).Draw(t, "looks") {
			n, rest := allowed(&b, now)
			if n == 0 && rest <= 0 || n > 0 && n > perStep {
				t.Fatalf("%d allowed, rest %s", n, rest)
			}
			if n == 0 && rapid.Bool().Draw(t, "sleep well") {
				now = now.Add(rest)
				if n, _ = allowed(&b, now); n != 1 {
					t.Fatalf("after the rest %d are allowed", n)
				}
			}
			b.ReleaseAt = accruesFrom(&b, now).Add(time.Duration(n) * interval(b.PerMinute))
			b.Created += int64(n)
			looks, total = append(looks, now), append(total, total[len(total)-1]+n)
			now = now.Add(time.Duration(rapid.IntRange(0, 5000).Draw(t, "pause")) * time.Millisecond)
		}
		for i, from := range looks {
			for j := i; j < len(looks); j++ {
				most := int(looks[j].Sub(from)/interval(b.PerMinute)) + burst(b.PerMinute) + 1
				if n := total[j+1] - total[i]; n > most {
					t.Fatalf("%d tasks within %s at %d a minute", n, looks[j].Sub(from), b.PerMinute)
				}
			}
		}
	})
}

func TestAllowed(t *testing.T) {
	t.Parallel()
	running := models.Backfill{State: models.BackfillRunning, Total: 10, MaxRunning: 3, PerMinute: 60, ReleaseAt: base}
	for name, c := range map[string]struct {
		edit func(*models.Backfill)
		n    int
		rest time.Duration
	}{
		"first":       {func(*models.Backfill) {}, 1, 0},
		"too early":   {func(b *models.Backfill) { b.ReleaseAt = base.Add(time.Second) }, 0, time.Second},
		"held up":     {func(b *models.Backfill) { b.ReleaseAt = base.Add(-time.Hour) }, 1, 0},
		"fast":        {func(b *models.Backfill) { b.PerMinute, b.ReleaseAt = 6000, base.Add(-time.Hour) }, 3, 0},
		"full":        {func(b *models.Backfill) { b.Created = 3 }, 0, longest},
		"one ended":   {func(b *models.Backfill) { b.Created, b.Failed = 3, 1 }, 1, 0},
		"all made":    {func(b *models.Backfill) { b.Created, b.Present, b.Succeeded = 4, 6, 4 }, 0, longest},
		"paused":      {func(b *models.Backfill) { b.State = models.BackfillPaused }, 0, longest},
		"tried again": {func(b *models.Backfill) { b.Created, b.Succeeded = 4, 0 }, 0, longest},
	} {
		b := running
		c.edit(&b)
		if n, rest := allowed(&b, base); n != c.n || rest != c.rest {
			t.Errorf("%s: %d, %s; want %d, %s", name, n, rest, c.n, c.rest)
		}
	}
}
