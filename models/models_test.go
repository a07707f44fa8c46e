package models

import (
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestFinalStatesHaveNoWayOut(t *testing.T) {
	t.Parallel()
	for _, s := range TaskStates {
		for e := EventDispatch; e <= EventRequeue; e++ {
			to, legal := Next(s, e)
			if legal && s.Final() {
				t.Errorf("%s leads from the final state %s to %s", e, s, to)
			}
			if !legal && to != s {
				t.Errorf("an illegal %s moved %s to %s", e, s, to)
			}
		}
	}
}

func TestEveryStateIsReached(t *testing.T) {
	t.Parallel()
	reached := map[TaskState]bool{TaskWaiting: true}
	for range TaskStates {
		for _, tr := range Transitions {
			for _, from := range tr.From {
				if reached[from] {
					reached[tr.To] = true
				}
			}
		}
	}
	for _, s := range TaskStates {
		if !reached[s] {
			t.Errorf("no way leads to %s", s)
		}
		if s.Live() == s.Final() && s != TaskFailed {
			t.Errorf("%s is neither live nor final, or both", s)
		}
	}
}

func TestNamesAreReadBack(t *testing.T) {
	t.Parallel()
	for _, s := range TaskStates {
		if got, ok := ParseTaskState(s.String()); !ok || got != s {
			t.Errorf("%s is read as %v, %v", s, got, ok)
		}
	}
	for _, bad := range []string{"", "waiting", "UNKNOWN(0)", "WAITING "} {
		if _, ok := ParseTaskState(bad); ok {
			t.Errorf("%q is read as a state", bad)
		}
	}
}

func TestFireIDIsDerivedAndSortsByTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 8, 7, 30, 0, 0, time.UTC)
	id := FireID("job", at, -1)
	if again := FireID("job", at, -1); again != id {
		t.Errorf("the same fire has ids %s and %s", id, again)
	}
	others := []string{FireID("job2", at, -1), FireID("job", at.Add(time.Microsecond), -1), FireID("job", at, 0)}
	for _, other := range others {
		if other == id {
			t.Errorf("another fire has the same id %s", id)
		}
	}
	if !strings.HasPrefix(LowestID(at), id[:10]) || LowestID(at) > id {
		t.Errorf("LowestID %s is not below %s", LowestID(at), id)
	}
}

func TestIDsSortByTime(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a := time.UnixMilli(rapid.Int64Range(0, 4e12).Draw(t, "a"))
		b := time.UnixMilli(rapid.Int64Range(0, 4e12).Draw(t, "b"))
		if a.Before(b) && FireID("j", a, -1) >= FireID("j", b, -1) {
			t.Fatalf("%s sorts after %s", a, b)
		}
	})
}

func TestLogSeq(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		attempt := rapid.IntRange(1, 1<<30).Draw(t, "attempt")
		n := rapid.Int64Range(1, 1<<31).Draw(t, "n")
		if a, m := SplitLogSeq(LogSeq(attempt, n)); a != attempt || m != n {
			t.Fatalf("%d/%d came back as %d/%d", attempt, n, a, m)
		}
		if LogSeq(attempt+1, 1) <= LogSeq(attempt, n) {
			t.Fatalf("the log of attempt %d does not come after that of %d", attempt+1, attempt)
		}
	})
}

func TestSequenceGrows(t *testing.T) {
	t.Parallel()
	var s Sequence
	at := time.Date(2026, 3, 8, 7, 30, 0, 0, time.UTC)
	var all []string
	for _, ms := range []int{0, 0, 5, 3, 3, 1004, 900, 2000} {
		all = append(all, s.Next(at.Add(time.Duration(ms)*time.Millisecond), 3)...)
	}
	if !slices.IsSorted(all) || len(slices.Compact(all)) != 24 {
		t.Errorf("%v", all)
	}
	if got := IDTime(s.Next(at.Add(-time.Hour), 1)[0]); !got.Equal(at.Add(-time.Hour)) {
		t.Errorf("a clock that was set back: %s", got)
	}
	for k := range AlertEventKinds {
		kind := AlertEventKinds[k]
		if back, ok := ParseAlertEventKind(kind.String()); !ok || back != kind {
			t.Errorf("%d is %s", kind, kind)
		}
	}
}
