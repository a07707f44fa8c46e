package schedule

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
	"unicode/utf8"
)

// watchdog ends the process with the input in the message if one step takes
// far longer than any may: the fuzzer itself would wait for ever.
func watchdog(what ...any) *time.Timer {
	return time.AfterFunc(5*time.Second, func() { panic("hangs: " + fmt.Sprintf("%q", what)) })
}

// oddities are inputs on which other parsers panicked, hung or overflowed.
var oddities = []string{
	"? 31-15 * * * *", "* 55,20 * ? 11-5/6 friL", "59-14/2 4-43 */13 16-27/24 * ?", "* * * * 2,4294967296 L", "4294967296-9 * ? ? * 1,4",
	"55 ? 8 * *", "* ? */12 3,8 2#0", "H(0-5)/32 * * * *", "H(22-2)/3 * * * * ?", "0 0 0 L-0W,LW,1W,31W * ? 1970/7", "@", "@every 1s", "TZ=", "CRON_TZ=UTC",
}

func FuzzParse(f *testing.F) {
	for _, v := range readVectors(f) {
		f.Add(v.Expr, "seed")
	}
	for _, text := range oddities {
		f.Add(text, "")
	}
	berlin := mustZone(f, "Europe/Berlin")
	f.Fuzz(func(t *testing.T, text, seed string) {
		defer watchdog(text, seed).Stop()
		cron, err := ParseCron(text, seed)
		if err != nil {
			var e *ParseError
			if !errors.As(err, &e) || e.Message == "" || e.Position < 1 || e.Position > utf8.RuneCountInString(text)+1 {
				t.Fatalf("%q: %#v", text, err)
			}
			return
		}
		checkReparse(t, cron)
		checkWords(t, cron, berlin, time.Unix(1_770_000_000, 0))
		if _, ok := cron.Next(time.Time{}, nil); ok == cron.Never() && ok {
			t.Fatalf("%q never fires, but does", text)
		}
	})
}

func FuzzNext(f *testing.F) {
	for n, v := range readVectors(f) {
		f.Add(v.Expr, n, int64(1_770_000_000+n*86_400))
	}
	for n, text := range oddities {
		f.Add(text, n, int64(2_240_000_000+n*100_000))
	}
	f.Fuzz(func(t *testing.T, text string, place int, unix int64) {
		cron, err := ParseCron(text, "seed")
		if err != nil {
			return
		}
		zone := mustZone(t, oddHours[max(place, -place-1)%len(oddHours)].zone)
		defer watchdog(text, zone, unix).Stop()
		at := time.Unix(unix%400_000_000_000, 0)
		var fires []time.Time
		for range 20 {
			next, ok := cron.Next(at, zone)
			if !ok {
				break
			}
			if !next.After(at) || next.Location() != time.UTC || next.Year() > lastYear+1 {
				t.Fatalf("%q in %s after %s: %s", text, zone, at, next)
			}
			checkLocal(t, cron, zone, next)
			fires, at = append(fires, next), next
		}
		checkMemory(t, text, zone, time.Unix(unix%400_000_000_000, 0), fires)
	})
}

// checkLocal asserts that a fire's local time matches, unless it makes up for
// a gap that ends there.
func checkLocal(t *testing.T, cron *Cron, zone *time.Location, fire time.Time) {
	t.Helper()
	offset, _ := offsetAt(zone, fire.Unix())
	wall := fire.Unix() + offset
	if match, ok := cron.wallFrom(wall); ok && match == wall {
		return
	}
	before, _ := offsetAt(zone, fire.Unix()-1)
	gap := before < offset && !cron.interval
	if match, ok := cron.wallFrom(fire.Unix() + before); !gap || !ok || match >= wall {
		t.Fatalf("%q in %s fires at %s", cron, zone, fire)
	}
}

// checkMemory asserts that the answers do not depend on what was asked before.
func checkMemory(t *testing.T, text string, zone *time.Location, at time.Time, fires []time.Time) {
	t.Helper()
	for _, want := range fires {
		fresh := mustCron(t, text)
		if next, ok := fresh.Next(at, zone); !ok || !next.Equal(want) {
			t.Fatalf("%q in %s after %s: %s on its own, %s in a sequence", text, zone, at, next, want)
		}
		at = want
	}
}

