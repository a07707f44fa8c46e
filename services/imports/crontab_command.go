package imports

import (
	"fmt"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/services/jobfile"
)

// split takes apart what stands behind the time: at the first % that has no backslash
// the command ends; what follows is its standard input, with line breaks for further
// ones.
func split(text string) (command, stdin string, hasStdin bool) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == '%':
			b.WriteByte('%')
			i++
		case text[i] == '%' && !hasStdin:
			hasStdin = true
			command = b.String()
			b.Reset()
		case text[i] == '%':
			b.WriteByte('\n')
		default:
			b.WriteByte(text[i])
		}
	}
	if !hasStdin {
		return b.String(), "", false
	}
	if stdin = b.String(); !strings.HasSuffix(stdin, "\n") {
		stdin += "\n"
	}
	return command, stdin, true
}

// plainCommand are commands that mean the same without a shell.
var plainCommand = regexp.MustCompile(`^[A-Za-z0-9_./+:@,-]+( +[A-Za-z0-9_./+:@,=-]+)*$`)

// builtins are commands that only a shell knows.
var builtins = map[string]bool{".": true, "cd": true, "source": true, "exec": true, "export": true, "set": true, "ulimit": true, "umask": true, "command": true, "eval": true, "if": true, "for": true, "while": true, "until": true, "case": true, "time": true, ":": true, "type": true, "wait": true, "trap": true, "test": true}

// command puts a command with its environment into a job of the agent.
func (c *crontab) command(j *jobfile.Job, text, user string) {
	command, stdin, hasStdin := split(text)
	command = strings.TrimSpace(command)
	j.Handler = "command"
	p := map[string]any{}
	shell := c.value("SHELL")
	word, _ := cut(command)
	switch {
	case plainCommand.MatchString(command) && !builtins[word]:
		p["command"] = strings.Fields(command)
	case shell == "" || shell == "/bin/sh":
		p["shell"] = command
	default:
		p["command"] = []string{shell, "-c", command}
	}
	if hasStdin {
		p["stdin"] = stdin
	}
	env := map[string]string{}
	for _, v := range c.env {
		switch v.name {
		case "MAILTO", "MAILFROM", "CONTENT_TYPE", "CONTENT_TRANSFER_ENCODING", "CRON_TZ", "RANDOM_DELAY", "LOGNAME", "USER", "START_HOURS_RANGE":
			continue
		}
		env[v.name] = v.value
	}
	if home := env["HOME"]; home != "" {
		p["dir"] = home // cron starts commands there
	}
	if len(env) > 0 {
		p["env"] = env
	}
	if user != "" {
		p["user"] = user
	}
	j.Parameters = raw(p)
}

// interpreters are programs whose first argument says more than their own name.
var interpreters = regexp.MustCompile(`^(ba|da|z|k)?sh$|^(python|perl|ruby|php|node|java|pwsh|env|sudo|nice|ionice|flock|timeout|nohup|chronic|setsid|run-one|exec|time)[0-9.]*$`)

var wordLike = regexp.MustCompile(`^[A-Za-z0-9_.+-]+$`)

// nameOf makes a name of a command: its program, or what an interpreter runs.
func nameOf(command string) string {
	text, _, _ := split(command)
	best := ""
	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" \t;&|()<>\"'`$", c) }) {
		if strings.HasPrefix(word, "-") || strings.Contains(word, "=") || word == "[" || word == "test" || word == "cd" {
			continue
		}
		base := path.Base(word)
		if !wordLike.MatchString(base) || base == "." || base == ".." || base == "null" {
			continue
		}
		if best == "" {
			best = base
		}
		if _, err := strconv.Atoi(base); err == nil || interpreters.MatchString(base) {
			continue
		}
		if strings.Contains(text, "cd "+word) {
			continue // where it works, not what it does
		}
		return base
	}
	return best
}

// anacron reads a line of an anacrontab.
func (c *crontab) anacron(line int, text string) {
	period, rest := cut(text)
	delay, rest := cut(rest)
	id, rest := cut(rest)
	minutes, err := strconv.Atoi(delay)
	if rest == "" || err != nil || minutes < 0 {
		c.note(Lost, line, "", "The line cannot be read: it needs a period, a delay, a name and a command. It was %s.", strconv.Quote(tidy(text, 80)))
		return
	}
	hour := 0
	if from, _, ok := strings.Cut(c.value("START_HOURS_RANGE"), "-"); ok {
		hour, _ = strconv.Atoi(from)
	}
	at := time.Date(2000, 1, 1, hour%24, minutes, 0, 0, time.UTC)
	clockTime := fmt.Sprintf("%d %d", at.Minute(), at.Hour())
	name := c.unique(c.App, id)
	cron := &jobfile.Cron{Zone: c.zone()}
	trigger := jobfile.Trigger{Cron: cron}
	switch period {
	case "1", "@daily":
		cron.Expression = clockTime + " * * *"
	case "7", "@weekly":
		cron.Expression = clockTime + " * * 0"
	case "@monthly":
		cron.Expression = clockTime + " 1 * *"
	case "@yearly", "@annually":
		cron.Expression = clockTime + " 1 1 *"
	default:
		days, err := strconv.Atoi(period)
		if err != nil || days < 1 || days > 366 {
			c.note(Lost, line, name, "The period %s is not known.", strconv.Quote(tidy(period, 40)))
			return
		}
		trigger = jobfile.Trigger{FixedRate: &jobfile.FixedRate{Every: strconv.Itoa(days*24) + "h"}}
	}
	if n, err := strconv.Atoi(c.value("RANDOM_DELAY")); err == nil && n > 0 && trigger.Cron != nil {
		cron.Jitter = strconv.Itoa(min(n, 24*60)) + "m"
	}
	j := jobfile.Job{
		Name: name, Description: strings.Join(c.comment, "\n"), Trigger: trigger, Timeout: noLimit, Misfire: &jobfile.Misfire{Policy: "FIRE_ONCE"},
		Comment: "line " + strconv.Itoa(line) + " of " + tidy(path.Base(c.Source), 100),
	}
	c.command(&j, rest, "")
	if c.add(line, c.App, j) {
		c.note(Changed, line, name, "anacron counts days since the last run; here it runs on a schedule, and a run that was missed is made up once.")
		c.once(Changed, noLimitText)
	}
}
