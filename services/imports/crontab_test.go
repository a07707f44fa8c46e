package imports

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/services/jobfile"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// entryOf imports a crontab of one command and answers its job and notes.
func entryOf(t *testing.T, text string, column UserColumn) (jobfile.Job, []Note) {
	t.Helper()
	r := Crontab([]byte(text), Options{Source: "crontab", App: "ops", Zone: "Europe/Berlin"}, column)
	if r.Jobs() != 1 {
		t.Fatalf("%d jobs of %q: %+v", r.Jobs(), text, r.Notes)
	}
	return r.Documents[0].Jobs[0], r.Notes
}

func TestCrontabCommands(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, name, parameters string }{
		{"0 5 * * * /usr/local/bin/backup.sh -v", "backup.sh", `{"command":["/usr/local/bin/backup.sh","-v"]}`},
		{"0 5 * * * cd /srv/app && ./manage.py clearsessions >/dev/null 2>&1", "manage.py", `{"shell":"cd /srv/app \u0026\u0026 ./manage.py clearsessions \u003e/dev/null 2\u003e\u00261"}`},
		{"0 5 * * * date +\\%F", "date", `{"shell":"date +%F"}`},
		{"0 5 * * * mail -s hello root%line one%line \\% two", "mail", `{"command":["mail","-s","hello","root"],"stdin":"line one\nline % two\n"}`},
		{"0 5 * * * cat%", "cat", `{"command":["cat"],"stdin":"\n"}`},
		{"SHELL=/bin/bash\nPATH = \"/opt/bin:/bin\"\n* * * * * [[ -f /x ]] && y", "x", `{"command":["/bin/bash","-c","[[ -f /x ]] \u0026\u0026 y"],"env":{"PATH":"/opt/bin:/bin","SHELL":"/bin/bash"}}`},
		{"HOME=/srv\nMAILTO=\"\"\nX='a b '\n0 5 * * * python3 -u /srv/report.py", "report.py", `{"command":["python3","-u","/srv/report.py"],"dir":"/srv","env":{"HOME":"/srv","X":"a b "}}`},
		{"0 5 * * * FOO=bar run", "run", `{"shell":"FOO=bar run"}`},
		{"0 5 * * * cd /tmp", "tmp", `{"shell":"cd /tmp"}`},
	} {
		j, _ := entryOf(t, c.text, UserNo)
		if j.Name != c.name || string(j.Parameters) != c.parameters || j.Handler != "command" {
			t.Errorf("%q: job %q with %s, want %q with %s", c.text, j.Name, j.Parameters, c.name, c.parameters)
		}
	}
}

func TestCrontabTimes(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text string
		want jobfile.Trigger
		note string
	}{
		{"*/5 8-18 * * MON-FRI x", jobfile.Trigger{Cron: &jobfile.Cron{Expression: "*/5 8-18 * * MON-FRI", Zone: "Europe/Berlin"}}, ""},
		{"\t 0\t5 1,15  *   7 x", jobfile.Trigger{Cron: &jobfile.Cron{Expression: "0 5 1,15 * 7", Zone: "Europe/Berlin"}}, ""},
		{"@daily x", jobfile.Trigger{Cron: &jobfile.Cron{Expression: "@daily", Zone: "Europe/Berlin"}}, ""},
		{"@every_minute x", jobfile.Trigger{Cron: &jobfile.Cron{Expression: "* * * * *", Zone: "Europe/Berlin"}}, ""},
		{"@reboot x", jobfile.Trigger{Manual: true}, "@reboot has no instants"},
		{"-0 5 * * * x", jobfile.Trigger{Cron: &jobfile.Cron{Expression: "0 5 * * *", Zone: "Europe/Berlin"}}, "leading -"},
		{"CRON_TZ=Asia/Tokyo\n0 5 * * * x", jobfile.Trigger{Cron: &jobfile.Cron{Expression: "0 5 * * *", Zone: "Asia/Tokyo"}}, ""},
		{"TZ=Asia/Tokyo\n0 5 * * * x", jobfile.Trigger{Cron: &jobfile.Cron{Expression: "0 5 * * *", Zone: "Europe/Berlin"}}, "TZ is handed to the commands"},
		{"CRON_TZ=Nowhere/City\n0 5 * * * x", jobfile.Trigger{Cron: &jobfile.Cron{Expression: "0 5 * * *", Zone: "Europe/Berlin"}}, "The jobs below stay in Europe/Berlin"},
		{"0~29 5 * * * x", jobfile.Trigger{Cron: &jobfile.Cron{Expression: "H(0-29) 5 * * *", Zone: "Europe/Berlin"}}, "a value of that range that stays"},
		{"~ ~ * * * x", jobfile.Trigger{Cron: &jobfile.Cron{Expression: "H(0-59) H(0-23) * * *", Zone: "Europe/Berlin"}}, ""},
		{"5/15 * * * * x", jobfile.Trigger{Cron: &jobfile.Cron{Expression: "5 * * * *", Zone: "Europe/Berlin"}}, "write 5-59/15"},
		{"RANDOM_DELAY=45\n0 5 * * * x", jobfile.Trigger{Cron: &jobfile.Cron{Expression: "0 5 * * *", Zone: "Europe/Berlin", Jitter: "45m"}}, "stable part of 45 minutes"},
	} {
		j, notes := entryOf(t, c.text, UserNo)
		if d := cmp.Diff(c.want, j.Trigger); d != "" {
			t.Errorf("%q: %s", c.text, d)
		}
		if !strings.Contains(fmt.Sprint(notes), c.note) {
			t.Errorf("%q: no %q in %v", c.text, c.note, notes)
		}
	}
}

