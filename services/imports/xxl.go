package imports

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/belfry-scheduler/belfry/services/jobfile"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// Columns of xxl_job_info in the order in which XXL-JOB creates them.
var (
	xxlNew = strings.Fields(`id job_group job_desc add_time update_time author alarm_email schedule_type schedule_conf misfire_strategy
		executor_route_strategy executor_handler executor_param executor_block_strategy executor_timeout executor_fail_retry_count
		glue_type glue_source glue_remark glue_updatetime child_jobid trigger_status trigger_last_time trigger_next_time`)
	xxlOld = strings.Fields(`id job_group job_cron job_desc add_time update_time author alarm_email
		executor_route_strategy executor_handler executor_param executor_block_strategy executor_timeout executor_fail_retry_count
		glue_type glue_source glue_remark glue_updatetime child_jobid trigger_status trigger_last_time trigger_next_time`)
	xxlGroup = strings.Fields("id app_name title address_type address_list update_time")
)

func xxlColumns(table string, n int) []string {
	switch {
	case table == "xxl_job_group" && n == len(xxlGroup):
		return xxlGroup
	case table == "xxl_job_info" && n == len(xxlNew):
		return xxlNew
	case table == "xxl_job_info" && n == len(xxlOld):
		return xxlOld
	}
	return nil
}

// xxl is a dump being read.
type xxl struct {
	*maker
	executors map[string]string // app names by the id of the executor
	jobs      map[string]*xxlJob
	parents   map[string][]string // ids of the jobs that start a job, by its id
}

type xxlJob struct {
	row
	id, name, app string
}

// XXLJob reads XXL-JOB's table xxl_job_info, and xxl_job_group if it is there, from a
// dump of MySQL or from CSV with a line of column names. Without Options.App each
// executor is an app of its own.
func XXLJob(text []byte, o Options) Result {
	x := &xxl{maker: newMaker(o), executors: map[string]string{}, jobs: map[string]*xxlJob{}, parents: map[string][]string{}}
	tables := map[string][]row{}
	source := validUTF8(text)
	if looksLikeCSV(source) {
		tables["xxl_job_info"] = x.csv(source)
	} else {
		var wrong []Note
		tables, wrong = dump(source, []string{"xxl_job_info", "xxl_job_group"}, xxlColumns)
		x.notes = append(x.notes, wrong...)
	}
	for i := range tables["xxl_job_group"] {
		g := &tables["xxl_job_group"][i]
		x.executors[g.text("id")] = appName(g.text("app_name"))
	}
	rows := tables["xxl_job_info"]
	if len(rows) == 0 {
		x.note(Lost, 0, "", "There are no rows of xxl_job_info in it.")
	}
	x.note(Understood, 0, "", "Times are read in the zone %s, which should be that of XXL-JOB's admin. Day numbers of six and seven fields mean the same in both: 1 is Sunday.", x.zone())
	var jobs []*xxlJob
	for i := range rows {
		if j := x.begin(&rows[i]); j != nil {
			jobs = append(jobs, j)
		}
	}
	for _, j := range jobs {
		for _, child := range strings.FieldsFunc(j.text("child_jobid"), func(c rune) bool { return c == ',' || c == ' ' }) {
			x.parents[child] = append(x.parents[child], j.id)
			if x.jobs[child] == nil {
				x.note(Lost, j.line, j.name, "Its child %s is not in the dump.", tidy(child, 40))
			}
		}
	}
	for _, j := range jobs {
		x.job(j)
	}
	return x.result()
}

func looksLikeCSV(text string) bool {
	head, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	head = strings.ToLower(head)
	return strings.Contains(head, "executor_handler") && !strings.Contains(head, "insert")
}

