package models

import (
	"fmt"
	"sort"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestEndFamily(t *testing.T) {
	t.Parallel()
	ends := func(states ...TaskState) []ChildEnd {
		var list []ChildEnd
		for i, s := range states {
			list = append(list, ChildEnd{s, fmt.Sprintf("n%d", i)})
		}
		return list
	}
	many := make([]TaskState, 30)
	for i := range many {
		many[i] = TaskFailed
	}
	for name, c := range map[string]struct {
		children  []ChildEnd
		cancelled bool
		want      FamilyEnd
		over      bool
	}{
		"one is live":                     {ends(TaskSucceeded, TaskRetrying, TaskFailed), false, FamilyEnd{}, false},
		"all succeeded":                   {ends(TaskSucceeded, TaskSucceeded), false, FamilyEnd{Event: EventSucceed}, true},
		"all succeeded all the same":      {ends(TaskSucceeded, TaskSucceeded), true, FamilyEnd{Event: EventSucceed}, true},
		"some failed":                     {ends(TaskFailed, TaskSucceeded, TaskFailed), false, FamilyEnd{EventFail, ReasonChildrenFailed, "2 of 3 nodes failed: n0, n2"}, true},
		"one failed, one was cancelled":   {ends(TaskFailed, TaskCancelled), false, FamilyEnd{EventFail, ReasonChildrenFailed, "1 of 2 nodes failed: n0"}, true},
		"one was cancelled":               {ends(TaskSucceeded, TaskCancelled), false, FamilyEnd{EventCancel, ReasonRequested, "1 of 2 nodes were cancelled: n1"}, true},
		"the parent was cancelled":        {ends(TaskSucceeded, TaskCancelled), true, FamilyEnd{Event: EventCancel, Reason: ReasonReplaced}, true},
		"it was cancelled and one failed": {ends(TaskFailed, TaskSucceeded), true, FamilyEnd{Event: EventCancel, Reason: ReasonReplaced}, true},
		"many failed": {ends(many...), false, FamilyEnd{
			EventFail, ReasonChildrenFailed,
			"30 of 30 nodes failed: n0, n1, n10, n11, n12, n13, n14, n15, n16, n17 and 20 more",
		}, true},
	} {
		got, over := EndFamily(c.children, c.cancelled, ReasonReplaced, "nodes")
		if got != c.want || over != c.over {
			t.Errorf("%s: %+v, %v; want %+v, %v", name, got, over, c.want, c.over)
		}
	}
}

// However the children end, the parent's end is a legal one that says the truth, and it
// depends on no order.
func TestEndFamilyAlways(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		states := rapid.SliceOfN(rapid.SampledFrom(TaskStates[:]), 1, 40).Draw(t, "states")
		cancelled := rapid.Bool().Draw(t, "cancelled")
		children := make([]ChildEnd, len(states))
		count := map[TaskState]int{}
		live := 0
		for i, s := range states {
			children[i] = ChildEnd{s, fmt.Sprintf("node-%02d", i)}
			count[s]++
			if s.Live() {
				live++
			}
		}
		end, over := EndFamily(children, cancelled, ReasonRequested, "nodes")
		if over != (live == 0) {
			t.Fatalf("over %v with %d live", over, live)
		}
		shuffled := rapid.Permutation(children).Draw(t, "shuffled")
		if again, _ := EndFamily(shuffled, cancelled, ReasonRequested, "nodes"); again != end {
			t.Fatalf("another order: %+v, not %+v", again, end)
		}
		if !over {
			return
		}
		if _, legal := Next(TaskRunning, end.Event); !legal {
			t.Fatalf("%s is not legal", end.Event)
		}
		failed := count[TaskFailed] + count[TaskDiscarded]
		switch {
		case count[TaskSucceeded] == len(states):
			if end.Event != EventSucceed {
				t.Fatalf("all succeeded: %+v", end)
			}
		case cancelled:
			if end.Event != EventCancel {
				t.Fatalf("cancelled: %+v", end)
			}
		case failed > 0:
			if end.Event != EventFail || !strings.HasPrefix(end.Error, fmt.Sprintf("%d of %d nodes failed: ", failed, len(states))) {
				t.Fatalf("%d failed: %+v", failed, end)
			}
		default:
			if end.Event != EventCancel {
				t.Fatalf("some cancelled: %+v", end)
			}
		}
	})
}

// The ids of a parent's children lie between their bounds in order of shard from the
// highest down, with nothing else between them.
func TestChildIDs(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 3, 8, 7, 30, 0, 0, time.UTC)
	parent := NewID(at)
	low, high := ChildIDs(parent)
	var ids []string
	for shard := range 2000 {
		id := ChildID(parent, shard)
		if id != ChildID(parent, shard) || len(id) != 26 || id < low || id > high || !IDTime(id).Equal(at) {
			t.Fatalf("shard %d: %s is not within %s and %s, or not of %s", shard, id, low, high, at)
		}
		ids = append(ids, id)
	}
	if !sort.IsSorted(sort.Reverse(sort.StringSlice(ids))) {
		t.Error("the ids do not fall with the shard")
	}
	for range 1000 {
		other := NewID(at)
		if other >= low && other <= high {
			t.Errorf("%s lies between the children of %s", other, parent)
		}
		if l, h := ChildIDs(other); l <= high && h >= low {
			t.Errorf("the children of %s and %s mix", other, parent)
		}
	}
}
