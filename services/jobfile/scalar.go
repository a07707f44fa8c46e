package jobfile

import (
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// text reads a text. A number or truth value is refused with the remedy, since
// which text was meant is not known: 010, 1.10, no.
func (r *reader) text(n ast.Node, path string) (string, bool) {
	switch v := r.plain(n).(type) {
	case *ast.StringNode:
		return v.Value, true
	case *ast.LiteralNode:
		return v.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		r.say(n, "%s is %s and must be a text; put it in quotes: %q.", path, kindOf(v), v.GetToken().Value)
	case *ast.NullNode:
		r.say(n, "%s is empty; write \"\" for an empty text.", path)
	default:
		r.say(n, "%s is %s; write a text.", path, kindOf(v))
	}
	return "", false
}

// scalar reads a value that is no collection.
func (r *reader) scalar(s *shape, n ast.Node, path string) any {
	switch s.kind { //nolint:exhaustive // the others are texts
	case whole:
		return r.whole(s, n, path)
	case share:
		return r.share(n, path)
	case truth:
		if b, ok := n.(*ast.BoolNode); ok {
			return b.Value
		}
		r.say(n, "%s is %s; write true or false.", path, kindOf(n))
		return nil
	}
	if s.kind == span {
		switch n.(type) {
		case *ast.IntegerNode, *ast.FloatNode:
			r.say(n, "%s is %s; write a length of time with its unit, such as %ss or %sm.", path, kindOf(n), kindOf(n), kindOf(n))
			return nil
		}
	}
	text, ok := r.text(n, path)
	if !ok {
		return nil
	}
	if err := wrong(s, path, text); err != nil {
		r.say(n, "%s", err.Message)
		return nil
	}
	return text
}

func (r *reader) whole(s *shape, n ast.Node, path string) any {
	v, ok := n.(*ast.IntegerNode)
	if !ok {
		r.say(n, "%s is %s; write a whole number.", path, kindOf(n))
		return nil
	}
	number, err := strconv.ParseInt(v.Token.Value, 0, 32)
	if err != nil {
		r.say(n, "%s is %s; it must be %s to %s.", path, v.Token.Value, check.Thousands(s.low), check.Thousands(s.high))
		return nil
	}
	if err := check.Number(path, int(number), s.low, s.high); err != nil {
		r.say(n, "%s", err.Message)
		return nil
	}
	return number
}

func (r *reader) share(n ast.Node, path string) any {
	raw, ok := r.anything(n, path, 0).(json.Number)
	v, err := raw.Float64()
	if !ok || err != nil || v < 0 || v > 1 {
		r.say(n, "%s is %s; write a number from 0 to 1.", path, kindOf(n))
		return nil
	}
	return v
}

// wrong says what is wrong with a text.
func wrong(s *shape, path, text string) *fault.Error {
	switch s.kind { //nolint:exhaustive // the others are no texts
	case line:
		return check.Line(path, text, s.high)
	case prose:
		return check.Text(path, text, s.high)
	case name:
		return check.Name(path, text)
	case word:
		return oneOf(path, text, s.words)
	case span:
		d, err := time.ParseDuration(text)
		if err != nil {
			return fault.At(path, fault.Invalid, "%s is %s; write a length of time such as 250ms, 90s or 1h30m.", path, check.Quote(text))
		}
		return check.Span(path, d, s.from, s.to)
	case instant:
		at, err := time.Parse(time.RFC3339, text)
		if err != nil {
			return fault.At(path, fault.Invalid, "%s is %s; write an instant such as 2026-03-08T07:30:00Z or 2026-03-08T07:30:00+08:00.", path, check.Quote(text))
		}
		return check.Instant(path, at)
	case zone:
		if _, err := schedule.LoadZone(text); err != nil {
			return fault.At(path, fault.Invalid, "%s: %s.", path, err.Error())
		}
	case expression:
		if _, err := schedule.ParseCron(text, ""); err != nil {
			if parse, ok := errors.AsType[*schedule.ParseError](err); ok {
				return fault.At(path, fault.Invalid, "The expression %s is wrong at %s.", check.Quote(text), parse.Error())
			}
			return fault.At(path, fault.Invalid, "The expression %s is wrong: %s.", check.Quote(text), err.Error())
		}
	}
	return nil
}

func oneOf(path, text string, words []string) *fault.Error {
	if slices.Contains(words, text) {
		return nil
	}
	for _, w := range words {
		if strings.EqualFold(w, text) {
			return fault.At(path, fault.Invalid, "%s is %s; it is written in capitals: %s.", path, check.Quote(text), w)
		}
	}
	return fault.At(path, fault.Invalid, "%s is %s; it must be one of %s.", path, check.Quote(text), strings.Join(words, ", "))
}

// rules are those that tie several fields of a job together.
func (r *reader) rules(j *Job) {
	at := func(path, message string) {
		line, column := j.Where(path)
		r.problems = append(r.problems, Problem{r.source, line, column, message})
	}
	if err := check.JSON("parameters", j.Parameters, check.MaxJSON); err != nil {
		at("parameters", err.Message)
	}
	if t := j.Trigger; t.Cron == nil && t.FixedRate == nil && t.FixedDelay == nil && t.Dependency == nil && !t.Manual {
		at("trigger.manual", "trigger.manual is false; write true or another kind of trigger.")
	}
	if c := j.Trigger.Cron; c != nil && c.OnRestDay != "" && c.Calendar == "" {
		at("trigger.cron.onRestDay", "trigger.cron.onRestDay has no effect without trigger.cron.calendar; name one or leave it out.")
	}
	if n := normalRetry(j.Retry); spanOf(n.MaxDelay) < spanOf(n.Delay) {
		at("retry.maxDelay", "retry.maxDelay is "+n.MaxDelay+" and shorter than retry.delay, "+n.Delay+"; make it at least as long.")
	}
	if d := j.Trigger.Dependency; d != nil {
		for i, u := range d.Upstream {
			if u.Job == j.Name && u.App == "" {
				at("trigger.dependency.upstream."+strconv.Itoa(i)+".job", "The job would wait for itself; name another one.")
			}
		}
	}
	r.routing(j, at)
}

// routing looks whether each field belongs to the strategy.
func (r *reader) routing(j *Job, at func(path, message string)) {
	v := j.Routing
	if v == nil {
		return
	}
	for _, f := range []struct {
		name  string
		given bool
		owner string
	}{
		{"key", v.Key != "", "CONSISTENT_HASH"},
		{"node", v.Node != "", "PINNED"},
		{"fallback", v.Fallback != "", "PINNED"},
		{"fallbackAfter", v.FallbackAfter != "", "PINNED"},
		{"labels", len(v.Labels) > 0, "LABELS"},
	} {
		if f.given && v.Strategy != f.owner {
			at("routing."+f.name, "routing."+f.name+" is only for the strategy "+f.owner+"; leave it out with "+v.Strategy+".")
		}
	}
	switch {
	case v.Strategy == "PINNED" && v.Node == "":
		at("routing", "routing.node is missing; name the node that the job is pinned to.")
	case v.Strategy == "LABELS" && len(v.Labels) == 0:
		at("routing", "routing.labels is missing; name labels that a node must have.")
	case v.Strategy == "PINNED" && v.FallbackAfter != "" && (v.Fallback == "" || v.Fallback == "WAIT"):
		at("routing.fallbackAfter", "routing.fallbackAfter has no effect with the fallback WAIT; leave it out, or choose ANY or FAIL.")
	}
}
