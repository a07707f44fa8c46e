package imports

import (
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/belfry-scheduler/belfry/services/jobfile"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// UserColumn says whether the lines of a crontab name a user before the command.
type UserColumn string

// User columns.
const (
	UserAuto    UserColumn = "auto" // by the file's name and contents
	UserYes     UserColumn = "yes"
	UserNo      UserColumn = "no"
	UserAnacron UserColumn = "anacrontab" // period, delay, identifier, command
)

// crontab is a crontab being read.
type crontab struct {
	*maker
	env     []variable // of the lines that follow, in order
	user    bool
	comment []string // lines right above
}

type variable struct{ name, value string }

// Crontab reads a crontab of vixie cron, cronie or their kin, or an anacrontab.
func Crontab(text []byte, o Options, column UserColumn) Result {
	c := &crontab{maker: newMaker(o)}
	lines := strings.Split(strings.ReplaceAll(validUTF8(text), "\r\n", "\n"), "\n")
	if column == UserAuto {
		column = c.detect(lines)
	}
	c.user = column == UserYes
	c.note(Understood, 0, "", "Times are read in the zone %s.", c.zone())
	for i, line := range lines {
		line = strings.TrimLeft(line, " \t")
		switch {
		case line == "":
			c.comment = nil
		case line[0] == '#' && strings.Contains(line, "dom") && strings.Contains(line, "dow"): // the names of the columns
			c.comment = nil
		case line[0] == '#':
			c.comment = append(c.comment, strings.TrimSpace(strings.TrimLeft(line, "#")))
		case c.setting(i+1, line):
			c.comment = nil
		case column == UserAnacron:
			c.anacron(i+1, line)
			c.comment = nil
		default:
			c.entry(i+1, line)
			c.comment = nil
		}
	}
	return c.result()
}

var systemFile = regexp.MustCompile(`(^|/)(etc/crontab|cron\.d/[^/]+)$`)

// detect finds out the columns by the file's name, the usual comment or root.
func (c *crontab) detect(lines []string) UserColumn {
	switch {
	case path.Base(c.Source) == "anacrontab":
		return UserAnacron
	case systemFile.MatchString(strings.ReplaceAll(c.Source, `\`, "/")):
		c.note(Understood, 0, "", "The lines have a user column, by the file's name; --user-column=no if they have none.")
		return UserYes
	}
	for i, line := range lines {
		fields := strings.Fields(line)
		switch {
		case len(fields) > 0 && fields[0][0] == '#' && strings.Contains(line, "dow") && strings.Contains(line, "user"),
			len(fields) > 6 && fields[5] == "root", len(fields) > 2 && strings.HasPrefix(fields[0], "@") && fields[1] == "root":
			c.note(Understood, i+1, "", "The lines have a user column; --user-column=no if they have none.")
			return UserYes
		}
	}
	return UserNo
}

var settingLine = regexp.MustCompile(`^("[^"]*"|'[^']*'|[A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*(.*?)[ \t]*$`)

// setting reads an environment line.
func (c *crontab) setting(line int, text string) bool {
	m := settingLine.FindStringSubmatch(text)
	if m == nil {
		return false
	}
	v := variable{unquote(m[1]), unquote(m[2])}
	c.env = slices.DeleteFunc(c.env, func(known variable) bool { return known.name == v.name })
	c.env = append(c.env, v)
	switch v.name {
	case "MAILTO", "MAILFROM", "CONTENT_TYPE", "CONTENT_TRANSFER_ENCODING":
		if v.name == "MAILTO" && v.value != "" {
			c.note(Lost, line, v.name, "cron mails the output to %s; here it is in the task's log: make an alert rule that tells of failures by e-mail.", v.value)
		}
	case "CRON_TZ":
		if _, err := schedule.LoadZone(v.value); err != nil {
			c.note(Lost, line, v.name, "%s. The jobs below stay in %s.", err.Error(), c.zone())
		}
	case "TZ":
		c.note(Understood, line, v.name, "TZ is handed to the commands; cron itself goes by CRON_TZ or the machine's zone.")
	case "LOGNAME", "USER":
		c.note(Understood, line, v.name, "cron does not let a crontab change who runs the commands.")
	case "RANDOM_DELAY":
		c.note(Changed, line, v.name, "Each fire of the jobs below is put off by a stable part of %s minutes (jitter), and not by another one each time.", v.value)
	}
	return true
}

// unquote takes one pair of quotes away, as cron does.
func unquote(s string) string {
	if len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}

func (c *crontab) value(name string) string {
	for _, v := range c.env {
		if v.name == name {
			return v.value
		}
	}
	return ""
}

// cut takes the first word of a text.
func cut(text string) (word, rest string) {
	text = strings.TrimLeft(text, " \t")
	i := strings.IndexAny(text, " \t")
	if i < 0 {
		return text, ""
	}
	return text[:i], strings.TrimLeft(text[i:], " \t")
}

// entry reads a line with a time and a command.
func (c *crontab) entry(line int, text string) {
	if text[0] == '-' {
		text = text[1:]
		c.note(Understood, line, "", "The leading - only keeps cron from logging.")
	}
	var when, rest string
	if text != "" && text[0] == '@' {
		when, rest = cut(text)
	} else {
		fields := make([]string, 5)
		rest = text
		for i := range fields {
			fields[i], rest = cut(rest)
		}
		when = strings.Join(fields, " ")
	}
	user := ""
	if c.user {
		user, rest = cut(rest)
	}
	if rest == "" {
		c.note(Lost, line, "", "The line cannot be read: it has no command. It was %s.", strconv.Quote(tidy(text, 80)))
		return
	}
	name := c.unique(c.App, nameOf(rest))
	trigger, ok := c.when(line, name, when)
	if !ok {
		return
	}
	j := jobfile.Job{
		Name: name, Description: strings.Join(c.comment, "\n"), Trigger: trigger, Timeout: noLimit,
		Comment: "line " + strconv.Itoa(line) + " of " + tidy(path.Base(c.Source), 100),
	}
	if trigger.Cron != nil {
		j.Misfire = &jobfile.Misfire{Policy: "SKIP"}
	}
	c.command(&j, rest, user)
	if c.add(line, c.App, j) {
		c.commonNotes(line, name, user)
	}
}

func (c *crontab) commonNotes(line int, name, user string) {
	c.note(Understood, line, name, "Job %s.", strconv.Quote(name))
	if user != "" {
		c.note(Understood, line, name, "It runs as %s: the agent must be allowed to change to that user, or run as it.", user)
	}
	c.once(Changed, noLimitText)
	c.once(Understood, "As with cron, runs may overlap, a failure is not tried again, and a fire that is missed while the server is down is not made up. Set concurrency: SKIP, retry and misfire.policy: FIRE_ONCE where that is wanted.")
	c.once(Understood, "The commands run on a belfry agent (handlers command and its shell form); its allow-list says which.")
}

// when reads the time of an entry; false when it cannot be carried.
func (c *crontab) when(line int, name, when string) (jobfile.Trigger, bool) {
	zone := c.zone()
	if z := c.value("CRON_TZ"); z != "" {
		if _, err := schedule.LoadZone(z); err == nil {
			zone = z
		}
	}
	cron := &jobfile.Cron{Expression: when, Zone: zone}
	if n, err := strconv.Atoi(c.value("RANDOM_DELAY")); err == nil && n > 0 {
		cron.Jitter = strconv.Itoa(min(n, 24*60)) + "m"
	}
	switch when {
	case "@reboot":
		c.note(Lost, line, name, "@reboot has no instants: the job runs only when somebody starts it (manual). Have the service that needs it start it, or keep this line in the crontab.")
		return jobfile.Trigger{Manual: true}, true
	case "@every_minute":
		cron.Expression = "* * * * *"
	case "@every_second":
		cron.Expression = "* * * * * ?"
	default:
		if when[0] != '@' {
			cron.Expression = c.fields(line, name, when)
		}
	}
	if _, err := schedule.ParseCron(cron.Expression, ""); err != nil || strings.HasPrefix(when, "@") != (strings.HasPrefix(cron.Expression, "@") || strings.HasPrefix(when, "@every_")) {
		c.note(Lost, line, name, "The time %s cannot be read, and cron would not run it: %s.", strconv.Quote(tidy(when, 60)), errText(err))
		return jobfile.Trigger{}, false
	}
	return jobfile.Trigger{Cron: cron}, true
}

func errText(err error) string {
	if err == nil {
		return "it is no macro"
	}
	return err.Error()
}

var (
	randomRange = regexp.MustCompile(`^(\d*)~(\d*)$`)
	singleStep  = regexp.MustCompile(`^(\d+|[A-Za-z]{3})/\d+$`)
	last        = [5]string{"59", "23", "31", "12", "6"}
	first       = [5]string{"0", "0", "1", "1", "0"}
)

// fields writes what cron reads in its own way as Belfry does.
func (c *crontab) fields(line int, name, when string) string {
	fields := strings.Split(when, " ")
	for i, field := range fields {
		parts := strings.Split(field, ",")
		for k, part := range parts {
			if m := randomRange.FindStringSubmatch(part); m != nil && i < 5 {
				low, high := m[1], m[2]
				if low == "" {
					low = first[i]
				}
				if high == "" {
					high = last[i]
				}
				parts[k] = "H(" + low + "-" + high + ")"
				c.note(Changed, line, name, "%s is drawn anew by cron each time it starts; here %s is a value of that range that stays.", part, parts[k])
			}
			if m := singleStep.FindStringSubmatch(part); m != nil {
				parts[k] = m[1]
				c.note(Changed, line, name, "cron reads %s as %s alone (a step needs a range); if every so many was meant, write %s-%s%s.", part, m[1], m[1], last[min(i, 4)], part[len(m[1]):])
			}
		}
		fields[i] = strings.Join(parts, ",")
	}
	return strings.Join(fields, " ")
}
