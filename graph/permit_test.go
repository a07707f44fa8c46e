package graph_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/alert"
	"github.com/belfry-scheduler/belfry/services/backfill"
	"github.com/belfry-scheduler/belfry/services/bulk"
	"github.com/belfry-scheduler/belfry/services/calendar"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/task"
)

// secret is part of every name and text in the app that must stay hidden.
const secret = "zzsecret"

// estate is an app with one of everything.
type estate struct {
	app      models.App
	key      models.AppKey
	group    models.NodeGroup
	node     models.Node
	cron     models.Job
	job      models.Job
	task     models.Task
	calendar models.Calendar
	fill     models.Backfill
	incident models.Incident
	bulk     models.BulkOperation
}

// settle fills an app.
func settle(t *testing.T, b *graphtest.Bench, name string) *estate {
	t.Helper()
	e := &estate{}
	e.app, e.group = b.App(t, name)
	keys, err := b.Fleet.AppKeys(t.Context(), []string{e.app.ID})
	if err != nil {
		t.Fatal(err)
	}
	e.key = keys[e.app.ID][0]
	e.node = b.Node(t, e.group, name+"-node")
	// Its name is told to who owns a job that waits for it: it is part of that job's
	// definition. Nothing else of it is.
	e.job = b.Job(t, e.group.ID, "job-of-"+name[:2], func(in *job.Input) { in.Parameters = json.RawMessage(`{"of":"` + name + `"}`) })
	e.cron = b.Job(t, e.group.ID, name+"-cron", func(in *job.Input) {
		in.Trigger = job.TriggerInput{Cron: &job.CronInput{Expression: "0 * * * *"}}
	})
	failed := failFor(t, b, e.node, e.job)
	e.task = failed
	all, _, err := b.Alerts.Incidents(t.Context(), alert.Filter{AppID: e.app.ID}, alert.Page{First: 1})
	if err != nil || len(all) == 0 {
		t.Fatalf("incidents of %s: %v, %v", name, all, err)
	}
	e.incident = all[0]
	if e.calendar, err = b.Calendars.Create(t.Context(), "test", calendar.Input{AppID: e.app.ID, Name: name + "-holidays"}); err != nil {
		t.Fatal(err)
	}
	now := time.Now().UTC().Truncate(time.Hour)
	if e.fill, err = b.Backfills.Create(t.Context(), "test", backfill.Input{JobID: e.cron.ID, From: now.Add(-5 * time.Hour), To: now.Add(-time.Hour), PerMinute: 60, MaxRunning: 1}); err != nil {
		t.Fatal(err)
	}
	if e.bulk, err = b.Bulks.Create(t.Context(), "test", bulk.Input{Kind: models.BulkDiscard, TaskIDs: []string{e.task.ID}, Reason: name}); err != nil {
		t.Fatal(err)
	}
	return e
}

// at is the id in an estate that a rule's place leads by.
func (e *estate) at(place string) string {
	return map[string]string{
		"APP": e.app.ID, "APP_NAME": e.app.Name, "APP_KEY": e.key.ID, "GROUP": e.group.ID, "NODE": e.node.ID, "JOB": e.job.ID, "TASK": e.task.ID,
		"CALENDAR": e.calendar.ID, "BACKFILL": e.fill.ID, "INCIDENT": e.incident.ID,
	}[place]
}

// tenants are two apps that depend on one another, and a token of an administrator of the
// first alone.
func tenants(t *testing.T) (b *graphtest.Bench, mine, theirs *estate, member http.Header) {
	t.Helper()
	b = graphtest.New(t)
	mine, theirs = settle(t, b, "mine"), settle(t, b, secret)
	after := b.Waiting(t, mine.group.ID, "after-theirs", theirs.job, mine.job)
	b.Waiting(t, theirs.group.ID, secret+"-after", mine.job, after)
	done := b.Task(t, task.NewTask{Job: theirs.job.ID})
	b.Dispatch(t, done.ID, theirs.node)
	b.End(t, done.ID, models.EventSucceed)
	b.Join(t)
	return b, mine, theirs, tokenFor(t, b, "member", models.RoleAdmin, mine.app.ID)
}

func tokenFor(t *testing.T, b *graphtest.Bench, name string, role models.Role, apps ...string) http.Header {
	t.Helper()
	token, _, err := b.Accounts.CreateToken(t.Context(), "test", account.NewToken{Name: name, Role: role, Apps: apps})
	if err != nil {
		t.Fatal(err)
	}
	return http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + token}}
}

// ruleOf reads a root field's rule.
func ruleOf(field *ast.FieldDefinition) (atLeast, in, at string) {
	directive := field.Directives.ForName("role")
	if directive == nil {
		return "", "", ""
	}
	value := func(name string) string {
		if a := directive.Arguments.ForName(name); a != nil {
			return a.Value.Raw
		}
		return ""
	}
	return value("atLeast"), value("in"), value("at")
}