func FuzzLoadZone(f *testing.F) {
	for _, name := range []string{
		"", "UTC", "utc", "Local", "localtime", "Europe/Berlin", "europe/berlin", "Asia/Beijing", "../../etc/passwd", "/etc/localtime", "Mars/Olympus",
		"UTC+8", "GMT-0", "PST8PDT", "EST5EDT", "posix/UTC", "right/UTC", "posixrules", "Etc/GMT+5", "America/Argentina/Buenos_Aires", "zone.tab", "a\x00b",
	} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		zone, err := LoadZone(name)
		if err == nil {
			if again, _ := LoadZone(name); again != zone {
				t.Fatalf("%q is loaded twice", name)
			}
			return
		}
		var e *ZoneError
		if !errors.As(err, &e) || zone != nil || e.Name != name || len(e.Message) > 1000 {
			t.Fatalf("%q: %v, %v", name, zone, err)
		}
	})
}

func FuzzPlan(f *testing.F) {
	f.Add("* * * * *", int64(0), int64(6300), int64(60), int64(10), 20, 5, 0)
	f.Add("0 0 29 2 *", int64(4), int64(1<<40), int64(0), int64(-1), 1, 0, 2)
	f.Add("", int64(1000), int64(1<<30), int64(1<<20), int64(1), 1000, 1, 1)
	policies := []Policy{PolicySkip, PolicyFireOnce, PolicyFireAll, ""}
	f.Fuzz(func(t *testing.T, expression string, every, outage, ahead, grace int64, limit, bound, policy int) {
		spec := Spec{Kind: KindFixedRate, Every: time.Duration(every) * time.Millisecond}
		if expression != "" {
			spec = Spec{Kind: KindCron, Expression: expression, Zone: "America/New_York"}
		}
		trigger, err := Compile(spec, "")
		if err != nil {
			return
		}
		const years = int64(100 * 365 * daySeconds)
		now := time.Unix(1_770_000_000, 0)
		next, ok := trigger.Next(now.Add(-time.Duration(outage%years) * time.Second))
		if !ok {
			return
		}
		defer watchdog(expression, every, outage, limit).Stop()
		in := PlanInput{
			Trigger: trigger, Next: next, Now: now, Horizon: now.Add(time.Duration(ahead%3600) * time.Second), MaxFires: bound % 2_000,
			Misfire: Misfire{Policy: policies[uint(policy)%uint(len(policies))], Grace: time.Duration(grace%7200) * time.Second, Limit: limit},
		}
		checkPlan(t, in, Plan(in))
	})
}

// checkPlan asserts what must hold for any decision.
func checkPlan(t *testing.T, in PlanInput, got PlanResult) {
	t.Helper()
	last := in.Next.Add(-1)
	for _, m := range got.Missed {
		if !m.First.After(last) || m.Last.Before(m.First) || m.Count < 1 || (m.Count == 1) != m.First.Equal(m.Last) {
			t.Fatalf("missed %+v after %s", m, last)
		}
		last = m.Last
	}
	for _, fire := range got.Fires {
		if !fire.At.After(last) || fire.At.After(later(in.Now, in.Horizon)) {
			t.Fatalf("fire %+v after %s", fire, last)
		}
		last = fire.At
	}
	if !got.Next.IsZero() && !got.Next.After(last) || len(got.Fires) > max(in.MaxFires, DefaultMaxFires) {
		t.Fatalf("next %s after %s, %d fires", got.Next, last, len(got.Fires))
	}
}

// TestNeverIsFast: asking a schedule that never fires again costs little, also
// where only the zone makes it so.
func TestNeverIsFast(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ expression, zone string }{
		{"0 0 30 2 *", "UTC"},
		{"0 0 0 1 1 ? 2020", "America/New_York"},
		{"0 * 2 ? 3 1#2", "America/New_York"},
		{"0 * 2 ? 3 1#2", "Africa/Casablanca"},
	} {
		tries := 0
		fast := slices.ContainsFunc(make([]int, 5), func(int) bool {
			tries++
			cron, zone := mustCron(t, test.expression), mustZone(t, test.zone)
			alarm := time.AfterFunc(50*time.Millisecond, func() {})
			cron.Next(instant(t, "2026-01-01T00:00:00Z"), zone)
			return alarm.Stop()
		})
		if !fast {
			t.Errorf("%q in %s takes more than 50 ms in %d tries", test.expression, test.zone, tries)
		}
	}
}
