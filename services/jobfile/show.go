package jobfile

import (
	"fmt"
	"strings"
)

// Show writes the plan for people: what is to be done with each field, then a line of
// counts. With values, those of parameters are shown too.
func (p *Plan) Show(values bool) string {
	var b strings.Builder
	sign := map[Action]string{Create: "+", Update: "~", Delete: "-"}
	for i := range p.Changes {
		c := &p.Changes[i]
		if sign[c.Action] == "" {
			continue
		}
		fmt.Fprintf(&b, "%s %s %s/%s\n", sign[c.Action], c.Action, c.App, c.Name)
		for _, f := range c.Fields {
			b.WriteString("    " + f.show(c.Action, values) + "\n")
		}
	}
	if b.Len() > 0 {
		b.WriteString("\n")
	}
	b.WriteString(p.Counts() + "\n")
	return b.String()
}

func (f *FieldChange) show(a Action, values bool) string {
	if f.Hidden && !values {
		switch {
		case f.Before == nil:
			return f.Path + ": set (hidden)"
		case f.After == nil:
			return f.Path + ": taken away (hidden)"
		}
		return f.Path + ": changed (hidden)"
	}
	switch {
	case f.Before == nil && a == Create:
		return f.Path + ": " + *f.After
	case f.Before == nil:
		return f.Path + ": nothing → " + *f.After
	case f.After == nil:
		return f.Path + ": " + *f.Before + " → nothing"
	}
	return f.Path + ": " + *f.Before + " → " + *f.After
}

// Counts says in a sentence how many jobs are to be created, changed and deleted.
func (p *Plan) Counts() string {
	text := fmt.Sprintf("%d to create, %d to change, %d to delete, %d unchanged.",
		p.Count(Create), p.Count(Update), p.Count(Delete), p.Count(Unchanged))
	if n := p.Count(Unmanaged); n > 0 {
		text += fmt.Sprintf(" On the server and in no file: %d (kept; --prune deletes them).", n)
	}
	return text
}
