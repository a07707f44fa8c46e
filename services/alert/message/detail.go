package message

import (
	"strconv"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// details are the sentences about what is special about a problem. %r is how long a run
// has been running, %b a bound, %u what is usual, %l how late it is, %n how many there
// are, %d a bound of that, %t an instant, %w why.
type details struct {
	overBound, overUsual, late, lateLine, missed, unfinished, backlog, silent string

	atLeast string            // with %n
	reasons map[string]string // by reason code
}

// Describe fills in what is special about each problem of a message, in English: for
// receivers that read data and no text.
func Describe(m *models.Message) {
	d := newData(m, &Options{Language: English})
	m.Problems = d.message.Problems
}

// described answers the problems with what is special about them in the language. What
// cannot be said in it stays as it is.
func (d *data) described(problems []models.Problem) []models.Problem {
	all := make([]models.Problem, len(problems))
	for i, p := range problems {
		p.Detail = or(d.detail(&p), p.Detail)
		all[i] = p
	}
	return all
}

// detail is one sentence, or none.
func (d *data) detail(p *models.Problem) string {
	w, about := &d.words.details, &p.About
	switch p.Event { //nolint:exhaustive // the others have a reason at most
	case models.AlertRunTooLong:
		if about.P95MS > 0 {
			return d.fill(w.overUsual, about)
		}
		return d.fill(w.overBound, about)
	case models.AlertFireLate:
		if about.Count > 0 {
			return d.fill(w.lateLine, about)
		}
		return d.fill(w.late, about)
	case models.AlertFireMissed:
		return d.fill(w.missed, about)
	case models.AlertNotFinishedBy:
		return d.fill(w.unfinished, about)
	case models.AlertQueueBacklog:
		return d.fill(w.backlog, about)
	case models.AlertServerLost:
		return d.fill(w.silent, about)
	}
	if len(about.Sentences) > 0 {
		return strings.Join(about.Sentences, " ")
	}
	return w.reasons[about.Reason]
}

// fill puts the facts into a sentence; it answers none while a fact is missing.
func (d *data) fill(sentence string, about *models.AlertDetail) string {
	facts := map[string]string{
		"%r": d.length(about.RunningMS), "%b": d.length(about.BoundMS), "%u": d.length(about.P95MS), "%l": d.length(about.LateMS),
		"%n": d.count(about), "%w": d.words.details.reasons[about.Reason],
	}
	if about.Depth > 0 {
		facts["%d"] = strconv.FormatInt(about.Depth, 10)
	}
	if about.Until != nil {
		facts["%t"] = about.Until.In(d.zone).Format("2006-01-02 15:04 MST")
	}
	var out []string
	for part := range strings.SplitSeq(sentence, "|") { // parts are left out alone
		for mark, fact := range facts {
			if fact != "" {
				part = strings.ReplaceAll(part, mark, fact)
			}
		}
		if !strings.Contains(part, "%") {
			out = append(out, part)
		}
	}
	return strings.TrimSpace(strings.Join(out, ""))
}

func (d *data) length(ms int64) string {
	if ms <= 0 {
		return ""
	}
	return d.words.duration(time.Duration(ms) * time.Millisecond)
}

func (d *data) count(about *models.AlertDetail) string {
	if about.Count <= 0 {
		return ""
	}
	n := strconv.FormatInt(about.Count, 10)
	if about.AtLeast {
		return strings.Replace(d.words.details.atLeast, "%n", n, 1)
	}
	return n
}
