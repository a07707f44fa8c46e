package coord

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// One server more moves partitions only to it, one fewer only its own; and nobody
// depends on the order of the list.
func TestOnlyTheShareOfOneMoves(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ids := rapid.SliceOfNDistinct(rapid.StringMatching(`[0-9A-Z]{26}`), 1, 12, rapid.ID).Draw(t, "servers")
		extra := rapid.StringMatching(`[a-z]{8}`).Draw(t, "extra")
		more := slices.Insert(slices.Clone(ids), rapid.IntRange(0, len(ids)).Draw(t, "at"), extra)
		for p := range models.Partitions {
			before, after := rightful(p, ids), rightful(p, more)
			if after != before && after != extra {
				t.Fatalf("partition %d moves from %s to %s when %s comes", p, before, after, extra)
			}
			if !slices.Contains(ids, before) {
				t.Fatalf("partition %d belongs to %q", p, before)
			}
		}
	})
	if got := rightful(1, nil); got != "" {
		t.Errorf("without servers a partition belongs to %q", got)
	}
}

// The shares are fair: over many sets of servers the mean is right, and no server
// has much more than its part of the 64.
func TestSharesAreFair(t *testing.T) {
	for n := 2; n <= 8; n++ {
		for round := range 200 {
			counts := map[string]int{}
			var ids []string
			for i := range n {
				ids = append(ids, models.NewID(time.Unix(int64(round*100+i), 0)))
			}
			for p := range models.Partitions {
				counts[rightful(p, ids)]++
			}
			for _, id := range ids {
				if fair := models.Partitions / n; counts[id] > 2*fair+8 {
					t.Errorf("with %d servers one has %d partitions, fair are %d", n, counts[id], fair)
				}
			}
		}
	}
}

func server(id string, seen time.Time, offset time.Duration) models.Server {
	return models.Server{ID: id, LastSeenAt: seen, ClockOffsetMS: offset.Milliseconds()}
}

// Whether a server lives is judged by its beats, not by anybody's clock: a jump
// of the database's clock, either way, kills nobody.
func TestAliveByBeats(t *testing.T) {
	const dead, beat = 8 * time.Second, 2 * time.Second
	for _, jump := range []time.Duration{0, 10 * time.Minute, -10 * time.Minute, 9 * 24 * time.Hour} {
		v, at, now := newView(), clock.System{}.Now(), time.Hour
		v.observe([]models.Server{server("a", at, 0), server("b", at, 0)}, now, at, dead, beat)
		for range 10 { // a goes on beating, b does not
			at, now = at.Add(beat), now+beat
			v.observe([]models.Server{server("a", at.Add(jump), 0), server("b", at.Add(-beat), 0)}, now, at.Add(jump), dead, beat)
			if alive, _ := v.alive(now, dead); !slices.Contains(alive, "a") {
				t.Fatalf("with a jump of %s a server that beats is dead", jump)
			}
			at = at.Add(-beat)
			v.observe([]models.Server{server("a", at.Add(jump+time.Millisecond), 0), server("b", at, 0)}, now, at.Add(jump), dead, beat)
			at = at.Add(beat)
		}
	}
}

func TestAliveAtFirstSight(t *testing.T) {
	const dead, beat = 8 * time.Second, 2 * time.Second
	at, now := clock.System{}.Now(), time.Hour
	for _, tc := range []struct {
		age   time.Duration
		later time.Duration
		alive bool
	}{
		{0, 0, true},
		{7 * time.Second, 0, true},
		{9 * time.Second, 0, false},
		{-time.Second, 0, true},
		{-time.Hour, 0, false},
		{5 * time.Second, 2 * time.Second, true},
		{5 * time.Second, 4 * time.Second, false},
	} {
		t.Run(fmt.Sprint(tc), func(t *testing.T) {
			v := newView()
			rows := []models.Server{server("a", at.Add(-tc.age), 0)}
			v.observe(rows, now, at, dead, beat)
			if tc.later > 0 {
				v.observe(rows, now+tc.later, at.Add(tc.later), dead, beat)
			}
			if alive, _ := v.alive(now+tc.later, dead); slices.Contains(alive, "a") != tc.alive {
				t.Errorf("alive: %v, want %v", alive, tc.alive)
			}
		})
	}
}

func TestCandidatesHaveTheRightTime(t *testing.T) {
	v, at, now := newView(), clock.System{}.Now(), time.Hour
	v.observe([]models.Server{
		server("right", at, 2*time.Second), server("ahead", at, 2001*time.Millisecond), server("behind", at, -2001*time.Millisecond),
	}, now, at, 8*time.Second, 2*time.Second)
	if alive, candidates := v.alive(now, 8*time.Second); len(alive) != 3 || !slices.Equal(candidates, []string{"right"}) {
		t.Errorf("alive %v, candidates %v", alive, candidates)
	}
}