// csv reads rows with a line of column names, set apart by commas, semicolons or tabs.
func (x *xxl) csv(text string) []row {
	r := csv.NewReader(strings.NewReader(text))
	r.FieldsPerRecord, r.LazyQuotes = -1, true
	head, _, _ := strings.Cut(text, "\n")
	for _, c := range ";\t" {
		if strings.Count(head, string(c)) > strings.Count(head, ",") {
			r.Comma = c
		}
	}
	columns, err := r.Read()
	if err != nil {
		x.note(Lost, 1, "", "The line of column names cannot be read: %s.", err.Error())
		return nil
	}
	var rows []row
	for {
		values, err := r.Read()
		line, _ := r.FieldPos(0)
		switch {
		case errors.Is(err, io.EOF):
			return rows
		case err != nil:
			x.note(Lost, line, "", "The row cannot be read: %s.", err.Error())
			return rows
		case len(values) != len(columns):
			x.note(Lost, line, "", "The row has %d values for %d columns.", len(values), len(columns))
			continue
		}
		next := row{line: line, values: map[string]*string{}}
		for i, c := range columns {
			if v := values[i]; v != "NULL" && v != `\N` {
				next.values[strings.ToLower(strings.TrimSpace(c))] = &v
			}
		}
		rows = append(rows, next)
	}
}

var notAppName = regexp.MustCompile(`[^a-z0-9_-]+`)

// appName makes an app's name of an executor's.
func appName(name string) string {
	name = strings.Trim(notAppName.ReplaceAllString(strings.ToLower(name), "-"), "-")
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		name = "app-" + name
	}
	return strings.TrimRight(name[:min(len(name), 64)], "-")
}

// begin gives a job its name and app; nil when it has none.
func (x *xxl) begin(r *row) *xxlJob {
	j := &xxlJob{row: *r, id: r.text("id"), app: x.App}
	if j.app == "" {
		j.app = x.executors[r.text("job_group")]
	}
	what := r.text("job_desc")
	if what == "" {
		what = r.text("executor_handler")
	}
	if j.app == "" {
		x.note(Lost, r.line, what, "Its executor %s is not in the dump, so that the app is not known: dump xxl_job_group too, or give --app.", tidy(r.text("job_group"), 40))
		return nil
	}
	if x.jobs[j.id] != nil {
		x.note(Lost, r.line, what, "The id %s is there twice.", tidy(j.id, 40))
		return nil
	}
	j.name = x.unique(j.app, what)
	x.jobs[j.id] = j
	return j
}

// job makes a job of a row.
func (x *xxl) job(j *xxlJob) {
	out := jobfile.Job{
		Name: j.name, Comment: fmt.Sprintf("xxl_job_info %s, line %d of %s", tidy(j.id, 40), j.line, tidy(path.Base(x.Source), 100)),
		Delivery: "AT_MOST_ONCE",
	}
	if j.text("job_desc") != j.name {
		out.Description = tidy(j.text("job_desc"), 2000)
	}
	labels := map[string]string{}
	if v := tidy(j.text("author"), 200); v != "" {
		labels["author"] = v
	}
	if len(labels) > 0 {
		out.Labels = labels
	}
	if !x.handler(j, &out) || !x.trigger(j, &out) {
		return
	}
	x.rules(j, &out)
	if j.text("trigger_status") == "0" && !out.Trigger.Manual {
		off := false
		out.Enabled = &off
		x.note(Understood, j.line, j.name, "It is stopped in XXL-JOB, so it is paused here.")
	}
	if v := tidy(j.text("alarm_email"), 200); v != "" {
		x.note(Lost, j.line, j.name, "Failures are mailed to %s: make an alert rule.", v)
	}
	if x.add(j.line, j.app, out) {
		x.note(Understood, j.line, j.name, "Job %s of the app %s.", strconv.Quote(j.name), j.app)
		x.once(Understood, "XXL-JOB does not run a job again that died with its executor: delivery is AT_MOST_ONCE, and such a run waits for a person. Set AT_LEAST_ONCE where a second run does no harm.")
	}
}

