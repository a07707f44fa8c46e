package dispatch

import (
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// How long a line lasts follows from its last seconds.
func TestOutlook(t *testing.T) {
	t.Parallel()
	rate := 100
	steady := func(seconds int, due, begun, come int64) []sample {
		var all []sample
		for i := range int64(seconds + 1) {
			all = append(all, sample{at: noon.Add(time.Duration(i) * time.Second), due: due + i*(come-begun), total: i * begun})
		}
		return all
	}
	for name, tt := range map[string]struct {
		samples []sample
		limit   models.GroupLimit
		rate    *int
		want    time.Duration // -1: cannot be said
		note    string
	}{
		"nothing waits":              {steady(3, 0, 10, 10), 0, nil, 0, ""},
		"no node":                    {steady(9, 50, 0, 0), models.LimitNoNodes, nil, -1, "No node is online"},
		"a burst within a rate":      {steady(0, 1000, 0, 0), models.LimitReleaseRate, &rate, 10 * time.Second, ""},
		"a burst without a rate":     {steady(1, 1000, 5, 0), models.LimitSlots, nil, -1, "too early"},
		"at its pace":                {steady(4, 1000, 50, 0), models.LimitSlots, nil, 16 * time.Second, ""},
		"slower than its rate":       {steady(4, 1000, 50, 0), models.LimitReleaseRate, &rate, 16 * time.Second, ""},
		"it shrinks though more com": {steady(10, 1000, 50, 40), models.LimitSlots, nil, 18 * time.Second, ""},
		"it does not shrink":         {steady(10, 1000, 50, 50), models.LimitSlots, nil, -1, "about 50 a second"},
		"it grows":                   {steady(10, 1000, 50, 90), models.LimitSlots, nil, -1, "does not get shorter"},
		"it stands":                  {steady(10, 1000, 0, 0), models.LimitJobs, nil, -1, "within the last 10s"},
		"it has only begun to grow":  {steady(3, 1000, 50, 90), models.LimitSlots, nil, 22400 * time.Millisecond, ""},
	} {
		var l line
		for _, s := range tt.samples {
			l.add(s)
		}
		in, note := l.outlook(tt.limit, tt.rate)
		got := time.Duration(-1)
		if in != nil {
			got = *in
		}
		if got != tt.want || !strings.Contains(note, tt.note) || (note == "") != (in != nil) {
			t.Errorf("%s: %s (%q), want %s (%q)", name, got, note, tt.want, tt.note)
		}
	}
}

// What is kept of a line is bounded by its window, and begins anew with a new line.
func TestALineForgets(t *testing.T) {
	t.Parallel()
	var l line
	for i := range 100 {
		l.add(sample{at: noon.Add(time.Duration(i) * time.Second), due: 5, total: int64(i)})
	}
	if n := len(l.samples); n > 12 {
		t.Errorf("%d samples are kept", n)
	}
	l.add(sample{at: noon.Add(100 * time.Second), due: 0, total: 100})
	l.add(sample{at: noon.Add(101 * time.Second), due: 9, total: 100})
	if in, note := l.outlook(models.LimitSlots, nil); in != nil || !strings.Contains(note, "too early") {
		t.Errorf("the new line is judged by the old one: %v, %q", in, note)
	}
}
