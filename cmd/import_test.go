package cmd

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// aCrontab is a system crontab with a bit of everything.
const aCrontab = `# /etc/crontab: system-wide crontab
SHELL=/bin/bash
PATH=/usr/local/sbin:/usr/local/bin:/sbin:/bin:/usr/sbin:/usr/bin
MAILTO=ops@example.com

# m h dom mon dow user	command
17 *	* * *	root	cd / && run-parts --report /etc/cron.hourly
# Dump the orders
25 6	1,15 * 5	backup	/usr/local/bin/dump --out=/srv/dumps orders%first line%50\% done
@daily	www-data	/usr/bin/php /srv/www/clean.php > /dev/null 2>&1
@reboot	root	/usr/local/bin/warm-up
*/5 8-18 * * mon-fri	root	/usr/local/bin/check
CRON_TZ=Asia/Tokyo
0 9 * * *	root	/usr/local/bin/check
61 * * * *	root	/bin/false
`

// The way of a team's crontab: import, look, apply, and what is exported is what git
// has.
func TestACrontabMoves(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	crontab, file := filepath.Join(s.dir, "crontab"), filepath.Join(s.dir, "ops.yaml")
	if err := os.WriteFile(crontab, []byte(aCrontab), 0o600); err != nil {
		t.Fatal(err)
	}
	imported := s.runWith(strings.NewReader(""), "import", "crontab", crontab, "--app", "ops", "--zone", "Europe/Berlin")
	s.want(imported, 0, `understood: line 7: run-parts: Job "run-parts".`, "not carried: line 4: MAILTO", "not carried: line 11: warm-up: @reboot", "not carried: line 15: false: The time", "Nothing was applied.")
	if err := os.WriteFile(file, []byte(imported.stdout), 0o600); err != nil {
		t.Fatal(err)
	}
	s.want(s.run("", "diff", "-f", file), 2, "6 to create")
	s.want(s.run("", "apply", "--yes", "-f", file), 0, "created ops/clean.php", "created ops/check-2")
	s.want(s.run("", "diff", "-f", file, "--prune"), 0, "6 unchanged.")
	exported := s.run("", "export", "--app", "ops")
	s.want(exported, 0, "Asia/Tokyo", "50% done", "user: backup")
	s.want(s.run(exported.stdout, "diff", "-f", "-", "--prune"), 0, "6 unchanged.")
}

// Each kind of source makes a file that apply takes.
func TestImportsApply(t *testing.T) {
	t.Parallel()
	s := newStation(t)
	write := func(name, text string) string {
		file := filepath.Join(s.dir, name)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return file
	}
	quartz := write("jobs.xml", `<job-scheduling-data><schedule><job><name>q</name><job-class>a.Report</job-class></job>
<trigger><cron><job-name>q</job-name><cron-expression>0 0 2 ? * 2-6</cron-expression></cron></trigger></schedule></job-scheduling-data>`)
	xxl := write("xxl.csv", "id,job_desc,schedule_type,schedule_conf,executor_handler,child_jobid\n1,parent,CRON,0 0 1 L * ?,p,2\n2,child,NONE,,c,\n")
	windows := write("task.xml", `<Task><Triggers><CalendarTrigger><StartBoundary>2024-01-01T06:30:00</StartBoundary><ScheduleByDay/></CalendarTrigger></Triggers><Actions><Exec><Command>w.exe</Command></Exec></Actions></Task>`)
	for _, args := range [][]string{
		{"import", "quartz", quartz, "--app", "ops", "--properties", write("q.properties", "org.quartz.jobStore.misfireThreshold=5000\n")},
		{"import", "xxl-job", xxl, "--app", "ops", "--zone", "Asia/Shanghai"},
		{"import", "windows-task", windows, "--app", "ops"},
	} {
		imported := s.runWith(strings.NewReader(""), args...)
		s.want(imported, 0, "Nothing was applied.")
		s.want(s.run(imported.stdout, "apply", "--yes", "-f", "-"), 0, "created ops/")
		s.want(s.run(imported.stdout, "diff", "-f", "-"), 0, "0 to create, 0 to change")
	}
}

func TestImportFlags(t *testing.T) {
	t.Parallel()
	s := &station{t: t, dir: t.TempDir()}
	const text = "0 5 * * * x\n@reboot y\n"
	run := func(args ...string) ran {
		return s.runWith(strings.NewReader(text), append([]string{"import", "crontab", "-"}, args...)...)
	}
	s.want(run(), 2, "--app is missing")
	s.want(run("--app", "Ops"), 2, `--app "Ops" is not allowed`)
	s.want(run("--app", "ops", "--zone", "Nowhere"), 2, "not in the IANA database")
	s.want(run("--app", "ops", "--strict"), 1, "could not be carried, see above (--strict)", "app: ops")
	s.want(run("--app", "ops", "--group", "g", "--zone", "Asia/Tokyo"), 0, "group: g", "zone: Asia/Tokyo")
	out := filepath.Join(s.dir, "out.yaml")
	if got := run("--app", "ops", "-q", "-o", out); got.code != 0 || got.stdout != "" || strings.Contains(got.stderr, "understood") {
		t.Errorf("%+v", got)
	}
	if written, err := os.ReadFile(out); err != nil || !strings.Contains(string(written), "name: x") {
		t.Errorf("%s, %v", written, err)
	}
	s.want(s.runWith(strings.NewReader("# nothing\n"), "import", "crontab", "-", "--app", "ops"), 1, "nothing in it that could become a job")
	s.want(s.runWith(strings.NewReader(""), "import", "quartz", filepath.Join(s.dir, "none.xml"), "--app", "ops"), 1, "cannot be read")
}
