package imports

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/services/jobfile"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

var isoForm = regexp.MustCompile(`^P(?:(\d{1,6})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9})(?:\.\d+)?S)?)?$`)

// isoDuration reads a length of time of days, hours, minutes and seconds, such as
// PT1H30M or P1D.
func isoDuration(text string) (time.Duration, bool) {
	m := isoForm.FindStringSubmatch(text)
	if m == nil || text == "P" || strings.HasSuffix(text, "T") {
		return 0, false
	}
	total := time.Duration(0)
	for i, unit := range []time.Duration{24 * time.Hour, time.Hour, time.Minute, time.Second} {
		n, _ := strconv.Atoi(or(m[i+1], "0"))
		if time.Duration(n) > 400*24*time.Hour/unit {
			return 0, false
		}
		total += time.Duration(n) * unit
	}
	return total, true
}

// triggers are those of a task that can be carried; a task without any is started by
// hand.
func (w *windows) triggers(t *element, name string) []jobfile.Trigger {
	var all []jobfile.Trigger
	for _, e := range t.child("triggers").children {
		if strings.EqualFold(e.child("enabled").text, "false") {
			w.note(Understood, e.line, name, "A trigger is disabled and left out.")
			continue
		}
		if one, ok := w.trigger(e, name); ok {
			all = append(all, one)
		}
	}
	if len(all) == 0 {
		all = []jobfile.Trigger{{Manual: true}}
		w.note(Understood, t.line, name, "No trigger could be carried or there is none: it is started by hand.")
	}
	return all
}

var eventTriggers = map[string]string{
	"boottrigger": "when the machine starts", "logontrigger": "when somebody logs on", "idletrigger": "when the machine is idle", "eventtrigger": "on an entry of the event log",
	"registrationtrigger": "when it is registered", "sessionstatechangetrigger": "when a session changes", "wnfstatechangetrigger": "on a state of Windows",
}

func (w *windows) trigger(e *element, name string) (jobfile.Trigger, bool) {
	if what := eventTriggers[e.name]; what != "" {
		w.note(Lost, e.line, name, "It starts %s, which has no instants: start it through the API, or keep that trigger on the machine.", what)
		return jobfile.Trigger{}, false
	}
	start, ok := w.instant(e.child("startboundary").text)
	if !ok {
		w.note(Lost, e.line, name, "Its StartBoundary %s cannot be read.", strconv.Quote(tidy(e.child("startboundary").text, 40)))
		return jobfile.Trigger{}, false
	}
	var end time.Time
	if text := e.child("endboundary").text; text != "" {
		if end, ok = w.instant(text); !ok || !end.After(w.Now) {
			w.note(Lost, e.line, name, "A trigger has ended (%s).", tidy(text, 40))
			return jobfile.Trigger{}, false
		}
	}
	zone := w.zone()
	if _, offset := time.Parse(time.RFC3339, e.child("startboundary").text); offset == nil {
		zone = "UTC"
		w.note(Understood, e.line, name, "Its time has an offset: it stays the same in UTC over clock changes.")
	}
	loc, err := schedule.LoadZone(zone)
	if err != nil {
		loc = time.UTC
	}
	local := start.In(loc)
	if e.has("executiontimelimit") {
		w.note(Lost, e.line, name, "A trigger has a time limit of its own; a job has one for all.")
	}
	switch e.name {
	case "timetrigger":
		return w.time(e, name, start, end)
	case "calendartrigger":
		return w.calendar(e, name, local, end, zone)
	}
	w.note(Lost, e.line, name, "Its trigger %s is not known.", strconv.Quote(tidy(e.name, 40)))
	return jobfile.Trigger{}, false
}

// time reads a trigger for one instant, which may repeat.
func (w *windows) time(e *element, name string, start, end time.Time) (jobfile.Trigger, bool) {
	interval := e.child("repetition", "interval").text
	if interval == "" {
		return w.single(e.line, name, start)
	}
	every, ok := isoDuration(interval)
	duration := e.child("repetition", "duration").text
	if !ok || every <= 0 || duration != "" {
		w.note(Lost, e.line, name, "It repeats every %s for %s and then ends; fixed rates have no end here.", tidy(interval, 20), tidy(or(duration, "ever"), 20))
		return jobfile.Trigger{}, false
	}
	if !end.IsZero() {
		w.note(Lost, e.line, name, "It ends at %s; fixed rates have no end here: pause or delete the job then.", end.UTC().Format(time.RFC3339))
	}
	return w.grid(e.line, name, every, start)
}