// withID writes a valid call of a root field with an id at its rule's argument.
func withID(t *testing.T, field *ast.FieldDefinition, at, id string) string {
	t.Helper()
	text := smallest(field)
	last := at[strings.LastIndex(at, ".")+1:]
	quoted := last + `:"` + id + `"`
	if blank := last + `:"x"`; strings.Contains(text, blank) {
		return strings.Replace(text, blank, quoted, 1)
	}
	if strings.Contains(text, field.Name+"(") {
		return strings.Replace(text, field.Name+"(", field.Name+"("+quoted+",", 1)
	}
	return strings.Replace(text, field.Name, field.Name+"("+quoted+")", 1)
}

// A member of one app is refused everything of the whole installation, and everything of
// another app as if there were no such thing; an operation without a rule fails the test
// of package limit.
func TestMembersOfOneAppReachNoOther(t *testing.T) {
	t.Parallel()
	b, _, theirs, member := tenants(t)
	refusedAs := func(text string) (code, message string) {
		a := b.Post(t, map[string]any{"query": text}, member)
		if len(a.Errors) == 0 {
			t.Errorf("%s is answered: %s", text, a.Data)
			return "", ""
		}
		return a.Errors[0].Extensions.Code, a.Errors[0].Message
	}
	count := map[string]int{}
	for _, root := range []*ast.Definition{graphtest.Schema.Query, graphtest.Schema.Mutation} {
		for _, field := range root.Fields {
			_, in, at := ruleOf(field)
			word := strings.ToLower(root.Name)
			switch in {
			case "":
				if strings.HasPrefix(field.Name, "__") || field.Name == "viewer" {
					continue
				}
				if code, _ := refusedAs(word + smallest(field)); code != "FORBIDDEN" {
					t.Errorf("%s: %s", field.Name, code)
				}
			case "ANY": // see the next test
			default:
				id, nobody := theirs.at(in), models.NewID(time.Now())
				code, message := refusedAs(word + withID(t, field, at, id))
				none, absent := refusedAs(word + withID(t, field, at, nobody))
				if code != "NOT_FOUND" || none != code || strings.ReplaceAll(message, id, nobody) != absent {
					t.Errorf("%s of another app: %s %q; of nothing: %s %q", field.Name, code, message, none, absent)
				}
			}
			count[in]++
		}
	}
	if count[""] < 25 || count["ANY"] < 15 || len(count) < 12 {
		t.Errorf("the walk met %v", count)
	}
	for text, what := range map[string]string{
		`mutation{createBulkOperation(input:{kind:DISCARD,tasks:["` + theirs.task.ID + `"]}){bulkOperation{id} userErrors{code}}}`:                                                       "NOT_FOUND",
		`mutation{createBulkOperation(input:{kind:DISCARD,filter:{app:"` + theirs.app.ID + `"}}){bulkOperation{total} userErrors{code}}}`:                                                `"bulkOperation":null`,
		`mutation{cancelBulkOperation(id:"` + theirs.bulk.ID + `"){userErrors{code}}}`:                                                                                                   "NOT_FOUND",
		`{bulkOperation(id:"` + theirs.bulk.ID + `"){id}}`:                                                                                                                               `"bulkOperation":null`,
		`{schedulePreview(input:{trigger:{dependency:{upstream:[{job:"` + theirs.job.ID + `"}]}}}){description error{message}}}`:                                                         "NOT_FOUND",
		`{schedulePreview(input:{app:"` + theirs.app.ID + `",trigger:{cron:{expression:"@daily",calendar:"` + theirs.calendar.Name + `"}}}){description error{message}}}`:                "NOT_FOUND",
		`mutation{createJob(input:{group:"` + firstGroup(t, b, "mine") + `",name:"spy",handler:"x",trigger:{dependency:{upstream:[{job:"` + theirs.job.ID + `"}]}}}){userErrors{code}}}`: "NOT_FOUND",
	} {
		a := b.Post(t, map[string]any{"query": text}, member)
		if said := string(a.Data) + code(a); !strings.Contains(said, what) || strings.Contains(said, secret) {
			t.Errorf("%s: %s", text, said)
		}
	}
}

func code(a graphtest.Answer) string {
	if len(a.Errors) > 0 {
		return a.Errors[0].Extensions.Code
	}
	return ""
}

func firstGroup(t *testing.T, b *graphtest.Bench, app string) string {
	t.Helper()
	id, _ := b.Value(t, "app.nodeGroups.0.id", `query($n:String!){app(name:$n){nodeGroups{id}}}`, graphtest.Vars{"n": app}).(string)
	return id
}

