package models

import (
	"fmt"
	"slices"
	"strings"
)

// A task that is spread over several is their parent: it runs while they do and ends with
// the last of them. See ARCHITECTURE.md, "Families".

// Spread says whether the task is or was the parent of others.
func (t *Task) Spread() bool { return t.Shards != nil && t.ParentID == nil }

// Child says whether the task is a part of another.
func (t *Task) Child() bool { return t.ParentID != nil }

// ChildEnd is a child as far as its parent's end depends on it.
type ChildEnd struct {
	State TaskState
	Name  string // what people call it: its node, or its shard's number
}

// FamilyEnd is what the children's ends come to for their parent.
type FamilyEnd struct {
	Event  Event // SUCCEED, FAIL or CANCEL
	Reason string
	Error  string
}

// namesSaid bounds how many children an error names.
const namesSaid = 10

// EndFamily decides, once no child is live, how the parent ends; over is false while one
// is. Cancelled says that people or a policy asked to cancel the parent, with reason. One
// child that failed makes it fail; otherwise one that was cancelled makes it cancelled.
// Kind is what the children are called in a sentence: nodes or shards.
func EndFamily(children []ChildEnd, cancelled bool, reason, kind string) (end FamilyEnd, over bool) {
	var failed, gone []string
	for _, c := range children {
		switch {
		case c.State.Live():
			return FamilyEnd{}, false
		case c.State == TaskFailed || c.State == TaskDiscarded:
			failed = append(failed, c.Name)
		case c.State != TaskSucceeded:
			gone = append(gone, c.Name)
		}
	}
	switch {
	case len(failed)+len(gone) == 0:
		return FamilyEnd{Event: EventSucceed}, true // a wish to cancel came too late
	case cancelled:
		return FamilyEnd{Event: EventCancel, Reason: reason}, true
	case len(failed) == 0:
		return FamilyEnd{Event: EventCancel, Reason: ReasonRequested, Error: someOf(gone, len(children), kind, "were cancelled")}, true
	}
	return FamilyEnd{Event: EventFail, Reason: ReasonChildrenFailed, Error: someOf(failed, len(children), kind, "failed")}, true
}

// someOf says which of how many: "2 of 5 nodes failed: a, b".
func someOf(names []string, of int, kind, what string) string {
	slices.Sort(names)
	rest := ""
	if n := len(names) - namesSaid; n > 0 {
		rest = fmt.Sprintf(" and %d more", n)
	}
	return fmt.Sprintf("%d of %d %s %s: %s%s", len(names), of, kind, what, strings.Join(names[:min(len(names), namesSaid)], ", "), rest)
}