// calendar reads a trigger by days, weeks or months.
func (w *windows) calendar(e *element, name string, at, end time.Time, zone string) (jobfile.Trigger, bool) {
	clocks, ok := w.clocks(e, name, at)
	if !ok {
		return jobfile.Trigger{}, false
	}
	days := ""
	switch {
	case e.has("schedulebyday"):
		n, err := strconv.Atoi(or(e.child("schedulebyday", "daysinterval").text, "1"))
		if err != nil || n < 1 {
			n = 1
		}
		if n > 1 {
			w.note(Changed, e.line, name, "Every %d days is a fixed rate of %d hours: after a clock change it fires an hour earlier or later by local time.", n, 24*n)
			return w.grid(e.line, name, time.Duration(n)*24*time.Hour, at)
		}
		days = "* * ?"
	case e.has("schedulebyweek"):
		if n := e.child("schedulebyweek", "weeksinterval").text; n != "" && n != "1" {
			w.note(Lost, e.line, name, "Every %s weeks on certain days cannot be said in a trigger; use a job for each day with a fixed rate.", tidy(n, 20))
			return jobfile.Trigger{}, false
		}
		days = "? * " + or(dayNames(e.child("schedulebyweek", "daysofweek"), ""), at.Weekday().String()[:3])
	case e.has("schedulebymonthdayofweek"):
		s := e.child("schedulebymonthdayofweek")
		days = "? " + months(s) + " " + weeksOfMonth(s)
	case e.has("schedulebymonth"):
		s := e.child("schedulebymonth")
		var list []string
		for _, d := range s.child("daysofmonth").all("day") {
			if strings.EqualFold(d.text, "Last") {
				list = append(list, "L")
			} else {
				list = append(list, d.text)
			}
		}
		days = strings.Join(list, ",") + " " + months(s) + " ?"
	default:
		w.note(Lost, e.line, name, "A calendar trigger without a schedule.")
		return jobfile.Trigger{}, false
	}
	cron := &jobfile.Cron{Expression: strings.ToUpper(clocks + " " + days), Zone: zone, StartAt: w.bound(at, true), EndAt: w.bound(end, false)}
	if d, ok := isoDuration(e.child("randomdelay").text); ok && d > 0 {
		cron.Jitter = min(d, 24*time.Hour).String()
		w.note(Changed, e.line, name, "RandomDelay becomes jitter: a stable part of it, and not another one each time.")
	}
	if _, err := schedule.ParseCron(cron.Expression, ""); err != nil {
		w.note(Lost, e.line, name, "Its days cannot be read: %s.", err.Error())
		return jobfile.Trigger{}, false
	}
	w.note(Understood, e.line, name, "Its schedule is the cron expression %s.", cron.Expression)
	return jobfile.Trigger{Cron: cron}, true
}

// clocks are seconds, minutes and hours of a calendar trigger with its repetition
// within the day.
func (w *windows) clocks(e *element, name string, at time.Time) (string, bool) {
	once := fmt.Sprintf("%d %d %d", at.Second(), at.Minute(), at.Hour())
	interval := e.child("repetition", "interval").text
	if interval == "" {
		return once, true
	}
	refuse := func(why string) (string, bool) {
		w.note(Lost, e.line, name, "It repeats every %s for %s within a day: %s.", tidy(interval, 20), tidy(or(e.child("repetition", "duration").text, "ever"), 20), why)
		return "", false
	}
	every, ok := isoDuration(interval)
	lasts, known := isoDuration(or(e.child("repetition", "duration").text, "P1D"))
	if !ok || !known || every < time.Minute || every%time.Minute != 0 || lasts > 24*time.Hour {
		return refuse("that cannot be said in a trigger")
	}
	if strings.EqualFold(e.child("repetition", "stopatdurationend").text, "true") {
		w.note(Lost, e.line, name, "Running tasks are not stopped at the end of the repetition.")
	}
	minutes, hours, count := map[int]bool{}, map[int]bool{}, 0
	for d := time.Duration(0); d < lasts; d += every {
		clockTime := at.Hour()*60 + at.Minute() + int(d/time.Minute)
		if clockTime >= 24*60 && (lasts < 24*time.Hour || !e.has("schedulebyday")) {
			return refuse("it goes beyond midnight; make two jobs")
		}
		minutes[clockTime%60], hours[clockTime/60%24] = true, true
		count++
	}
	if lasts == 24*time.Hour && (24*time.Hour)%every != 0 || len(minutes)*len(hours) != count {
		return refuse("the minutes differ from hour to hour; make several jobs, or a fixed rate")
	}
	if lasts < 24*time.Hour {
		w.note(Changed, e.line, name, "It repeats every %s within %s; no run begins at the very end of that time.", every, lasts)
	}
	return fmt.Sprintf("%d %s %s", at.Second(), numbers(minutes), numbers(hours)), true
}

func numbers(set map[int]bool) string {
	var texts []string
	for n := range 60 {
		if set[n] {
			texts = append(texts, strconv.Itoa(n))
		}
	}
	if len(texts) == 24 && set[23] && !set[24] { // hours: minutes are never the first 24
		return "*"
	}
	return strings.Join(texts, ",")
}

// dayNames lists the days of the week with something behind each.
func dayNames(e *element, behind string) string {
	var names []string
	for _, d := range e.children {
		if len(d.name) >= 3 {
			names = append(names, d.name[:3]+behind)
		}
	}
	return strings.Join(names, ",")
}

func months(e *element) string {
	var names []string
	for _, m := range e.child("months").children {
		if len(m.name) >= 3 {
			names = append(names, m.name[:3])
		}
	}
	if len(names) == 0 || len(names) == 12 {
		return "*"
	}
	return strings.Join(slices.Compact(names), ",")
}

// weeksOfMonth lists days such as the second Tuesday.
func weeksOfMonth(e *element) string {
	var all []string
	for _, week := range e.child("weeks").all("week") {
		behind := "#" + week.text
		if strings.EqualFold(week.text, "Last") {
			behind = "L"
		}
		all = append(all, dayNames(e.child("daysofweek"), behind))
	}
	return strings.Join(all, ",")
}
