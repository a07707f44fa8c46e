package allow

import (
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// Request is what a job asks to run: Arguments begin with the program, or Shell is a
// text for a shell.
type Request struct {
	Arguments   []string
	Shell       string
	User        string   // "" is the agent's own
	Directory   string   // "" is the default
	Environment []string // names that the job sets
}

// Permit is a request that is allowed, with what the rule says about it.
type Permit struct {
	Program string // absolute path of the program or shell; "" is the system's own shell
	Account Account
}

// Run decides whether a request may run. A refusal is a fault with code FORBIDDEN;
// it names what is missing and, when no rule fits at all, the lines that would allow it.
func (l *List) Run(r Request) (Permit, *fault.Error) {
	if r.Shell != "" {
		return l.runShell(r)
	}
	program := r.Arguments[0]
	rules := l.commandsFor(program)
	if clash := ambiguous(program, rules); clash != nil {
		return Permit{}, clash
	}
	var nearest *fault.Error
	for _, c := range rules {
		if !c.takes(r.Arguments[1:]) {
			continue
		}
		refusal := c.Account.admits(r)
		if refusal == nil {
			return Permit{Program: c.Program, Account: c.Account}, nil
		}
		nearest = refusal
	}
	switch {
	case nearest != nil:
		return Permit{}, nearest
	case len(rules) > 0:
		return Permit{}, fault.New(fault.Forbidden, "The program %s is allowed, but not with these arguments.\n%s", rules[0].Program, r.lines(rules[0].Program))
	}
	return Permit{}, fault.New(fault.Forbidden, "The program %q is not allowed here.\n%s", program, r.lines(program))
}

func (l *List) runShell(r Request) (Permit, *fault.Error) {
	var nearest *fault.Error
	for i := range l.Shell {
		s := &l.Shell[i]
		if !s.Any && !s.text.MatchString(r.Shell) {
			continue
		}
		refusal := s.Account.admits(r)
		if refusal == nil {
			return Permit{Program: s.Program, Account: s.Account}, nil
		}
		nearest = refusal
	}
	if nearest != nil {
		return Permit{}, nearest
	}
	return Permit{}, fault.New(fault.Forbidden, "This shell text is not allowed here.\n%s", r.lines(""))
}

// commandsFor answers the rules for a program, which is an absolute path or the
// last part of one. A bare name is looked up in the list and never on a path.
func (l *List) commandsFor(program string) []*Command {
	var found []*Command
	for i := range l.Commands {
		c := &l.Commands[i]
		if c.Program == program || !strings.ContainsAny(program, `/\`) && baseName(c.Program) == program {
			found = append(found, c)
		}
	}
	return found
}

func ambiguous(program string, rules []*Command) *fault.Error {
	for _, c := range rules {
		if c.Program != rules[0].Program {
			return fault.New(fault.Forbidden, "The program %q may be %s or %s: the allow-list has both, so give the whole path.", program, rules[0].Program, c.Program)
		}
	}
	return nil
}

func baseName(program string) string { return path.Base(filepath.ToSlash(program)) }

func (c *Command) takes(arguments []string) bool {
	if c.AnyArguments {
		return true
	}
	if len(arguments) < len(c.arguments) {
		return false
	}
	for i, argument := range arguments {
		pattern := c.more
		if i < len(c.arguments) {
			pattern = c.arguments[i]
		}
		if pattern == nil || !pattern.MatchString(argument) {
			return false
		}
	}
	return true
}

func (c *Command) compile(at string, problems *fault.List) {
	if !filepath.IsAbs(c.Program) || filepath.Clean(c.Program) != c.Program {
		problems.Add(fault.At(at+".program", fault.Invalid, "%s.program is %q: give the program's absolute path.", at, c.Program))
	}
	if c.AnyArguments && (len(c.Arguments) > 0 || c.More != "") {
		problems.Add(fault.At(at+".anyArguments", fault.Invalid, "%s has anyArguments and patterns: give one or the other.", at))
	}
	c.arguments = make([]*regexp.Regexp, len(c.Arguments))
	for i, expression := range c.Arguments {
		c.arguments[i] = whole(at+".arguments", expression, problems)
	}
	if c.More != "" {
		c.more = whole(at+".moreArguments", c.More, problems)
	}
	c.Account.check(at, problems)
}

func (s *Shell) compile(at string, problems *fault.List) {
	switch {
	case s.Any && s.Text != "", !s.Any && s.Text == "":
		problems.Add(fault.At(at+".text", fault.Invalid, "%s needs either text, a regular expression for the whole text, or any: true.", at))
	case s.Text != "":
		s.text = whole(at+".text", s.Text, problems)
	}
	if s.Program != "" && (!filepath.IsAbs(s.Program) || filepath.Clean(s.Program) != s.Program) {
		problems.Add(fault.At(at+".program", fault.Invalid, "%s.program is %q: give the shell's absolute path.", at, s.Program))
	}
	s.Account.check(at, problems)
}
