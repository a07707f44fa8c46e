package alert

import (
	"fmt"

	"github.com/belfry-scheduler/belfry/models"
)

var phrases = map[models.AlertEventKind]string{
	models.AlertAttemptFailed:    "an attempt failed",
	models.AlertRetriesExhausted: "failed, and no try is left",
	models.AlertTimedOut:         "ran into its time limit",
	models.AlertLost:             "its node was lost",
	models.AlertPoison:           "its process dies again and again",
	models.AlertParked:           "was put into the failed queue without an attempt",
	models.AlertFireMissed:       "fires were missed",
	models.AlertFireLate:         "starts late",
	models.AlertScheduleStopped:  "does not fire any more",
	models.AlertRunTooLong:       "runs too long",
	models.AlertNotFinishedBy:    "has not finished in time",
	models.AlertNodeOffline:      "is offline",
	models.AlertGroupEmpty:       "has no node",
	models.AlertQueueBacklog:     "has a backlog",
	models.AlertServerLost:       "is not heard of",
	models.AlertRedisDegraded:    "does without Redis",
	models.AlertDatabaseDegraded: "has trouble with the database",
}

// title names a problem: what it is about, and what is wrong.
func (n *names) title(e *models.AlertEvent) string {
	d := e.Details()
	what := e.Subject
	switch {
	case e.JobID != nil:
		what = n.path(e.AppID, n.jobName(*e.JobID))
	case e.NodeID != nil:
		what = n.path(e.AppID, "node "+orElse(d.Node, *e.NodeID))
	case e.GroupID != nil:
		name := *e.GroupID
		if g := n.groups[name]; g != nil {
			name = g.Name
		}
		what = n.path(e.AppID, "group "+name)
	case e.ServerID != nil:
		what = "server " + orElse(d.Server, *e.ServerID)
	}
	return what + ": " + phrases[e.Kind]
}

func (n *names) jobName(id string) string {
	if j := n.jobs[id]; j != nil {
		return j.Name
	}
	return id
}

func (n *names) path(app *string, name string) string {
	if app != nil && n.apps[*app] != nil {
		return n.apps[*app].Name + "/" + name
	}
	return name
}

func orElse(s, otherwise string) string {
	if s == "" {
		return otherwise
	}
	return s
}

// words tells an event in a line of the timeline.
func words(e *models.AlertEvent) string {
	d := e.Details()
	text := upper(phrases[e.Kind])
	switch {
	case e.Attempt > 0 && d.MaxAttempts > 0:
		text += fmt.Sprintf(" (try %d of %d)", d.Tries, d.MaxAttempts)
	case d.RunningMS > 0:
		text += " (" + silent(d.RunningMS) + ")"
	case d.LateMS > 0:
		text += " (" + silent(d.LateMS) + ")"
	case d.Count > 0:
		text += fmt.Sprintf(" (%d)", d.Count)
	}
	if d.Node != "" {
		text += " on " + d.Node
	}
	if e.Error != "" {
		return text + ": " + e.Error
	}
	return text + "."
}

func upper(s string) string {
	if s == "" {
		return s
	}
	return string(s[0]-'a'+'A') + s[1:]
}