// handler decides what runs; false when it cannot be carried.
func (x *xxl) handler(j *xxlJob, out *jobfile.Job) bool {
	param := j.text("executor_param")
	switch glue := j.text("glue_type"); glue {
	case "BEAN", "":
		out.Handler = tidy(j.text("executor_handler"), 128)
		if out.Handler == "" {
			x.note(Lost, j.line, j.name, "It has no executor_handler.")
			return false
		}
		if param != "" {
			out.Parameters = raw(param)
			if trimmed := strings.TrimSpace(param); strings.HasPrefix(trimmed, "{") && json.Valid([]byte(trimmed)) {
				out.Parameters = json.RawMessage(trimmed)
				x.note(Changed, j.line, j.name, "Its parameter is a JSON object and is handed over as one, not as a text.")
			}
		}
		x.once(Changed, "Handlers of BEAN jobs are registered by the worker SDK under the same name; parameters arrive as JSON (a text where it was a text).")
		return true
	case "GLUE_SHELL", "GLUE_PYTHON":
		program := map[string][]string{"GLUE_SHELL": {"bash", "-c"}, "GLUE_PYTHON": {"python3", "-c"}}[glue]
		command := append(program, strings.ReplaceAll(j.text("glue_source"), "\r\n", "\n"))
		if glue == "GLUE_SHELL" {
			command = append(command, "xxl-job")
		}
		out.Handler, out.Parameters = "command", raw(map[string]any{"command": append(command, param, "0", "1")})
		x.note(Changed, j.line, j.name, "The script moves into the job's parameters and runs on a belfry agent, whose allow-list must name %s; it gets the parameter, shard 0 and 1 shard as arguments.", program[0])
		return true
	default:
		x.note(Lost, j.line, j.name, "Its source is kept in XXL-JOB's database (%s); make a handler of it.", tidy(glue, 40))
		return false
	}
}

// trigger decides when it runs; false when it cannot be carried.
func (x *xxl) trigger(j *xxlJob, out *jobfile.Job) bool {
	kind, conf := strings.ToUpper(j.text("schedule_type")), strings.TrimSpace(j.text("schedule_conf"))
	if old := strings.TrimSpace(j.text("job_cron")); kind == "" && old != "" {
		kind, conf = "CRON", old
	}
	parents := x.parents[j.id]
	switch kind {
	case "CRON":
		out.Trigger.Cron = &jobfile.Cron{Expression: conf, Zone: x.zone()}
		if _, err := schedule.ParseCron(conf, ""); err != nil {
			x.note(Lost, j.line, j.name, "Its expression %s cannot be read: %s.", strconv.Quote(tidy(conf, 60)), err.Error())
			return false
		}
		if len(strings.Fields(conf)) == 5 {
			x.note(Lost, j.line, j.name, "Its expression %s has five fields, which XXL-JOB does not run.", strconv.Quote(tidy(conf, 60)))
			return false
		}
	case "FIX_RATE", "FIX_DELAY":
		seconds, err := strconv.Atoi(conf)
		if err != nil || seconds < 1 {
			x.note(Lost, j.line, j.name, "Its period %s is no number of seconds.", strconv.Quote(tidy(conf, 40)))
			return false
		}
		if kind == "FIX_DELAY" {
			out.Trigger.FixedDelay = &jobfile.FixedDelay{Delay: conf + "s"}
		} else {
			out.Trigger.FixedRate = &jobfile.FixedRate{Every: conf + "s"}
			x.once(Changed, "Fixed rates run on a grid that begins at 1970-01-01T00:00:00Z, whenever the job was started; set startAt to move it.")
		}
	case "NONE", "":
		if len(parents) == 0 {
			out.Trigger.Manual = true
			return true
		}
	default:
		x.note(Lost, j.line, j.name, "Its schedule_type %s is not known.", strconv.Quote(tidy(kind, 40)))
		return false
	}
	if len(parents) == 0 {
		return true
	}
	if kind == "NONE" || kind == "" {
		return x.depends(j, out, parents)
	}
	names := make([]string, len(parents))
	for i, id := range parents {
		names[i] = strconv.Quote(x.jobs[id].name)
	}
	x.note(Lost, j.line, j.name, "It has a schedule of its own and also runs after %s; a job has one trigger here. Make a second job for the other.", strings.Join(names, " and "))
	return true
}

