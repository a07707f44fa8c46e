// Package imports reads the schedules of other systems (crontabs, Quartz, XXL-JOB,
// Windows Task Scheduler) and makes job files of them. It is pure, and it is honest:
// whatever differs from the source is a note, and so is what cannot be carried.
package imports

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/belfry-scheduler/belfry/services/jobfile"
)

// Options say what the source does not.
type Options struct {
	Source string    // name of the file, for messages
	App    string    // of the jobs
	Group  string    // of the jobs; empty: default
	Zone   string    // in which the source system's clock runs; empty: UTC
	Now    time.Time // bounds before it are left out, single dates before it are not carried
}

// Level is what a note tells of.
type Level int

// Levels.
const (
	Understood Level = iota + 1 // how the source was read
	Changed                     // what will be otherwise than in the source
	Lost                        // what a person must look after
)

// String is the level as it is printed.
func (l Level) String() string { return []string{"", "understood", "changed", "not carried"}[l] }

// Note is one thing that is told about an import.
type Note struct {
	Level Level
	Line  int    // of the source, from 1; 0: none in particular
	Name  string // of the job or setting; may be empty
	Text  string // a sentence
}

// Result is what was made of a source.
type Result struct {
	Documents []jobfile.Document
	Notes     []Note
}

// Count answers how many notes of a level there are.
func (r *Result) Count(l Level) int {
	n := 0
	for i := range r.Notes {
		if r.Notes[i].Level == l {
			n++
		}
	}
	return n
}

// Jobs answers how many jobs were made.
func (r *Result) Jobs() int {
	n := 0
	for i := range r.Documents {
		n += len(r.Documents[i].Jobs)
	}
	return n
}

// Bounds of a source.
const (
	MaxBytes = 64 << 20
	mostJobs = 10_000 // of one app, as a job file has them
	noLimit  = "24h"  // the time limit of jobs that have none in the source
)

const noLimitText = "The source sets no time limit; Belfry always has one, and it is 24h: set timeout to what a run may take."

// maker collects jobs and notes.
type maker struct {
	Options
	apps  map[string]*made
	notes []Note
	told  map[string]bool
}

// made are the jobs of an app.
type made struct {
	jobs []jobfile.Job
	used map[string]bool
}

func newMaker(o Options) *maker {
	return &maker{Options: o, apps: map[string]*made{}, told: map[string]bool{}}
}

func (m *maker) zone() string {
	if m.Zone == "" {
		return "UTC"
	}
	return m.Zone
}

func (m *maker) note(l Level, line int, name, text string, args ...any) {
	if len(args) > 0 {
		text = fmt.Sprintf(text, args...)
	}
	m.notes = append(m.notes, Note{l, line, tidy(name, 128), text})
}

// once notes something that holds for many jobs only the first time.
func (m *maker) once(l Level, text string) {
	if !m.told[text] {
		m.told[text] = true
		m.note(l, 0, "", text)
	}
}

// tidy makes a name of any text: one line, without what names may not have.
func tidy(text string, most int) string {
	text = strings.Map(func(c rune) rune {
		switch {
		case c == utf8.RuneError:
			return -1
		case unicode.IsSpace(c) || unicode.IsControl(c):
			return ' '
		}
		return c
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > most {
		text = strings.TrimSpace(string([]rune(text)[:most]))
	}
	return text
}

const longestName = 120 // leaves room for a number behind it

// unique is a name that no other job of the app has.
func (m *maker) unique(app, name string) string {
	a := m.apps[app]
	if a == nil {
		a = &made{used: map[string]bool{}}
		m.apps[app] = a
	}
	name = tidy(name, longestName)
	if name == "" {
		name = "job"
	}
	free := name
	for n := 2; a.used[free]; n++ {
		free = fmt.Sprintf("%s-%d", name, n)
	}
	a.used[free] = true
	return free
}

// add takes a job, whose name is from unique, if belfry apply would take it; else it
// notes why not.
func (m *maker) add(line int, app string, j jobfile.Job) bool {
	document := jobfile.Document{Version: 1, App: app, Group: m.Group, Jobs: []jobfile.Job{j}}
	text, err := jobfile.Write([]jobfile.Document{document})
	if err == nil {
		_, err = jobfile.Read("", text)
	}
	if err == nil && len(m.apps[app].jobs) == mostJobs {
		err = fmt.Errorf("there are more than %d jobs; import parts of the source one after another", mostJobs)
	}
	if err != nil {
		m.note(Lost, line, j.Name, "No job was made: %s", problemText(err))
		return false
	}
	m.apps[app].jobs = append(m.apps[app].jobs, j)
	return true
}

// problemText is what is wrong with a job, without its place in a file that nobody has.
func problemText(err error) string {
	problems, ok := err.(jobfile.Problems) //nolint:errorlint // as Read answers it
	if !ok {
		return err.Error()
	}
	texts := make([]string, len(problems))
	for i := range problems {
		texts[i] = problems[i].Message
	}
	return strings.Join(texts, " ")
}

func (m *maker) result() Result {
	m.untie()
	r := Result{Notes: m.notes}
	for _, app := range slices.Sorted(maps.Keys(m.apps)) {
		if jobs := m.apps[app].jobs; len(jobs) > 0 {
			r.Documents = append(r.Documents, jobfile.Document{Version: 1, App: app, Group: m.Group, Jobs: jobs})
		}
	}
	return r
}

// untie takes away what jobs wait for that was not made, or that waits for them.
func (m *maker) untie() {
	up := map[[2]string]*jobfile.Job{}
	for app, a := range m.apps {
		for i := range a.jobs {
			up[[2]string{app, a.jobs[i].Name}] = &a.jobs[i]
		}
	}
	for _, app := range slices.Sorted(maps.Keys(m.apps)) {
		for i := range m.apps[app].jobs {
			j := &m.apps[app].jobs[i]
			d := j.Trigger.Dependency
			if d == nil {
				continue
			}
			d.Upstream = slices.DeleteFunc(d.Upstream, func(u jobfile.Upstream) bool {
				from := key(app, u)
				switch {
				case up[from] == nil:
					m.note(Lost, 0, j.Name, "It waited for %q, which was not carried.", u.Job)
				case waits(up, from, [2]string{app, j.Name}, map[[2]string]bool{}):
					m.note(Lost, 0, j.Name, "It waits for %q, which waits for it: such a circle never starts.", u.Job)
				default:
					return false
				}
				return true
			})
			if len(d.Upstream) == 0 {
				j.Trigger = jobfile.Trigger{Manual: true}
			}
		}
	}
}

func key(app string, u jobfile.Upstream) [2]string {
	if u.App != "" {
		app = u.App
	}
	return [2]string{app, u.Job}
}

// waits says whether a job waits for another, at once or by way of others.
func waits(up map[[2]string]*jobfile.Job, job, other [2]string, seen map[[2]string]bool) bool {
	if job == other {
		return true
	}
	j := up[job]
	if seen[job] || j == nil || j.Trigger.Dependency == nil {
		return false
	}
	seen[job] = true
	return slices.ContainsFunc(j.Trigger.Dependency.Upstream, func(u jobfile.Upstream) bool { return waits(up, key(job[0], u), other, seen) })
}

// raw is a value as JSON.
func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil { // texts, lists and maps of them always marshal
		return nil
	}
	return b
}

// validUTF8 replaces what is not UTF-8.
func validUTF8(text []byte) string {
	return strings.ToValidUTF8(strings.TrimPrefix(string(text), "\ufeff"), "\ufffd")
}
