package schedule

import (
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// oddHours are instants around which clocks do something: changes of every
// size and direction, at midnight, twice a year and four times, a day left
// out, a day had twice, and the day on which Go's zone bounds are wrong.
var oddHours = []struct{ zone, at string }{
	{"UTC", "2026-03-01T00:00:00Z"},
	{"America/New_York", "2026-03-08T07:00:00Z"},
	{"America/New_York", "2026-11-01T06:00:00Z"},
	{"America/New_York", "2040-12-31T12:00:00Z"},
	{"America/New_York", "2061-03-13T07:00:00Z"},
	{"Australia/Lord_Howe", "2026-04-04T15:00:00Z"},
	{"Australia/Lord_Howe", "2026-10-03T15:30:00Z"},
	{"Australia/Lord_Howe", "2044-12-31T06:00:00Z"},
	{"America/Santiago", "2022-09-11T04:00:00Z"},
	{"America/Santiago", "2022-04-03T03:00:00Z"},
	{"America/Sao_Paulo", "2018-11-04T03:00:00Z"},
	{"America/Sao_Paulo", "2018-02-18T02:00:00Z"},
	{"Pacific/Apia", "2011-12-30T10:00:00Z"},
	{"Pacific/Apia", "2011-04-02T14:00:00Z"},
	{"Antarctica/Troll", "2025-03-30T01:00:00Z"},
	{"Antarctica/Troll", "2025-10-26T01:00:00Z"},
	{"Africa/Casablanca", "2024-03-10T02:00:00Z"},
	{"Africa/Casablanca", "2024-04-14T02:00:00Z"},
	{"Africa/Cairo", "2025-04-24T22:00:00Z"},
	{"Africa/Cairo", "2025-10-30T21:00:00Z"},
	{"Europe/Berlin", "2026-03-29T01:00:00Z"},
	{"Europe/Berlin", "2026-10-25T01:00:00Z"},
	{"Europe/Dublin", "2026-10-25T01:00:00Z"},
	{"Asia/Pyongyang", "2018-05-04T15:00:00Z"},
	{"America/Caracas", "2016-05-01T07:00:00Z"},
	{"America/Nuuk", "2023-03-26T01:00:00Z"},
	{"Pacific/Kwajalein", "1993-08-21T12:00:00Z"},
	{"Pacific/Kwajalein", "1969-09-30T13:00:00Z"},
	{"America/Juneau", "1867-10-18T23:30:00Z"},
}

// pace is how a walk goes: its step and how much real time it covers.
type pace struct {
	step          time.Duration
	lead          time.Duration // walked first, to know which times have been shown
	before, after time.Duration // compared, around the instant
}

var (
	byMinute = pace{time.Minute, 60 * time.Hour, 30 * time.Hour, 54 * time.Hour}
	bySecond = pace{time.Second, 27 * time.Hour, 3 * time.Hour, 3 * time.Hour}
)

// tick is one moment of a walk and what the zone's clocks show at it, as the
// same digits in UTC.
type tick struct{ at, wall time.Time }

var walks sync.Map // the by-minute walks, by place

// walk lists the ticks around oddHours[place].
func walk(t *rapid.T, place int, p pace) []tick {
	if ticks, ok := walks.Load(place); ok && p == byMinute {
		return ticks.([]tick)
	}
	centre, err := time.Parse(time.RFC3339, oddHours[place].at)
	if err != nil {
		t.Fatal(err)
	}
	zone, err := time.LoadLocation(oddHours[place].zone)
	if err != nil {
		t.Fatal(err)
	}
	var ticks []tick
	for at := centre.Add(-p.before - p.lead); at.Before(centre.Add(p.after)); at = at.Add(p.step) {
		local := at.In(zone)
		year, month, day := local.Date()
		hour, minute, second := local.Clock()
		ticks = append(ticks, tick{at, time.Date(year, month, day, hour, minute, second, 0, time.UTC)})
	}
	if p == byMinute {
		walks.Store(place, ticks)
	}
	return ticks
}

// walkFires finds the fires after start by R8 to R11.
func walkFires(d drawnCron, ticks []tick, step time.Duration, start time.Time) []string {
	var fires []string
	shown := map[int64]bool{}
	for n, now := range ticks {
		fire := false
		if d.interval {
			fire = d.matches(now.wall)
		} else {
			// Local times left out since the last tick count now, at the end of the gap.
			if n > 0 {
				for w := ticks[n-1].wall.Add(step); w.Before(now.wall); w = w.Add(step) {
					fire = fire || !shown[w.Unix()] && d.matches(w)
					shown[w.Unix()] = true
				}
			}
			fire = fire || !shown[now.wall.Unix()] && d.matches(now.wall)
			shown[now.wall.Unix()] = true
		}
		if fire && now.at.After(start) {
			fires = append(fires, now.at.Format(time.RFC3339))
		}
	}
	return fires
}

// TestZonesAgainstWalk compares random expressions with a walk through real
// time around clock changes.
func TestZonesAgainstWalk(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		place := rapid.IntRange(0, len(oddHours)-1).Draw(t, "place")
		d := drawCron(t, 1)
		p := byMinute
		if d.second.text != "0" || oddHours[place].zone == "America/Juneau" {
			p = bySecond
		}
		ticks := walk(t, place, p)
		last := ticks[len(ticks)-1].at
		start := last.Add(-time.Duration(rapid.IntRange(0, int((p.before+p.after).Seconds())).Draw(t, "before end")) * time.Second)
		want := walkFires(d, ticks, p.step, start)

		cron, err := ParseCron(d.text, "")
		if err != nil {
			t.Fatalf("%q: %v", d.text, err)
		}
		zone, err := LoadZone(oddHours[place].zone)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for at := start; ; {
			next, ok := cron.Next(at, zone)
			if !ok || next.After(last) {
				break
			}
			if !next.After(at) {
				t.Fatalf("%q: %s is not after %s", d.text, next, at)
			}
			got = append(got, next.Format(time.RFC3339))
			at = next
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q in %s after %s: -want +got:\n%s", d.text, zone, start, diff)
		}
	})
}