// depends makes a child of XXL-JOB a job that waits for its parents: any of them.
func (x *xxl) depends(j *xxlJob, out *jobfile.Job, parents []string) bool {
	d := &jobfile.Dependency{}
	if len(parents) > 1 {
		d.Mode = "ANY"
	}
	for _, id := range parents {
		up := x.jobs[id]
		if up == j {
			x.note(Lost, j.line, j.name, "It is its own child: it is left out as one.")
			continue
		}
		u := jobfile.Upstream{Job: up.name}
		if up.app != j.app {
			u.App = up.app
		}
		d.Upstream = append(d.Upstream, u)
	}
	if len(d.Upstream) == 0 {
		out.Trigger.Manual = true
		return true
	}
	out.Trigger.Dependency = d
	x.note(Understood, j.line, j.name, "It runs when %s has succeeded.", strconv.Quote(d.Upstream[0].Job))
	if len(parents) > 1 {
		x.note(Changed, j.line, j.name, "XXL-JOB starts it after each of its %d parents; here once a run, after the first of them (mode ANY). ALL waits for all.", len(parents))
	}
	return true
}

// rules carries misfires, routing, overlaps, time limit and retries.
func (x *xxl) rules(j *xxlJob, out *jobfile.Job) {
	switch v := j.text("misfire_strategy"); v {
	case "FIRE_ONCE_NOW":
		out.Misfire = &jobfile.Misfire{Policy: "FIRE_ONCE", Grace: "5s"}
	default:
		out.Misfire = &jobfile.Misfire{Policy: "SKIP", Grace: "5s"}
	}
	x.route(j, out)
	switch v := j.text("executor_block_strategy"); v {
	case "SERIAL_EXECUTION", "":
		out.MaxRunning = 1
		x.once(Changed, "SERIAL_EXECUTION lets runs wait for one another on each executor; here at most one runs at a time on all nodes (maxRunning: 1), the others wait.")
	case "DISCARD_LATER":
		out.Concurrency = "SKIP"
	case "COVER_EARLY":
		out.Concurrency = "REPLACE"
	default:
		x.note(Lost, j.line, j.name, "Its block strategy %s is not known.", tidy(v, 40))
	}
	if seconds, err := strconv.Atoi(j.text("executor_timeout")); err == nil && seconds > 0 {
		out.Timeout = strconv.Itoa(seconds) + "s"
	} else {
		out.Timeout = noLimit
		x.once(Changed, noLimitText)
	}
	if n, err := strconv.Atoi(j.text("executor_fail_retry_count")); err == nil && n > 0 {
		out.Retry = &jobfile.Retry{MaxAttempts: n + 1}
		x.once(Changed, "A failed run is tried again after 10s under the same task id; XXL-JOB tries again at once, as a new run.")
	}
}

func (x *xxl) route(j *xxlJob, out *jobfile.Job) {
	strategy := strings.ToUpper(j.text("executor_route_strategy"))
	switch strategy {
	case "ROUND":
		out.Routing = &jobfile.Routing{Strategy: "ROUND_ROBIN"}
	case "RANDOM":
		out.Routing = &jobfile.Routing{Strategy: "RANDOM"}
	case "SHARDING_BROADCAST":
		out.Routing = &jobfile.Routing{Strategy: "BROADCAST"}
		out.MaxRunning = 0
	case "CONSISTENT_HASH":
		out.Routing = &jobfile.Routing{Strategy: "STICKY"}
		x.note(Changed, j.line, j.name, "CONSISTENT_HASH keeps a job on one executor; here it stays on the node that ran it last (STICKY).")
	case "FAILOVER", "BUSYOVER", "LEAST_RECENTLY_USED", "LEAST_FREQUENTLY_USED":
		out.Routing = &jobfile.Routing{Strategy: "LEAST_LOADED"}
		x.note(Changed, j.line, j.name, "%s becomes LEAST_LOADED: nodes that are away or full are passed over anyway.", strategy)
	case "FIRST", "LAST", "":
		if strategy != "" {
			x.note(Changed, j.line, j.name, "%s ties the job to one executor by its address; here it goes to any node of the group. Pin it (routing PINNED) where that matters.", strategy)
		}
	default:
		x.note(Lost, j.line, j.name, "Its route strategy %s is not known.", tidy(strategy, 40))
	}
}
