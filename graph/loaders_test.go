package graph_test

import (
	"fmt"
	"testing"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/task"
)

// A page costs as many statements for fifty rows as for five, whatever their edges.
func TestPagesCostAConstantNumberOfStatements(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	for i := range 10 {
		_, group := b.App(t, fmt.Sprint("app-", i))
		n := b.Node(t, group, "node")
		for k := range 5 {
			j := b.Job(t, group.ID, fmt.Sprint("job-", k), func(in *job.Input) { in.Description = new("d") })
			tk := b.Task(t, task.NewTask{Job: j.ID})
			b.Dispatch(t, tk.ID, n)
			b.End(t, tk.ID, models.EventRetry)
			b.Dispatch(t, tk.ID, n)
		}
	}
	for name, tt := range map[string]struct {
		text string
		most int64
	}{
		"tasks": {`{tasks(first:%d){nodes{id state priority scheduledAt startedAt duration error job{name} group{name app{name}} node{name}
			attempts{number node{name}} timeline{kind node{name}}} pageInfo{endCursor}}}`, 12},
		"jobs": {`{jobs(first:%d){nodes{id name app{name jobCount onlineNodeCount} group{name waiting running slots jobCount nodes{name}}
			stats{succeeded} nextFires trigger{description dialect}} totalCount}}`, 14},
	} {
		count := func(rows int) int64 {
			return b.Statements(func() { b.Ask(t, fmt.Sprintf(tt.text, rows), nil, nil) })
		}
		count(1) // whatever is remembered of the token
		// What is remembered for a second may have to be read again in one of them.
		least := func(rows int) int64 { return min(count(rows), count(rows), count(rows)) }
		few, many := least(5), least(50)
		if few != many || many > tt.most {
			t.Errorf("%s: %d statements for 5 rows, %d for 50; at most %d are expected", name, few, many, tt.most)
		}
		t.Logf("%s: %d statements", name, many)
	}
	// These are index ranges of their own for each job or group: one statement a row
	// at most, and only when they are asked for.
	for _, field := range []string{"recentTasks(first:5){id state}", "downstream{name}", "joins{window missing{name}}", "skippedFires{count}", "warnings"} {
		n := b.Statements(func() { b.Ask(t, `{jobs(first:50){nodes{id `+field+`}}}`, nil, nil) })
		t.Logf("%s: %d statements for 50 jobs", field, n)
		if n > 55 {
			t.Errorf("%s: %d statements for 50 jobs", field, n)
		}
	}
	if n := b.Statements(func() {
		b.Ask(t, `{jobs(first:50){nodes{id revisions(first:5){nodes{number changes{field} rollBackChanges{field}} pageInfo{hasNextPage}}}}}`, nil, nil)
	}); n > 6 {
		t.Errorf("%d statements for the revisions of 50 jobs", n)
	}
	const apps = `{apps{name keys{prefix} nodeGroups{name} jobCount onlineNodeCount}}`
	if n := b.Statements(func() { b.Ask(t, apps, nil, nil) }); n > 6 {
		t.Errorf("%d statements for ten apps", n)
	}
}
