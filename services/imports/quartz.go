package imports

import (
	"fmt"
	"maps"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/services/jobfile"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// quartz is a job_scheduling_data document being read.
type quartz struct {
	*maker
	grace string // after which a fire counts as missed
}

// Quartz reads Quartz's job_scheduling_data (1.8 and 2.0; Java's and .NET's). Properties
// are those of quartz.properties, or empty; what stands there of jobs is carried.
func Quartz(text, properties []byte, o Options) Result {
	q := &quartz{maker: newMaker(o), grace: "1m"}
	q.properties(properties)
	root, err := parseXML(text)
	if err != nil {
		q.note(Lost, 0, "", "The XML cannot be read to its end: %s.", err.Error())
	}
	q.note(Understood, 0, "", "Times without a zone are read in %s, which should be that of the Java process. Day numbers mean the same in both: 1 is Sunday.", q.zone())
	if len(root.find("job-detail")) > 0 {
		q.note(Lost, 0, "", "This is the format of Quartz 1.5 (job-detail); only that of 1.8 and 2.0 is read.")
	}
	jobs, triggers := root.find("job"), root.find("trigger")
	if len(jobs) == 0 {
		q.note(Lost, 0, "", "There are no jobs in it.")
	}
	for _, e := range root.find("delete-jobs-in-group") {
		q.note(Understood, e.line, "", "Commands that delete old jobs have no meaning here; belfry apply --prune deletes what no file names.")
	}
	of := map[string][]*element{}
	for _, t := range triggers {
		for _, kind := range t.children {
			k := quartzKey(kind.child("job-name").text, kind.child("job-group").text)
			of[k] = append(of[k], kind)
		}
	}
	for _, j := range jobs {
		k := quartzKey(j.child("name").text, j.child("group").text)
		q.job(j, of[k])
		delete(of, k)
	}
	for _, k := range sortedKeys(of) {
		q.note(Lost, of[k][0].line, of[k][0].child("name").text, "Its job %s is not in the file.", strconv.Quote(tidy(strings.ReplaceAll(k, "\x00", "."), 100)))
	}
	return q.result()
}

func quartzKey(name, group string) string {
	if group == "" {
		group = "DEFAULT"
	}
	return group + "\x00" + name
}

// job makes a job of each trigger.
func (q *quartz) job(e *element, triggers []*element) {
	name, group := e.child("name").text, e.child("group").text
	if group != "" && group != "DEFAULT" {
		name = group + "." + name
	}
	if len(triggers) == 0 {
		if durable := e.child("durability").text + e.child("durable").text; strings.TrimSpace(strings.ToLower(durable)) != "true" {
			q.note(Understood, e.line, name, "It has no trigger and is not durable: Quartz would not keep it. It becomes a job that is started by hand.")
		}
		q.one(e, nil, name)
		return
	}
	if len(triggers) > 1 {
		q.note(Changed, e.line, name, "It has %d triggers; a job has one here, so it becomes %d jobs with the same handler.", len(triggers), len(triggers))
	}
	for _, t := range triggers {
		each := name
		if len(triggers) > 1 {
			each += " " + t.child("name").text
		}
		q.one(e, t, each)
	}
}

// one makes a job of a job and one of its triggers; nil: by hand.
func (q *quartz) one(e, t *element, name string) {
	name = q.unique(q.App, name)
	class := e.child("job-class").text + e.child("job-type").text
	class, _, _ = strings.Cut(class, ",") // .NET: the assembly
	handler := class[strings.LastIndexAny(class, ".+")+1:]
	out := jobfile.Job{
		Name: name, Handler: tidy(handler, 128), Description: tidy(e.child("description").text, 2000), Timeout: noLimit, Delivery: "AT_MOST_ONCE",
		Comment: fmt.Sprintf("line %d of %s: %s", e.line, tidy(path.Base(q.Source), 100), tidy(class, 200)),
	}
	line := e.line
	data := dataOf(e)
	if t != nil {
		line = t.line
		maps.Copy(data, dataOf(t))
	}
	if len(data) > 0 {
		out.Parameters = raw(data)
	}
	if strings.EqualFold(e.child("recover").text, "true") {
		out.Delivery = ""
	}
	out.Trigger = jobfile.Trigger{Manual: true}
	if t != nil {
		if !q.trigger(t, name, &out) {
			return
		}
		q.rules(t, name, &out)
	}
	if q.add(line, q.App, out) {
		q.note(Understood, line, name, "Job %s with the handler %s (%s).", strconv.Quote(name), out.Handler, tidy(class, 200))
		q.once(Changed, noLimitText)
		q.once(Changed, "Handlers have the class's name without its package; the data map of job and trigger arrives as parameters, an object of texts.")
		q.once(Lost, "Whether a job may overlap with itself stands in its class and not in the file: where it has @DisallowConcurrentExecution, set maxRunning: 1 (runs wait) or concurrency: SKIP.")
		q.once(Understood, "Quartz does not run a job again that died with its process, unless recover is true: delivery is AT_MOST_ONCE, and such a run waits for a person.")
	}
}

func dataOf(e *element) map[string]string {
	data := map[string]string{}
	for _, entry := range e.child("job-data-map").all("entry") {
		data[entry.child("key").text] = entry.child("value").text
	}
	return data
}

// instant reads a date of the source: with a zone, or in the source's own.
func (m *maker) instant(text string) (time.Time, bool) {
	if at, err := time.Parse(time.RFC3339, text); err == nil {
		return at, true
	}
	zone, err := schedule.LoadZone(m.zone())
	if err != nil {
		zone = time.UTC
	}
	for _, layout := range []string{"2006-01-02T15:04:05.999999999", "2006-01-02T15:04", "2006-01-02"} {
		if at, err := time.ParseInLocation(layout, text, zone); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}

// bound writes an instant of the source; empty when it is none, or has passed and is
// a beginning.
func (m *maker) bound(at time.Time, begins bool) string {
	if at.IsZero() || begins && !at.After(m.Now) {
		return ""
	}
	return at.UTC().Format(time.RFC3339)
}

// trigger reads a trigger; false when it cannot be carried.
func (q *quartz) trigger(t *element, name string, out *jobfile.Job) bool {
	var from, to time.Time
	for _, v := range []struct {
		tag string
		at  *time.Time
	}{{"start-time", &from}, {"end-time", &to}} {
		if text := t.child(v.tag).text; text != "" {
			at, ok := q.instant(text)
			if !ok {
				q.note(Lost, t.line, name, "Its %s %s cannot be read.", v.tag, strconv.Quote(tidy(text, 40)))
				return false
			}
			*v.at = at
		}
	}
	if t.has("start-time-seconds-in-future") {
		q.note(Changed, t.line, name, "It begins some seconds after Quartz has started; here it begins when it is applied.")
	}
	if !to.IsZero() && !to.After(q.Now) {
		q.note(Lost, t.line, name, "It has ended (%s).", to.UTC().Format(time.RFC3339))
		return false
	}
	switch t.name {
	case "cron":
		return q.cron(t, name, from, to, out)
	case "simple":
		return q.simple(t, name, from, to, out)
	case "calendar-interval":
		return q.interval(t, name, from, to, out)
	}
	q.note(Lost, t.line, name, "Its trigger %s is not known.", strconv.Quote(tidy(t.name, 40)))
	return false
}

func (q *quartz) cron(t *element, name string, from, to time.Time, out *jobfile.Job) bool {
	expression := strings.Join(strings.Fields(t.child("cron-expression").text), " ")
	zone := q.zone()
	if v := t.child("time-zone").text; v != "" {
		zone = v
		if iana := windowsZones[strings.ToLower(v)]; iana != "" {
			zone = iana
			q.note(Changed, t.line, name, "Its zone %s is %s.", v, iana)
		}
	}
	if _, err := schedule.ParseCron(expression, ""); err != nil {
		q.note(Lost, t.line, name, "Its expression %s cannot be read: %s.", strconv.Quote(tidy(expression, 60)), err.Error())
		return false
	}
	if len(strings.Fields(expression)) < 6 {
		q.note(Lost, t.line, name, "Its expression %s has fewer fields than Quartz takes.", strconv.Quote(tidy(expression, 60)))
		return false
	}
	out.Trigger = jobfile.Trigger{Cron: &jobfile.Cron{Expression: expression, Zone: zone, StartAt: q.bound(from, true), EndAt: q.bound(to, false)}}
	return true
}

// single is a trigger for one instant; false when it has passed.
func (m *maker) single(line int, name string, at time.Time) (jobfile.Trigger, bool) {
	if !at.After(m.Now) {
		m.note(Lost, line, name, "It runs once, and that time has passed (%s).", at.UTC().Format(time.RFC3339))
		return jobfile.Trigger{}, false
	}
	at = at.UTC()
	m.note(Understood, line, name, "It runs once: a cron expression with a year.")
	return jobfile.Trigger{Cron: &jobfile.Cron{Expression: fmt.Sprintf("%d %d %d %d %d ? %d", at.Second(), at.Minute(), at.Hour(), at.Day(), at.Month(), at.Year())}}, true
}

// grid is a fixed rate from an instant on.
func (m *maker) grid(line int, name string, every time.Duration, from time.Time) (jobfile.Trigger, bool) {
	if every < time.Second || every > 366*24*time.Hour {
		m.note(Lost, line, name, "Its period is %s; fixed rates are 1s to 366 days here.", every)
		return jobfile.Trigger{}, false
	}
	rate := &jobfile.FixedRate{Every: every.String()}
	if from.IsZero() {
		m.note(Changed, line, name, "It has no start: its grid begins at 1970-01-01T00:00:00Z and not when the scheduler starts.")
	} else {
		rate.StartAt = from.UTC().Format(time.RFC3339)
	}
	return jobfile.Trigger{FixedRate: rate}, true
}

func (q *quartz) simple(t *element, name string, from, to time.Time, out *jobfile.Job) (ok bool) {
	count, err := strconv.Atoi(strings.TrimSpace(or(t.child("repeat-count").text, "0")))
	if strings.EqualFold(t.child("repeat-count").text, "REPEAT_INDEFINITELY") {
		count, err = -1, nil
	}
	ms, badInterval := strconv.ParseInt(or(t.child("repeat-interval").text, "0"), 10, 64)
	switch {
	case err != nil || badInterval != nil || ms < 0 || ms > 1<<53:
		q.note(Lost, t.line, name, "Its repeat-count or repeat-interval cannot be read.")
		return false
	case count == 0 && from.IsZero():
		q.note(Lost, t.line, name, "It runs once when Quartz starts; here it is started by hand.")
		return true
	case count == 0:
		out.Trigger, ok = q.single(t.line, name, from)
		return ok
	case count > 0:
		q.note(Lost, t.line, name, "It repeats %d times and then ends; fixed rates have no end here. No job was made.", count)
		return false
	}
	if !to.IsZero() {
		q.note(Lost, t.line, name, "It ends at %s; fixed rates have no end here: pause or delete the job then.", to.UTC().Format(time.RFC3339))
	}
	out.Trigger, ok = q.grid(t.line, name, time.Duration(ms)*time.Millisecond, from)
	return ok
}

func or(v, otherwise string) string {
	if v == "" {
		return otherwise
	}
	return v
}

var unitLengths = map[string]time.Duration{"SECOND": time.Second, "MINUTE": time.Minute, "HOUR": time.Hour, "DAY": 24 * time.Hour, "WEEK": 7 * 24 * time.Hour}

// interval reads a calendar-interval trigger: so many days, weeks, months from a start.
func (q *quartz) interval(t *element, name string, from, to time.Time, out *jobfile.Job) (ok bool) {
	n, err := strconv.Atoi(or(t.child("repeat-interval").text, "1"))
	unit := strings.ToUpper(t.child("repeat-interval-unit").text)
	if err != nil || n < 1 || n > 1_000_000 {
		q.note(Lost, t.line, name, "Its repeat-interval cannot be read.")
		return false
	}
	zone := or(t.child("time-zone").text, q.zone())
	at := from
	if loc, err := schedule.LoadZone(zone); err == nil {
		at = from.In(loc)
	}
	clockTime := fmt.Sprintf("%d %d %d", at.Second(), at.Minute(), at.Hour())
	expression := ""
	switch {
	case from.IsZero():
	case unit == "DAY" && n == 1:
		expression = clockTime + " * * ?"
	case unit == "WEEK" && n == 1:
		expression = fmt.Sprintf("%s ? * %d", clockTime, int(at.Weekday())+1)
	case unit == "MONTH" && 12%n == 0 && at.Day() <= 28:
		expression = fmt.Sprintf("%s %d %d/%d ?", clockTime, at.Day(), (int(at.Month())-1)%n+1, n)
	case unit == "YEAR" && n == 1 && at.Day() <= 28:
		expression = fmt.Sprintf("%s %d %d ?", clockTime, at.Day(), at.Month())
	}
	if expression != "" {
		out.Trigger = jobfile.Trigger{Cron: &jobfile.Cron{Expression: expression, Zone: zone, StartAt: q.bound(from, true), EndAt: q.bound(to, false)}}
		q.note(Understood, t.line, name, "Every %d %s from %s is the cron expression %s.", n, strings.ToLower(unit), at.Format("2006-01-02 15:04:05"), expression)
		return true
	}
	length, known := unitLengths[unit]
	if !known || time.Duration(n) > 366*24*time.Hour/length {
		q.note(Lost, t.line, name, "Every %d %s cannot be said as a cron expression or a fixed rate.", n, tidy(strings.ToLower(unit), 20))
		return false
	}
	if unit == "DAY" || unit == "WEEK" {
		q.note(Changed, t.line, name, "It is a fixed rate of %d hours: after a clock change it fires an hour earlier or later by local time.", n*int(length.Hours()))
	}
	if !to.IsZero() {
		q.note(Lost, t.line, name, "It ends at %s; fixed rates have no end here: pause or delete the job then.", to.UTC().Format(time.RFC3339))
	}
	out.Trigger, ok = q.grid(t.line, name, time.Duration(n)*length, from)
	return ok
}

// rules carries misfires, priority and calendar of a trigger.
func (q *quartz) rules(t *element, name string, out *jobfile.Job) {
	if out.Trigger.Manual {
		return
	}
	instruction := strings.TrimPrefix(strings.TrimPrefix(strings.ToUpper(t.child("misfire-instruction").text), "MISFIRE_INSTRUCTION_"), "MISFIRE_")
	policy := map[string]string{
		"FIRE_ONCE_NOW": "FIRE_ONCE", "FIREONCENOW": "FIRE_ONCE", "FIRE_NOW": "FIRE_ONCE", "DO_NOTHING": "SKIP", "DONOTHING": "SKIP", "IGNORE_MISFIRE_POLICY": "FIRE_ALL", "IGNOREMISFIREPOLICY": "FIRE_ALL",
		"RESCHEDULE_NEXT_WITH_REMAINING_COUNT": "SKIP", "RESCHEDULE_NEXT_WITH_EXISTING_COUNT": "SKIP",
		"RESCHEDULE_NOW_WITH_EXISTING_REPEAT_COUNT": "FIRE_ONCE", "RESCHEDULE_NOW_WITH_REMAINING_REPEAT_COUNT": "FIRE_ONCE",
	}[instruction]
	switch {
	case policy != "":
	case instruction == "" || instruction == "SMART_POLICY" || instruction == "SMARTPOLICY":
		if policy = "FIRE_ONCE"; t.name == "simple" && out.Trigger.FixedRate != nil {
			policy = "SKIP" // what Quartz's smart policy does with endless repetitions
		}
	default:
		policy = "FIRE_ONCE"
		q.note(Lost, t.line, name, "Its misfire instruction %s is not known; it becomes FIRE_ONCE.", strconv.Quote(tidy(instruction, 60)))
	}
	out.Misfire = &jobfile.Misfire{Policy: policy, Grace: q.grace}
	if n, err := strconv.Atoi(t.child("priority").text); err == nil && n != 5 {
		out.Priority = "LOW"
		if n > 5 {
			out.Priority = "HIGH"
		}
		q.note(Changed, t.line, name, "Priority %d becomes %s (5 is NORMAL).", n, out.Priority)
	}
	if v := t.child("calendar-name").text; v != "" {
		q.note(Lost, t.line, name, "Its calendar %s is kept in code or database: make a calendar of the app with its days and name it in trigger.cron.calendar.", strconv.Quote(tidy(v, 100)))
	}
}
