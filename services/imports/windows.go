package imports

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/services/jobfile"
)

// windows is an export of Windows Task Scheduler being read.
type windows struct{ *maker }

// WindowsTask reads Task Scheduler's XML, versions 1.2 to 1.4, in UTF-8 or UTF-16: one
// task, or many as schtasks /query /xml prints them.
func WindowsTask(text []byte, o Options) Result {
	w := &windows{newMaker(o)}
	root, err := parseXML(text)
	if err != nil {
		w.note(Lost, 0, "", "The XML cannot be read to its end: %s.", err.Error())
	}
	w.note(Understood, 0, "", "Times without a zone are read in %s, which should be that of the Windows machine.", w.zone())
	tasks := root.find("task")
	if len(tasks) == 0 {
		w.note(Lost, 0, "", "There is no task in it.")
	}
	for _, t := range tasks {
		w.task(t)
	}
	return w.result()
}

// task makes jobs of a task: one for each trigger, and for each further action one
// that follows.
func (w *windows) task(t *element) {
	uri := or(t.child("registrationinfo", "uri").text, t.comment)
	name := uri[strings.LastIndexByte(uri, '\\')+1:]
	if name == "" {
		name = strings.TrimSuffix(path.Base(strings.ReplaceAll(w.Source, `\`, "/")), ".xml")
	}
	commands := w.actions(t, name)
	if len(commands) == 0 {
		w.note(Lost, t.line, name, "It has no action that could be carried.")
		return
	}
	triggers := w.triggers(t, name)
	for i, trigger := range triggers {
		each := name
		if len(triggers) > 1 {
			each = fmt.Sprintf("%s %d", name, i+1)
		}
		before := ""
		for k, c := range commands {
			j := jobfile.Job{
				Handler: "command", Parameters: c, Description: tidy(t.child("registrationinfo", "description").text, 2000), Trigger: trigger,
				Comment: fmt.Sprintf("line %d of %s: %s", t.line, tidy(path.Base(w.Source), 100), tidy(uri, 200)),
			}
			each := each
			if k > 0 {
				each = fmt.Sprintf("%s action %d", each, k+1)
				j.Trigger = jobfile.Trigger{Dependency: &jobfile.Dependency{Upstream: []jobfile.Upstream{{Job: before, On: "COMPLETION"}}}}
			}
			j.Name = w.unique(w.App, each)
			before = j.Name
			w.settings(t, &j)
			if w.add(t.line, w.App, j) {
				w.note(Understood, t.line, j.Name, "Job %s.", strconv.Quote(j.Name))
			}
		}
	}
	if len(triggers) > 1 {
		w.note(Changed, t.line, name, "It has %d triggers; a job has one here, so it becomes %d jobs.", len(triggers), len(triggers))
	}
	if len(commands) > 1 {
		w.note(Changed, t.line, name, "It has %d actions; each becomes a job that follows the one before.", len(commands))
	}
	w.lost(t, name)
	w.once(Understood, "The programs run on a belfry agent on the Windows machine; its allow-list says which.")
}

// actions are the parameters of the agent's jobs.
func (w *windows) actions(t *element, name string) [][]byte {
	var all [][]byte
	for _, a := range t.child("actions").children {
		if a.name != "exec" {
			w.note(Lost, a.line, name, "Its action %s cannot be carried; only programs can.", tidy(a.name, 40))
			continue
		}
		program := strings.Trim(a.child("command").text, `"`)
		if program == "" {
			continue
		}
		p := map[string]any{"command": append([]string{program}, arguments(a.child("arguments").text)...)}
		if dir := strings.Trim(a.child("workingdirectory").text, `"`); dir != "" {
			p["dir"] = dir
		}
		if strings.Count(program+a.child("arguments").text+a.child("workingdirectory").text, "%") >= 2 {
			w.note(Lost, a.line, name, "Task Scheduler puts in the values of %%VARIABLES%%; write them out, or run cmd.exe /c.")
		}
		all = append(all, raw(p))
	}
	return all
}

// arguments takes a command line of Windows apart: blanks between quotes belong to an
// argument, 2n backslashes and a quote are n backslashes and the end of quoting, 2n+1
// are n and a quote.
func arguments(line string) []string {
	var all []string
	var now strings.Builder
	quoted, begun := false, false
	for i := 0; i < len(line); {
		slashes := 0
		for i < len(line) && line[i] == '\\' {
			slashes++
			i++
		}
		switch {
		case i < len(line) && line[i] == '"':
			now.WriteString(strings.Repeat(`\`, slashes/2))
			begun = true
			switch {
			case slashes%2 == 1:
				now.WriteByte('"')
			case quoted && i+1 < len(line) && line[i+1] == '"':
				now.WriteByte('"')
				i++
			default:
				quoted = !quoted
			}
			i++
		case slashes > 0:
			now.WriteString(strings.Repeat(`\`, slashes))
			begun = true
		case !quoted && strings.IndexByte(" \t\r\n", line[i]) >= 0:
			if begun {
				all = append(all, now.String())
				now.Reset()
				begun = false
			}
			i++
		default:
			now.WriteByte(line[i])
			begun = true
			i++
		}
	}
	if begun {
		all = append(all, now.String())
	}
	return all
}

// settings carries what stands under Settings.
func (w *windows) settings(t *element, j *jobfile.Job) {
	s := t.child("settings")
	if strings.EqualFold(s.child("enabled").text, "false") && !j.Trigger.Manual {
		off := false
		j.Enabled = &off
		w.note(Understood, t.line, j.Name, "It is disabled, so it is paused here.")
	}
	j.Timeout = "72h" // Task Scheduler's default
	if v := s.child("executiontimelimit").text; v != "" {
		d, ok := isoDuration(v)
		switch {
		case !ok || d > 366*24*time.Hour || d > 0 && d < time.Second:
			w.note(Lost, t.line, j.Name, "Its time limit %s cannot be carried; it is 72h.", strconv.Quote(tidy(v, 40)))
		case d == 0:
			j.Timeout = noLimit
			w.once(Changed, noLimitText)
		default:
			j.Timeout = d.String()
		}
	}
	switch v := strings.ToLower(s.child("multipleinstancespolicy").text); v {
	case "", "ignorenew":
		j.Concurrency = "SKIP"
	case "queue":
		j.MaxRunning = 1
	case "stopexisting":
		j.Concurrency = "REPLACE"
	case "parallel":
	default:
		w.note(Lost, t.line, j.Name, "Its policy for several instances, %s, is not known.", strconv.Quote(tidy(v, 40)))
	}
	if s.has("restartonfailure") {
		count, err := strconv.Atoi(s.child("restartonfailure", "count").text)
		wait, ok := isoDuration(s.child("restartonfailure", "interval").text)
		if err != nil || !ok || count < 1 || count > 998 || wait > 24*time.Hour {
			w.note(Lost, t.line, j.Name, "Its restarts on failure cannot be carried.")
		} else {
			j.Retry = &jobfile.Retry{MaxAttempts: count + 1, Delay: wait.String()}
		}
	}
	if j.Trigger.Manual || j.Trigger.Dependency != nil {
		return
	}
	j.Misfire = &jobfile.Misfire{Policy: "SKIP"}
	if strings.EqualFold(s.child("startwhenavailable").text, "true") {
		j.Misfire = &jobfile.Misfire{Policy: "FIRE_ONCE"}
	}
}

// lost names what has no counterpart.
func (w *windows) lost(t *element, name string) {
	s := t.child("settings")
	for _, tag := range []string{"runonlyifidle", "runonlyifnetworkavailable", "waketorun", "disallowstartifonbatteries", "stopifgoingonbatteries"} {
		if strings.EqualFold(s.child(tag).text, "true") {
			if strings.Contains(tag, "batteries") {
				w.once(Understood, "Whether a machine runs on batteries does not matter here.")
				continue
			}
			w.note(Lost, s.child(tag).line, name, "%s has no counterpart: a task starts when a node is there.", map[string]string{
				"runonlyifidle": "RunOnlyIfIdle", "runonlyifnetworkavailable": "RunOnlyIfNetworkAvailable", "waketorun": "WakeToRun",
			}[tag])
		}
	}
	if s.has("deleteexpiredtaskafter") {
		w.note(Lost, s.line, name, "DeleteExpiredTaskAfter has no counterpart: a job that has ended stays, without fires.")
	}
	p := t.child("principals", "principal")
	who := or(p.child("userid").text, p.child("groupid").text)
	if strings.EqualFold(p.child("runlevel").text, "HighestAvailable") {
		who += " with the highest rights"
	}
	if who != "" {
		w.note(Lost, p.line, name, "It runs as %s: start an agent as that account and name its group or node.", tidy(who, 100))
	}
}
