package desk

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/belfry-scheduler/belfry/models"
)

// Subject is what an event or incident is about, as far as scopes ask.
type Subject struct {
	AppID, GroupID, JobID string
	Labels                map[string]string // of the job
}

// Covers says whether a scope includes a subject. Servers, Redis and the database belong
// to no app: only ALL includes them.
func Covers(s *models.AlertScope, of *Subject) bool {
	switch s.Kind {
	case models.ScopeAll:
		return true
	case models.ScopeApp:
		return of.AppID != "" && s.AppID == of.AppID
	case models.ScopeGroup:
		return of.GroupID != "" && s.GroupID == of.GroupID
	case models.ScopeJob:
		return of.JobID != "" && s.JobID == of.JobID
	case models.ScopeLabels:
		if of.JobID == "" {
			return false
		}
		for key, value := range s.Labels {
			if of.Labels[key] != value {
				return false
			}
		}
		return len(s.Labels) > 0
	}
	return false
}

// family is the kind that stands for all kinds of events that are one problem: a job that
// fails, however it does.
func family(k models.AlertEventKind) models.AlertEventKind {
	if k.EndsWithRecovery() && k != models.AlertFireMissed {
		return models.AlertAttemptFailed
	}
	return k
}

// Fingerprint tells a problem from others: by the rule, the family of the kind and what
// it is about.
func Fingerprint(ruleID string, k models.AlertEventKind, subject string) string {
	sum := sha256.Sum256([]byte(ruleID + "\x00" + family(k).String() + "\x00" + subject))
	return hex.EncodeToString(sum[:])
}

// Wants says which conditions of a rule an event may meet, by their position; thresholds
// are for the caller to look up.
func (r *Rule) Wants(e *models.AlertEvent, of *Subject) []int {
	if !r.Enabled || e.RuleID != nil && *e.RuleID != r.ID || !Covers(&r.Spec.Scope, of) {
		return nil
	}
	var met []int
	for i := range r.Spec.Conditions {
		if r.Spec.Conditions[i].Event == e.Kind {
			met = append(met, i)
		}
	}
	return met
}

// Ends answers the fingerprints of the problems by a rule that are over with an event.
func (r *Rule) Ends(e *models.AlertEvent) []string {
	if e.RuleID != nil && *e.RuleID != r.ID {
		return nil
	}
	var over []string
	seen := map[models.AlertEventKind]bool{}
	for i := range r.Spec.Conditions {
		k := r.Spec.Conditions[i].Event
		ends := e.Kind == models.AlertRecovered && k.EndsWithRecovery() || e.Cleared && k == e.Kind
		if ends && !seen[family(k)] {
			seen[family(k)] = true
			over = append(over, Fingerprint(r.ID, k, e.Subject))
		}
	}
	return over
}

// Keeps says whether an open incident is still one by a rule as it is now. Labels are not
// looked at: they belong to the job.
func Keeps(r *models.AlertRule, i *models.Incident) bool {
	of := Subject{AppID: deref(i.AppID), GroupID: deref(i.GroupID), JobID: deref(i.JobID), Labels: r.Spec.Scope.Labels}
	if !r.Enabled || !Covers(&r.Spec.Scope, &of) {
		return false
	}
	for k := range r.Spec.Conditions {
		if family(r.Spec.Conditions[k].Event) == family(i.Event) {
			return true
		}
	}
	return false
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
