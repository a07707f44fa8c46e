package jobfile

import (
	"maps"
	"slices"
)

// Live is a job as it stands on the server.
type Live struct {
	ID      string
	Version int
	Job     Job // Enabled is set
}

// Action is what becomes of a job.
type Action string

// Actions.
const (
	Create    Action = "create"
	Update    Action = "update"
	Delete    Action = "delete"
	Unchanged Action = "unchanged"
	Unmanaged Action = "unmanaged" // on the server, in no file, and not to be deleted
)

// Change is what becomes of one job.
type Change struct {
	Action Action
	App    string
	Name   string
	Job    Job  // as the file has it, with its defaults (Normal); of Create and Update
	Live   Live // as the server has it; not of Create
	Source string
	Fields []FieldChange // of Create and Update
}

// FieldChange is a field that differs. Before is nil when the server has none, After
// when the file has none. Values are shown as JSON. Hidden ones are parameters: they
// may hold secrets.
type FieldChange struct {
	Path          string
	Before, After *string
	Hidden        bool
}

// Plan is what an apply would do, in the order in which it does it: new jobs, those
// that others wait for first; changed ones; deleted ones, those that wait first;
// then what stays.
type Plan struct {
	Changes []Change
}

// Count answers how many jobs an action is for.
func (p *Plan) Count(a Action) int {
	n := 0
	for i := range p.Changes {
		if p.Changes[i].Action == a {
			n++
		}
	}
	return n
}

// Drift says whether anything is to be done.
func (p *Plan) Drift() bool { return p.Count(Create)+p.Count(Update)+p.Count(Delete) > 0 }

// Make compares files with what the server has, by app. With prune, jobs of the apps
// in the files that stand in none of them are to be deleted.
func Make(sources []Source, live map[string][]Live, prune bool) Plan {
	there := map[[2]string]*Live{}
	for app, jobs := range live {
		for i := range jobs {
			there[[2]string{app, jobs[i].Job.Name}] = &jobs[i]
		}
	}
	var p Plan
	managed := map[[2]string]bool{}
	apps := map[string]bool{}
	for _, s := range sources {
		for i := range s.Documents {
			d := &s.Documents[i]
			apps[d.App] = true
			for _, j := range d.Jobs {
				key := [2]string{d.App, j.Name}
				managed[key] = true
				p.Changes = append(p.Changes, changeOf(d, j, there[key], s.Name))
			}
		}
	}
	for _, app := range slices.Sorted(maps.Keys(apps)) {
		for _, l := range live[app] {
			if managed[[2]string{app, l.Job.Name}] {
				continue
			}
			action := Unmanaged
			if prune {
				action = Delete
			}
			p.Changes = append(p.Changes, Change{Action: action, App: app, Name: l.Job.Name, Live: l})
		}
	}
	p.order()
	return p
}

func changeOf(d *Document, j Job, live *Live, source string) Change {
	normal := j.Normal(d.App, d.Group)
	c := Change{Action: Create, App: d.App, Name: j.Name, Job: normal, Source: source}
	if live == nil {
		short := j.Short(d.App, d.Group)
		short.Group = normal.Group
		c.Fields = Differences(nil, &short)
		return c
	}
	c.Live = *live
	server := live.Job.Normal(d.App, d.Group)
	if normal.Enabled == nil {
		server.Enabled = nil
	}
	c.Fields = Differences(&server, &normal)
	c.Action = Update
	if len(c.Fields) == 0 {
		c.Action = Unchanged
	}
	return c
}

// order puts changes into the order in which they can be made.
func (p *Plan) order() {
	rank := map[Action]int{Create: 0, Update: 1, Delete: 2, Unchanged: 3, Unmanaged: 4}
	slices.SortStableFunc(p.Changes, func(a, b Change) int { return rank[a.Action] - rank[b.Action] })
	creates, deletes := p.Count(Create), p.Count(Delete)
	first := p.Changes[:creates]
	upstreamFirst(first, func(c *Change) *Job { return &c.Job })
	last := p.Changes[creates+p.Count(Update):][:deletes]
	upstreamFirst(last, func(c *Change) *Job { j := c.Live.Job.Normal(c.App, ""); return &j })
	slices.Reverse(last)
}

// upstreamFirst puts jobs behind those of the same list that they wait for, and keeps
// the order otherwise. Those that wait in a circle stay; the server refuses them.
func upstreamFirst(changes []Change, job func(*Change) *Job) {
	at := map[[2]string]int{}
	for i := range changes {
		at[[2]string{changes[i].App, changes[i].Name}] = i
	}
	sorted := make([]Change, 0, len(changes))
	state := make([]int, len(changes)) // 1: under way, 2: done
	var visit func(int)
	visit = func(i int) {
		if state[i] != 0 {
			return
		}
		state[i] = 1
		if d := job(&changes[i]).Trigger.Dependency; d != nil {
			for _, u := range d.Upstream {
				if k, ok := at[[2]string{or(u.App, changes[i].App), u.Job}]; ok {
					visit(k)
				}
			}
		}
		state[i] = 2
		sorted = append(sorted, changes[i])
	}
	for i := range changes {
		visit(i)
	}
	copy(changes, sorted)
}