// Whatever a member of one app may ask, with every field that it leads to, tells nothing
// of another app, though they depend on one another; an administrator of all sees it.
func TestAnswersAreCutToTheCallersApps(t *testing.T) {
	t.Parallel()
	b, mine, _, member := tenants(t)
	admin := http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + b.Token(models.RoleAdmin)}}
	told := 0
	for _, field := range graphtest.Schema.Query.Fields {
		_, in, at := ruleOf(field)
		if strings.HasPrefix(field.Name, "__") || in == "" && field.Name != "viewer" {
			continue
		}
		text := smallest(field)
		if at != "" {
			text = withID(t, field, at, mine.at(in))
		}
		for depth := 5; depth > 0; depth-- {
			deep := "query" + strings.Replace(text, "{__typename}", "{"+everyField(field.Type, depth)+"}", 1)
			a := b.Post(t, map[string]any{"query": deep}, member)
			if code(a) == "LIMIT" || code(a) == "GRAPHQL_VALIDATION_FAILED" {
				continue
			}
			all := string(a.Data)
			for _, e := range a.Errors {
				all += e.Message
			}
			if strings.Contains(all, secret) {
				i := strings.Index(all, secret)
				t.Errorf("%s at depth %d tells …%s", field.Name, depth, all[max(0, i-200):i+20])
			}
			if strings.Contains(string(b.Post(t, map[string]any{"query": deep}, admin).Data), secret) {
				told++
			}
			break
		}
	}
	if told < 8 {
		t.Errorf("only %d of the answers would have told something", told)
	}
	for text, want := range map[string]string{
		`{jobs{totalCount nodes{name}}}`:             `{"jobs":{"totalCount":3,"nodes":[{"name":"after-theirs"},{"name":"job-of-mi"},{"name":"mine-cron"}]}}`,
		`{apps{name}}`:                               `{"apps":[{"name":"mine"}]}`,
		`{nodes{name}}`:                              `{"nodes":[{"name":"mine-node"}]}`,
		`{incidents{nodes{job{name}}}}`:              `{"incidents":{"nodes":[{"job":{"name":"job-of-mi"}}]}}`,
		`{alertSummary{open}}`:                       `{"alertSummary":{"open":1}}`,
		`{overview{jobs nodes{online} failedQueue}}`: `{"overview":{"jobs":3,"nodes":{"online":1},"failedQueue":"1"}}`,
		`{tasks(filter:{states:[FAILED]}){totalCount nodes{job{name}}}}`: `{"tasks":{"totalCount":null,"nodes":[{"job":{"name":"job-of-mi"}}]}}`,
		`{viewer{role roleInAllApps apps{role app{name}}}}`:              `{"viewer":{"role":"ADMIN","roleInAllApps":null,"apps":[{"role":"ADMIN","app":{"name":"mine"}}]}}`,
		`{installation{servers{id}}}`:                                    `{"installation":{"servers":[]}}`,
	} {
		if a := b.Post(t, map[string]any{"query": text}, member); string(a.Data) != want || len(a.Errors) > 0 {
			t.Errorf("%s: %s %+v, want %s", text, a.Data, a.Errors, want)
		}
	}
}

// everyField selects all fields of a type that need no arguments, to a depth.
func everyField(of *ast.Type, depth int) string {
	def := graphtest.Schema.Types[of.Name()]
	parts := []string{"__typename"}
	for _, f := range def.Fields {
		if strings.HasPrefix(f.Name, "__") || needsArguments(f) {
			continue
		}
		inner := graphtest.Schema.Types[f.Type.Name()]
		if inner.Kind != ast.Object {
			parts = append(parts, f.Name)
			continue
		}
		if depth > 1 {
			few := ""
			if f.Arguments.ForName("first") != nil {
				few = "(first:3)"
			}
			parts = append(parts, f.Name+few+"{"+everyField(f.Type, depth-1)+"}")
		}
	}
	return strings.Join(parts, " ")
}

func needsArguments(f *ast.FieldDefinition) bool {
	for _, a := range f.Arguments {
		if a.Type.NonNull && a.DefaultValue == nil {
			return true
		}
	}
	return false
}

// A role in one app reaches as far there as the same role in all apps, and no further.
func TestRolesInOneApp(t *testing.T) {
	t.Parallel()
	b, mine, _, _ := tenants(t)
	operator := tokenFor(t, b, "operator", models.RoleOperator, mine.app.ID)
	for text, want := range map[string]string{
		`mutation{triggerJob(input:{job:"` + mine.job.ID + `"}){task{state} userErrors{code}}}`:           `WAITING`,
		`mutation{updateJob(input:{id:"` + mine.job.ID + `",description:"x"}){job{id} userErrors{code}}}`: `FORBIDDEN`,
		`mutation{createAppKey(app:"` + mine.app.ID + `"){key}}`:                                          `FORBIDDEN`,
		`mutation{acknowledgeIncident(id:"` + mine.incident.ID + `"){incident{state}}}`:                   `ACKNOWLEDGED`,
		`{users{nodes{name}}}`: `FORBIDDEN`,
	} {
		a := b.Post(t, map[string]any{"query": text}, operator)
		if said := string(a.Data) + code(a); !strings.Contains(said, want) {
			t.Errorf("%s: %s, want %s", text, said, want)
		}
	}
}
