package imports

import (
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/services/jobfile"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// firesOf are the next n fires of a trigger after an instant.
func firesOf(t *testing.T, trigger jobfile.Trigger, after string, n int) string {
	t.Helper()
	at, err := time.Parse(time.RFC3339, after)
	if err != nil {
		t.Fatal(err)
	}
	var spec schedule.Spec
	instant := func(text string) time.Time {
		if text == "" {
			return time.Time{}
		}
		v, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	switch {
	case trigger.Cron != nil:
		c := trigger.Cron
		spec = schedule.Spec{Kind: schedule.KindCron, Expression: c.Expression, Zone: c.Zone, StartAt: instant(c.StartAt), EndAt: instant(c.EndAt)}
	case trigger.FixedRate != nil:
		every, err := time.ParseDuration(trigger.FixedRate.Every)
		if err != nil {
			t.Fatal(err)
		}
		spec = schedule.Spec{Kind: schedule.KindFixedRate, Every: every, StartAt: instant(trigger.FixedRate.StartAt)}
	default:
		return ""
	}
	compiled, err := schedule.Compile(spec, "seed")
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, fire := range compiled.Preview(at, n) {
		all = append(all, fire.Format("01-02T15:04:05"))
	}
	return strings.Join(all, " ")
}

// lostText are the notes of what could not be carried.
func lostText(r Result) string {
	var b strings.Builder
	for _, n := range r.Notes {
		if n.Level == Lost {
			b.WriteString(n.Name + ": " + n.Text + "\n")
		}
	}
	return b.String()
}
