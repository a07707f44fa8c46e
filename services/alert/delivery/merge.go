package delivery

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/message"
)

const (
	mergeAbove = 10          // messages that wait and are told as one after a failure
	mergeAfter = time.Minute // or when the first of so many has waited so long
	mergeMost  = 500         // messages merged at once
)

// mergeable says whether a message may be told within a summary.
func mergeable(k models.MessageKind) bool {
	switch k {
	case models.MessageProblem, models.MessageDigest, models.MessageEscalation, models.MessageRecovery, models.MessageFlapping:
		return true
	default:
		return false
	}
}

// toMerge chooses what is told as one: when a channel works again after a failure, or is
// behind, people get one summary and not everything that has piled up.
func toMerge(due []models.Notification, c *models.AlertChannel, now time.Time) []models.Notification {
	var some []models.Notification
	for _, n := range due {
		if mergeable(n.Kind) {
			some = append(some, n)
		}
	}
	if len(some) <= mergeAbove {
		return nil
	}
	if c.LastError == "" && now.Sub(some[0].QueuedAt) < mergeAfter {
		return nil
	}
	return some
}

// merge makes one notification of several, in the order in which they were written. The
// latest word about an incident counts.
func merge(some []models.Notification, c *models.AlertChannel, now time.Time) (models.Notification, error) {
	slices.SortFunc(some, func(a, b models.Notification) int { return cmp.Compare(a.ID, b.ID) })
	first, last := &some[0], &some[len(some)-1]
	out := models.Notification{
		ID: models.NewID(now), ChannelID: c.ID, RuleID: first.RuleID, Kind: models.MessageDigest, GroupKey: last.GroupKey,
		CreatedAt: now, QueuedAt: last.QueuedAt, NextAt: now,
	}
	m := models.Message{ID: out.ID, Kind: out.Kind, At: now}
	byIncident := map[string]models.Problem{}
	incidents := map[string]bool{}
	told := 0
	people := map[string]models.Contact{}
	for i := range some {
		n := &some[i]
		var one models.Message
		if err := json.Unmarshal(n.Message, &one); err != nil {
			return out, fmt.Errorf("reading notification %s: %w", n.ID, err)
		}
		m.Zone, m.RuleID, m.RuleName = one.Zone, one.RuleID, one.RuleName
		m.Suppressed += one.Suppressed
		m.Severity = max(m.Severity, one.Severity)
		told = max(told, one.Total)
		for _, p := range one.Problems {
			byIncident[p.IncidentID] = p
			incidents[p.IncidentID] = true
		}
		for _, id := range n.IncidentIDs {
			incidents[id] = true
		}
		for _, c := range one.Mentions {
			people[c.UserID+c.Name] = c
		}
		if n.RuleID == nil || out.RuleID != nil && *n.RuleID != *out.RuleID {
			out.RuleID = nil
		}
	}
	if out.RuleID == nil {
		m.RuleID, m.RuleName = "", ""
	}
	for id := range incidents {
		out.IncidentIDs = append(out.IncidentIDs, id)
	}
	slices.Sort(out.IncidentIDs)
	for _, p := range byIncident {
		m.Problems = append(m.Problems, p)
	}
	slices.SortFunc(m.Problems, worstFirst)
	m.Total = max(told, len(incidents))
	m.Problems = m.Problems[:min(len(m.Problems), models.MaxMessageProblems)]
	for _, key := range slices.Sorted(maps.Keys(people)) {
		m.Mentions = append(m.Mentions, people[key])
	}
	m.Note = message.MergedNote(c.Language, len(some), first.CreatedAt, last.CreatedAt, m.Zone)
	out.Severity, out.Problems = m.Severity, m.Total
	raw, err := json.Marshal(m)
	out.Message = raw
	return out, err
}

// worstFirst puts open problems before those that are over, then the worse, then the later.
func worstFirst(a, b models.Problem) int {
	over := func(p models.Problem) int {
		if p.ResolvedAt != nil {
			return 1
		}
		return 0
	}
	return cmp.Or(cmp.Compare(over(a), over(b)), cmp.Compare(b.Severity, a.Severity), b.LastAt.Compare(a.LastAt), cmp.Compare(a.IncidentID, b.IncidentID))
}
