package schedule

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// calendarOracle finds the fires of a trigger with a calendar by walking every
// minute of a stretch of time and every local time that the expression names.
type calendarOracle struct {
	cron  *Cron
	zone  *time.Location
	spec  CalendarSpec
	rule  RestRule
	from  int64   // first instant walked, a whole minute
	shown []int64 // local time at each minute from there on
	peaks []int64 // latest local time shown up to each minute
	skip  []bool  // whether a window skips each minute
	open  []int   // the first minute from each on that no window delays
}

const oracleDays = 45

func newCalendarOracle(cron *Cron, zone *time.Location, spec CalendarSpec, rule RestRule, from int64) *calendarOracle {
	o := &calendarOracle{cron: cron, zone: zone, spec: spec, rule: rule, from: from}
	for i := range int64(oracleDays * dayMinutes) {
		at := time.Unix(from+i*60, 0).In(zone)
		_, offset := at.Zone()
		wall := at.Unix() + int64(offset)
		o.shown = append(o.shown, wall)
		if i > 0 {
			wall = max(wall, o.peaks[i-1])
		}
		o.peaks = append(o.peaks, wall)
		o.skip = append(o.skip, o.within(at, QuietSkip))
	}
	o.open = make([]int, len(o.shown))
	for i := len(o.shown) - 1; i >= 0; i-- {
		switch at := time.Unix(from+int64(i)*60, 0).In(zone); {
		case !o.within(at, QuietDelay):
			o.open[i] = i
		case i+1 < len(o.shown):
			o.open[i] = o.open[i+1]
		default:
			o.open[i] = len(o.shown) // outside of what is walked
		}
	}
	return o
}

func (o *calendarOracle) works(date int64) bool {
	text := time.Unix(date*daySeconds, 0).UTC().Format(time.DateOnly)
	for _, day := range o.spec.Days {
		if day.Date == text {
			return day.Work
		}
	}
	return !slices.Contains(o.spec.RestDays, time.Unix(date*daySeconds, 0).UTC().Weekday())
}

// target is the date on which what is named for date happens.
func (o *calendarOracle) target(date int64) (int64, bool) {
	if o.works(date) {
		return date, true
	}
	step := map[RestRule]int64{RestNext: 1, RestPrevious: -1}[o.rule]
	if step == 0 {
		return 0, false
	}
	for n := int64(1); n < 4000; n++ {
		if o.works(date + n*step) {
			return date + n*step, true
		}
	}
	return 0, false
}

// first is the first minute at which the clocks show wall or later.
func (o *calendarOracle) first(wall int64) (int64, bool) {
	i, _ := slices.BinarySearch(o.peaks, wall)
	if i == 0 || i == len(o.peaks) {
		return 0, false // outside of what is walked
	}
	return o.from + int64(i)*60, true
}

// within says whether a rule's window covers a local time.
func (o *calendarOracle) within(local time.Time, rule QuietRule) bool {
	minute := local.Hour()*60 + local.Minute()
	for _, w := range o.spec.Quiet {
		begins := func(day time.Weekday) bool { return len(w.Days) == 0 || slices.Contains(w.Days, day) }
		today, before := local.Weekday(), (local.Weekday()+6)%7
		switch {
		case w.Rule != rule:
		case w.From < w.To:
			if begins(today) && minute >= w.From && minute < w.To {
				return true
			}
		case begins(today) && minute >= w.From, begins(before) && minute < w.To:
			return true
		}
	}
	return false
}

// quiet is when a fire due at an instant happens.
func (o *calendarOracle) quiet(at int64) (int64, bool) {
	i := int(at-o.from) / 60
	if i < 0 || i >= len(o.skip) || o.skip[i] || o.open[i] == len(o.open) {
		return 0, false
	}
	to := o.open[i]
	return o.from + int64(to)*60, to == i || !o.skip[to]
}

// named is a local time that the expression names.
type named struct{ at, wall int64 }