func TestCrontabUserColumn(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		source, text string
		column       UserColumn
		user         string
	}{
		{"/etc/crontab", "17 * * * * root run-parts", UserAuto, "root"},
		{"/etc/cron.d/php", "09,39 * * * * www-data clean", UserAuto, "www-data"},
		{"saved", "# m h dom mon dow user\tcommand\n1 * * * * backup x", UserAuto, "backup"},
		{"saved", "1 * * * * root /bin/x", UserAuto, "root"},
		{"saved", "1 * * * * backup /bin/x", UserAuto, ""},
		{"saved", "@daily root /bin/x", UserAuto, "root"},
		{"saved", "1 * * * * backup /bin/x", UserYes, "backup"},
		{"/etc/crontab", "1 * * * * backup /bin/x", UserNo, ""},
	} {
		r := Crontab([]byte(c.text), Options{Source: c.source, App: "ops"}, c.column)
		if r.Jobs() != 1 {
			t.Errorf("%q: %v", c.text, r.Notes)
			continue
		}
		var p struct{ User string }
		if err := json.Unmarshal(r.Documents[0].Jobs[0].Parameters, &p); err != nil || p.User != c.user {
			t.Errorf("%q in %s: user %q, %v", c.text, c.source, p.User, err)
		}
	}
}

func TestCrontabLinesThatCannotBeRead(t *testing.T) {
	t.Parallel()
	r := Crontab([]byte("# fine\n61 * * * * x\n* * * * *\n@fortnightly x\nhello\n0 22-2 * * * x\n0 5 * * * ok\n0 0 30 2 * never\n"), Options{App: "ops"}, UserNo)
	lines := map[int]bool{}
	for _, n := range r.Notes {
		if n.Level == Lost {
			lines[n.Line] = true
		}
	}
	if want := map[int]bool{2: true, 3: true, 4: true, 5: true, 6: true}; !cmp.Equal(lines, want) {
		t.Errorf("lost lines %v", r.Notes)
	}
	if r.Jobs() != 2 {
		t.Errorf("%d jobs", r.Jobs())
	}
}

func TestAnacrontab(t *testing.T) {
	t.Parallel()
	r := Crontab([]byte(`SHELL=/bin/sh
RANDOM_DELAY=45
START_HOURS_RANGE=3-22
1	5	cron.daily		nice run-parts /etc/cron.daily
7	25	cron.weekly	nice run-parts /etc/cron.weekly
@monthly 70	cron.monthly	nice run-parts /etc/cron.monthly
3 0 third x
bad line
`), Options{Source: "/etc/anacrontab", App: "ops", Zone: "UTC"}, UserAuto)
	if r.Jobs() != 4 || r.Count(Lost) != 1 {
		t.Fatalf("%v", r.Notes)
	}
	var got []string
	for _, j := range r.Documents[0].Jobs {
		if j.Trigger.Cron != nil {
			got = append(got, j.Name+" "+j.Trigger.Cron.Expression+" "+j.Trigger.Cron.Jitter)
		} else {
			got = append(got, j.Name+" "+j.Trigger.FixedRate.Every)
		}
	}
	if d := cmp.Diff([]string{"cron.daily 5 3 * * * 45m", "cron.weekly 25 3 * * 0 45m", "cron.monthly 10 4 1 * * 45m", "third 72h"}, got); d != "" {
		t.Error(d)
	}
}

// vixie is what cron does with a line, told apart from ours: sets of numbers, and the
// two day fields as alternatives unless one of them begins with a star.
type vixie struct {
	sets             [5]map[int]bool
	dayStar, dowStar bool
}