// bare lists the fires of the expression without the calendar.
func (o *calendarOracle) bare() []named {
	var list []named
	if o.cron.interval {
		for i, wall := range o.shown {
			if match, ok := o.cron.wallFrom(wall); ok && match == wall {
				list = append(list, named{o.from + int64(i)*60, wall})
			}
		}
		return list
	}
	for wall, ok := o.cron.wallFrom(o.peaks[0]); ok && wall <= o.peaks[len(o.peaks)-1]; wall, ok = o.cron.wallFrom(wall + 1) {
		if at, ok := o.first(wall); ok && (len(list) == 0 || list[len(list)-1].at != at) {
			list = append(list, named{at, wall})
		}
	}
	return list
}

// fires lists all fires in order, each once.
func (o *calendarOracle) fires() []int64 {
	var list []int64
	keep := func(at int64, ok bool) {
		if !ok {
			return
		}
		if at, ok = o.quiet(at); ok {
			list = append(list, at)
		}
	}
	if o.cron.interval {
		for _, n := range o.bare() {
			keep(n.at, o.works(floorDay(n.wall)))
		}
	}
	for wall, ok := o.cron.wallFrom(o.peaks[0]); ok && wall <= o.peaks[len(o.peaks)-1]; wall, ok = o.cron.wallFrom(wall + 1) {
		date := floorDay(wall)
		if o.cron.interval && o.works(date) {
			continue
		}
		if to, ok := o.target(date); ok {
			keep(o.first(wall + (to-date)*daySeconds))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// takenOut counts the bare fires in (after, upTo] that do not happen.
func (o *calendarOracle) takenOut(after, upTo int64) map[Reason]int {
	counts := map[Reason]int{}
	for _, n := range o.bare() {
		if n.at <= after || n.at > upTo {
			continue
		}
		date, at := floorDay(n.wall), n.at
		to, ok := o.target(date)
		if !ok {
			counts[ReasonRestDay]++
			continue
		}
		if to != date {
			if at, ok = o.first(n.wall + (to-date)*daySeconds); !ok {
				continue
			}
		}
		if _, ok = o.quiet(at); !ok {
			counts[ReasonQuiet]++
		}
	}
	return counts
}

// The moments at which something is going on, besides those that are drawn.
var calendarZones = map[string][]string{
	"UTC":                       {"2026-02-20"},
	"Asia/Shanghai":             {"2026-09-25"},
	"Europe/Berlin":             {"2026-03-20", "2026-10-15"},
	"America/New_York":          {"2026-02-25", "2026-10-20"},
	"America/Santiago":          {"2026-03-25", "2026-08-28"},
	"Africa/Cairo":              {"2026-04-14", "2026-10-20"},
	"Australia/Lord_Howe":       {"2026-03-25", "2026-09-25"},
	"Asia/Tehran":               {"2021-03-12", "2021-09-12"},
	"Asia/Beirut":               {"2026-03-20", "2026-10-15"},
	"America/Havana":            {"2026-03-01", "2026-10-25"},
	"Pacific/Apia":              {"2011-12-20"},
	"Pacific/Chatham":           {"2026-03-25", "2026-09-18"},
	"America/Scoresbysund":      {"2024-03-20"},
	"Africa/Casablanca":         {"2026-02-05", "2026-03-12"},
	"Antarctica/Troll":          {"2026-03-20", "2026-10-15"},
	"America/St_Johns":          {"2026-03-01"},
	"Asia/Kathmandu":            {"2026-03-01"},
	"Atlantic/Azores":           {"2026-03-20", "2026-10-15"},
	"America/Argentina/Ushuaia": {"2026-01-01"},
}

func drawWeekdays(t *rapid.T, label string) []time.Weekday {
	var days []time.Weekday
	for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, 6), 0, 4, rapid.ID[int]).Draw(t, label) {
		days = append(days, time.Weekday(n))
	}
	return days
}

func drawCalendar(t *rapid.T, from time.Time) CalendarSpec {
	spec := CalendarSpec{Name: "c", RestDays: drawWeekdays(t, "rest")}
	for _, n := range rapid.SliceOfNDistinct(rapid.IntRange(0, oracleDays-10), 0, 12, rapid.ID[int]).Draw(t, "days") {
		spec.Days = append(spec.Days, CalendarDay{Date: from.AddDate(0, 0, n).Format(time.DateOnly), Work: rapid.Bool().Draw(t, "work")})
	}
	for range rapid.IntRange(0, 3).Draw(t, "windows") {
		spec.Quiet = append(spec.Quiet, QuietWindow{
			Days: drawWeekdays(t, "days of the window"),
			From: rapid.SampledFrom([]int{0, 30, 60, 90, 150, 180, 600, 1320, 1410}).Draw(t, "from"),
			To:   rapid.SampledFrom([]int{0, 30, 60, 95, 120, 150, 180, 360, 720, 1320}).Draw(t, "to"),
			Rule: rapid.SampledFrom([]QuietRule{QuietSkip, QuietDelay}).Draw(t, "rule"),
		})
	}
	return spec
}

var calendarCrons = []string{
	"0 2 * * *", "30 2 * * *", "15,45 2 * * *", "30 1 * * SUN", "0 0 * * *", "30 0 * * *", "0,30 23 * * *", "0 8 * * SAT",
	"* * * * *", "*/15 * * * *", "0 * * * *", "7 */5 * * *", "*/20 1-3 * * SUN", "0 9 1,15 * *", "0 0 0 LW * ?", "30 23 L * *", "59 * * * 0,6",
}

// The engine and the oracle agree on every fire and on what was taken out.
func TestCalendarAgreesWithOracle(t *testing.T) {
	t.Parallel()
	names := make([]string, 0, len(calendarZones))
	for name := range calendarZones {
		names = append(names, name)
	}
	slices.Sort(names)
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.SampledFrom(names).Draw(t, "zone")
		zone, err := LoadZone(name)
		if err != nil {
			t.Fatal(err)
		}
		from, err := time.Parse(time.DateOnly, rapid.SampledFrom(calendarZones[name]).Draw(t, "from"))
		if err != nil {
			t.Fatal(err)
		}
		expression := rapid.SampledFrom(calendarCrons).Draw(t, "cron")
		rule := rapid.SampledFrom([]RestRule{RestSkip, RestNext, RestPrevious}).Draw(t, "rule")
		spec := drawCalendar(t, from)
		calendar, err := NewCalendar(spec)
		if err != nil {
			return // such a calendar is refused: it has no fires to compare
		}
		trigger, err := Compile(Spec{Kind: KindCron, Expression: expression, Zone: name, Calendar: calendar, OnRestDay: rule}, "seed")
		if err != nil {
			t.Fatal(err)
		}
		agree(t, trigger, newCalendarOracle(trigger.Cron(), zone, spec, rule, from.Unix()))
	})
}