func vixieOf(expression string) vixie {
	names := [5]map[string]int{3: {}, 4: {}}
	for i, n := range strings.Fields("jan feb mar apr may jun jul aug sep oct nov dec") {
		names[3][n] = i + 1
	}
	for i, n := range strings.Fields("sun mon tue wed thu fri sat") {
		names[4][n] = i
	}
	bounds := [5][2]int{{0, 59}, {0, 23}, {1, 31}, {1, 12}, {0, 7}}
	var v vixie
	for i, field := range strings.Fields(expression) {
		v.sets[i] = map[int]bool{}
		for part := range strings.SplitSeq(field, ",") {
			span, stepText, stepped := strings.Cut(part, "/")
			low, high, step := bounds[i][0], bounds[i][1], 1
			number := func(s string) int {
				if n, ok := names[i][strings.ToLower(s)]; ok {
					return n
				}
				n := 0
				_, _ = fmt.Sscan(s, &n)
				return n
			}
			if span != "*" {
				from, to, ranged := strings.Cut(span, "-")
				low = number(from)
				high = low
				if ranged {
					high = number(to)
				}
			}
			if stepped {
				_, _ = fmt.Sscan(stepText, &step)
			}
			for n := low; n <= high; n += step {
				v.sets[i][n] = true
				if i == 4 && n == 7 {
					v.sets[i][0] = true
				}
			}
		}
		switch i {
		case 2:
			v.dayStar = field[0] == '*'
		case 4:
			v.dowStar = field[0] == '*'
		}
	}
	return v
}

func (v vixie) fires(at time.Time) bool {
	day, dow := v.sets[2][at.Day()], v.sets[4][int(at.Weekday())]
	days := day || dow
	if v.dayStar || v.dowStar {
		days = day && dow
	}
	return v.sets[0][at.Minute()] && v.sets[1][at.Hour()] && v.sets[3][int(at.Month())] && days
}

// What is imported fires when cron would, minute by minute over more than a year.
func TestCrontabFiresAsCronDoes(t *testing.T) {
	t.Parallel()
	from := time.Date(2026, 1, 31, 0, 0, 0, 0, time.UTC)
	for _, expression := range []string{
		"17 5 * * *", "*/20 9-17/2 * * 1-5", "0 0 13 * 5", "0 0 */2 * 1", "0 0 13 * */3", "30 4 1,15 * 5", "5 4 * * sun", "0 22 * * 7", "0 12 29 2 *", "0 2 29 2 0", "10 1 31 * *",
		"15 14 1 JAN-MAR,dec *", "0 0-23/5 * 1-12/3 0-7/2", "59 23 28-31 * *", "0 6 * * Fri-7", "5/15 3 * * *",
	} {
		j, _ := entryOf(t, expression+" x", UserNo)
		trigger, err := schedule.Compile(schedule.Spec{Kind: schedule.KindCron, Expression: j.Trigger.Cron.Expression, Zone: "UTC"}, "seed")
		if err != nil {
			t.Errorf("%s: %v", expression, err)
			continue
		}
		v, got := vixieOf(strings.Replace(expression, "5/15", "5", 1)), from
		for at := from.Add(time.Minute); at.Before(from.AddDate(1, 2, 0)); at = at.Add(time.Minute) {
			if !v.fires(at) {
				continue
			}
			var ok bool
			if got, ok = trigger.Next(got); !ok || !got.Equal(at) {
				t.Errorf("%s fires at %s, cron at %s", expression, got, at)
				break
			}
		}
	}
}

// Over clock changes: what has a fixed time runs once, at the end of the gap and at the
// first of two; what has wildcards keeps its rhythm. cron does the same.
func TestCrontabOverClockChanges(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ expression, after, want string }{
		{"30 2 * * *", "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z 2026-03-30T00:30:00Z"},
		{"30 2 * * *", "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z 2026-10-26T01:30:00Z"},
		{"0 * * * *", "2026-03-29T00:30:00Z", "2026-03-29T01:00:00Z 2026-03-29T02:00:00Z"},
	} {
		j, _ := entryOf(t, c.expression+" x", UserNo)
		trigger, err := schedule.Compile(schedule.Spec{Kind: schedule.KindCron, Expression: j.Trigger.Cron.Expression, Zone: j.Trigger.Cron.Zone}, "")
		if err != nil {
			t.Fatal(err)
		}
		after, err := time.Parse(time.RFC3339, c.after)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, at := range trigger.Preview(after, 2) {
			got = append(got, at.Format(time.RFC3339))
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s after %s: %v", c.expression, c.after, got)
		}
	}
}

// readable says that what was made is a valid job file.
func readable(t *testing.T, r Result) {
	t.Helper()
	text, err := jobfile.Write(r.Documents)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := jobfile.Read("written", text); err != nil && len(r.Documents) > 0 {
		t.Fatalf("%v\n%s", err, text)
	}
}

func FuzzCrontab(f *testing.F) {
	f.Add("MAILTO=x\n0 5 * * 1 root x%y\n@reboot z\n", true)
	f.Add("CRON_TZ=Asia/Tokyo\n~ 0~5 * * 5/2 a\\%b\n-* * * * * c\n", false)
	f.Fuzz(func(t *testing.T, text string, user bool) {
		column := UserAuto
		if user {
			column = UserAnacron
		}
		readable(t, Crontab([]byte(text), Options{Source: "f", App: "ops"}, column))
	})
}