func agree(t *rapid.T, trigger *Trigger, oracle *calendarOracle) {
	// What lies near the ends of the stretch may come from outside of it.
	low, high := oracle.from+9*daySeconds, oracle.from+(oracleDays-17)*daySeconds
	var want []string
	for _, at := range oracle.fires() {
		if at > low && at <= high {
			want = append(want, time.Unix(at, 0).In(oracle.zone).Format(time.RFC3339))
		}
	}
	var got []string
	for at := time.Unix(low, 0); ; {
		next, ok := trigger.Next(at)
		if !ok || next.Unix() > high {
			break
		}
		if !next.After(at) {
			t.Fatalf("after %s comes %s", at, next)
		}
		got = append(got, next.In(oracle.zone).Format(time.RFC3339))
		at = next
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("fires (-oracle +engine):\n%s", diff)
	}
	counts := map[Reason]int{}
	for _, m := range trigger.TakenOut(time.Unix(low, 0), time.Unix(high, 0)) {
		counts[m.Reason] += m.Count
	}
	if diff := cmp.Diff(oracle.takenOut(low, high), counts); diff != "" {
		t.Fatalf("taken out (-oracle +engine):\n%s", diff)
	}
	listed := map[Reason]int{}
	for _, e := range trigger.Excluded(time.Unix(low, 0), time.Unix(high, 0), 100_000) {
		if e.MovedTo.IsZero() {
			listed[e.Reason]++
		} else if next, _ := trigger.Next(e.MovedTo.Add(-1)); !next.Equal(e.MovedTo) {
			t.Fatalf("%s is said to be moved to %s, which is no fire", e.At, e.MovedTo)
		}
	}
	if diff := cmp.Diff(counts, listed); diff != "" {
		t.Fatalf("listed (-counted +listed):\n%s", diff)
	}
}
