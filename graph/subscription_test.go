package graph_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/job"
	"github.com/belfry-scheduler/belfry/services/task"
)

func TestTaskChanged(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j, n := shop(t, b)
	other := b.Job(t, j.GroupID, "other")
	s := b.Connect(t, models.RoleViewer)
	s.Subscribe(`subscription($f:TaskFilter){taskChanged(filter:$f){id state attempt job{name} group{name app{name}} node{name} attempts{number}}}`,
		graphtest.Vars{"f": map[string]any{"job": j.ID}})
	// The subscription begins some time after it was asked for: ask until it answers.
	first := awaitFirst(t, s, "taskChanged.state", func() { b.Task(t, task.NewTask{Job: j.ID}) })
	if first != "WAITING" {
		t.Errorf("the first change is %v", first)
	}
	b.Task(t, task.NewTask{Job: other.ID}) // not asked for
	tk := b.Task(t, task.NewTask{Job: j.ID})
	s.Await("taskChanged.id", tk.ID)
	b.Dispatch(t, tk.ID, n)
	got := s.Await("taskChanged.state", "RUNNING")
	var data any
	if err := json.Unmarshal(got.Data, &data); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]any{
		"taskChanged.id": tk.ID, "taskChanged.job.name": "close-orders", "taskChanged.group.app.name": "shop", "taskChanged.node.name": "orders-1", "taskChanged.attempts.0.number": 1.0,
	} {
		if got := graphtest.At(t, data, path); got != want {
			t.Errorf("%s is %v, want %v", path, got, want)
		}
	}
	// Edges are read anew with each change.
	if _, err := b.Jobs.Update(t.Context(), "test", job.Update{ID: j.ID, Name: job.Some("renamed")}); err != nil {
		t.Fatal(err)
	}
	b.End(t, tk.ID, models.EventSucceed)
	if got := s.Await("taskChanged.state", "SUCCEEDED"); !strings.Contains(string(got.Data), `"renamed"`) {
		t.Errorf("the job's old name is shown: %s", got.Data)
	}
}

// awaitFirst repeats what causes a change until the first one arrives, and answers
// its value at the path.
func awaitFirst(t *testing.T, s *graphtest.Socket, path string, cause func()) any {
	t.Helper()
	stop := make(chan struct{})
	var wg sync.WaitGroup
	defer wg.Wait()
	defer close(stop)
	wg.Go(func() {
		for i := 0; ; i++ {
			select {
			case <-stop:
				return
			default:
				cause()
			}
		}
	})
	a, ok := s.Next()
	var data any
	if !ok || json.Unmarshal(a.Data, &data) != nil {
		t.Fatalf("no first change: %+v", a)
	}
	return graphtest.At(t, data, path)
}

func TestABurstIsMarkedAndBounded(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j, _ := shop(t, b)
	s := b.Connect(t, models.RoleViewer)
	s.Subscribe(`subscription{taskChanged{id state}}`, nil)
	awaitFirst(t, s, "taskChanged.state", func() { b.Task(t, task.NewTask{Job: j.ID}) })
	items := make([]task.NewTask, 1000)
	for i := range items {
		items[i].Job = j.ID
	}
	created, err := b.Tasks.Enqueue(t.Context(), items)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range created {
		if c.Err != nil {
			t.Fatal(c.Err)
		}
	}
	messages := 0
	for {
		a, ok := s.Next()
		if !ok {
			t.Fatal("the subscription ended")
		}
		messages++
		if a.Extensions["resync"] == true {
			break
		}
	}
	if messages > 900 {
		t.Errorf("the mark came with message %d of a burst of 1,000", messages)
	}
}

func TestLostHintsAreMarked(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j, n := shop(t, b)
	s := b.Connect(t, models.RoleViewer)
	for text, want := range map[string]string{
		`subscription{taskChanged{id}}`:   "taskChanged",
		`subscription{jobChanged{name}}`:  "jobChanged",
		`subscription{nodeChanged{name}}`: "nodeChanged",
	} {
		b.Task(t, task.NewTask{Job: j.ID})
		id := s.Subscribe(text, nil)
		stop := make(chan struct{})
		var wg sync.WaitGroup
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
					b.Lose(t.Context())
				}
			}
		})
		for {
			a, ok := s.Next()
			if !ok {
				t.Fatalf("%s ended: %+v", want, a.Errors)
			}
			if a.Extensions["resync"] == true && strings.Contains(string(a.Data), want) && !strings.Contains(string(a.Data), "null") {
				break
			}
		}
		close(stop)
		wg.Wait()
		s.Complete(id)
	}
	_ = n
}

func TestJobAndNodeChanged(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j, n := shop(t, b)
	s := b.Connect(t, models.RoleViewer)
	jobs := s.Subscribe(`subscription($f:JobFilter){jobChanged(filter:$f){id name enabled deletedAt group{name}}}`, graphtest.Vars{"f": map[string]any{"search": "CLOSE"}})
	paused := false
	awaitFirst(t, s, "jobChanged.name", func() {
		change := b.Jobs.Pause
		if paused {
			change = b.Jobs.Resume
		}
		if _, err := change(t.Context(), "test", j.ID); err != nil {
			t.Error(err)
		}
		paused = !paused
	})
	if _, err := b.Jobs.Delete(t.Context(), "test", j.ID); err != nil {
		t.Fatal(err)
	}
	for {
		a, ok := s.Next()
		if !ok {
			t.Fatal("the subscription ended")
		}
		if !strings.Contains(string(a.Data), `"deletedAt":null`) {
			break
		}
	}
	s.Complete(jobs)

	s.Subscribe(`subscription($g:ID){nodeChanged(group:$g){name state group{name}}}`, graphtest.Vars{"g": n.GroupID})
	_, group := b.App(t, "other")
	i := 0
	awaitFirst(t, s, "nodeChanged.name", func() {
		i++
		b.Node(t, group, fmt.Sprint("other-", i)) // not asked for
		drain := b.Fleet.DrainNode
		if i%2 == 0 {
			drain = b.Fleet.ResumeNode
		}
		if _, err := drain(t.Context(), "test", n.ID); err != nil {
			t.Error(err)
		}
	})
	b.Offline(t, n)
	s.Await("nodeChanged.state", "OFFLINE")
	if _, err := b.Fleet.RemoveNode(t.Context(), "test", n.ID); err != nil {
		t.Fatal(err)
	}
	b.Node(t, models.NodeGroup{ID: n.GroupID, AppID: n.AppID}, "orders-9") // the list that is read again is not empty
	for {
		a, ok := s.Next()
		if !ok {
			t.Fatal("the subscription ended")
		}
		if a.Extensions["resync"] == true {
			break // the node that is gone
		}
	}
}

func TestOverviewChanged(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j, n := shop(t, b)
	s := b.Connect(t, models.RoleViewer)
	s.Subscribe(`subscription{overviewChanged`+overviewFields+`}`, nil)
	s.Await("overviewChanged.waiting", "0") // at once
	tk := b.Task(t, task.NewTask{Job: j.ID})
	s.Await("overviewChanged.waiting", "1")
	b.Dispatch(t, tk.ID, n)
	s.Await("overviewChanged.running", "1")
	b.End(t, tk.ID, models.EventFail)
	got := s.Await("overviewChanged.failedQueue", "1")
	if !strings.Contains(string(got.Data), `"recentFailures":[{"id":"`+tk.ID+`","job":{"name":"close-orders"}}]`) {
		t.Errorf("the failed task is not shown: %s", got.Data)
	}
}

func TestTaskLog(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j, n := shop(t, b)
	tk := b.Task(t, task.NewTask{Job: j.ID})
	running := b.Dispatch(t, tk.ID, n)
	b.Write(t, running, 1, 700) // more than one reading
	s := b.Connect(t, models.RoleViewer)
	const text = `subscription($t:ID!,$a:Long){taskLog(task:$t,after:$a){seq at level message fields attempt}}`
	s.Subscribe(text, graphtest.Vars{"t": tk.ID})
	for i := range 700 {
		s.Await("taskLog.message", fmt.Sprint("line ", i+1))
	}
	for i := 700; i < 710; i++ { // live
		b.Write(t, running, i+1, 1)
		s.Await("taskLog.message", fmt.Sprint("line ", i+1))
	}
	b.End(t, tk.ID, models.EventSucceed)
	b.Write(t, running, 711, 1) // written beside the end
	s.Await("taskLog.message", "line 711")
	if a, ok := s.Next(); ok || len(a.Errors) > 0 {
		t.Errorf("after the end came %+v", a)
	}

	s.Subscribe(text, graphtest.Vars{"t": tk.ID, "a": fmt.Sprint(models.LogSeq(1, 709))})
	got := s.Await("taskLog.message", "line 710")
	if !strings.Contains(string(got.Data), fmt.Sprintf(`"seq":"%d"`, models.LogSeq(1, 710))) {
		t.Errorf("the line after the last known is %s", got.Data)
	}
	s.Await("taskLog.message", "line 711")
	if a, ok := s.Next(); ok || len(a.Errors) > 0 {
		t.Errorf("after the end came %+v", a)
	}

	s.Subscribe(text, graphtest.Vars{"t": "none"})
	if a, ok := s.Next(); ok && len(a.Errors) == 0 {
		t.Errorf("the log of no task: %+v", a)
	} else if len(a.Errors) == 0 || a.Errors[0].Extensions.Code != "NOT_FOUND" {
		t.Errorf("the log of no task: %+v", a)
	}
}

func TestTaskLogParts(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j, n := shop(t, b)
	tk := b.Task(t, task.NewTask{Job: j.ID})
	running := b.Dispatch(t, tk.ID, n)
	b.Write(t, running, 1, 700) // more than one part
	s := b.Connect(t, models.RoleViewer)
	s.Subscribe(`subscription($t:ID!){taskLogParts(task:$t){nodes{message nodeName} truncated lateAttempt}}`, graphtest.Vars{"t": tk.ID})
	var got struct {
		TaskLogParts struct {
			Nodes       []struct{ Message, NodeName string }
			Truncated   bool
			LateAttempt *int
		}
	}
	lines := 0
	for _, want := range []int{500, 200} {
		a, ok := s.Next()
		if err := json.Unmarshal(a.Data, &got); err != nil || !ok || len(got.TaskLogParts.Nodes) != want || got.TaskLogParts.Truncated {
			t.Fatalf("%d lines, %v %v, want %d", len(got.TaskLogParts.Nodes), ok, err, want)
		}
		for _, line := range got.TaskLogParts.Nodes {
			lines++
			if line.Message != fmt.Sprint("line ", lines) || line.NodeName != n.Name {
				t.Fatalf("line %d is %+v", lines, line)
			}
		}
	}
	b.Write(t, running, 701, 1)
	if a, ok := s.Next(); !ok || !strings.Contains(string(a.Data), `"line 701"`) {
		t.Errorf("live came %s %+v", a.Data, a.Errors)
	}
	b.End(t, tk.ID, models.EventSucceed)
	if a, ok := s.Next(); ok || len(a.Errors) > 0 {
		t.Errorf("after the end came %+v", a)
	}

	const search = `query($t:ID!,$f:TaskLogFilter!,$n:Int,$b:Boolean!){task(id:$t){searchLogs(filter:$f,first:$n,backward:$b){nodes{seq message nodeName} hasNextPage searchedTo}}}`
	for _, c := range []struct {
		vars graphtest.Vars
		want string
	}{
		{graphtest.Vars{"t": tk.ID, "f": map[string]any{"text": "LINE 70"}, "n": 2, "b": true}, `"message":"line 701"`},
		{graphtest.Vars{"t": tk.ID, "f": map[string]any{"text": "line 70", "minLevel": "INFO", "attempt": 1}, "n": 2, "b": false}, `"message":"line 70"`},
		{graphtest.Vars{"t": tk.ID, "f": map[string]any{"minLevel": "ERROR"}, "b": false}, `"nodes":[],"hasNextPage":false,"searchedTo":null`},
	} {
		if a := b.Do(t, models.RoleViewer, search, c.vars); !strings.Contains(string(a.Data), c.want) {
			t.Errorf("%v: %s %v, want %s", c.vars, a.Data, a.Errors, c.want)
		}
	}
	long := graphtest.Vars{"t": tk.ID, "f": map[string]any{"text": strings.Repeat("字", 201)}, "b": false}
	if a := b.Do(t, models.RoleViewer, search, long); len(a.Errors) != 1 || a.Errors[0].Extensions.Code != "INVALID" {
		t.Errorf("a long text: %+v", a)
	}
}

// A cookie counts only with the console's own origin, and sockets end with what they were
// opened by (CB-094, CB-100).
func TestSocketsAndSessions(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	p := b.Person(t, "correct horse battery")
	cookie, origin := p.Header().Get("Cookie"), b.URL
	const text = `subscription{overviewChanged{at}}`

	own, _, err := b.Dial(t, http.Header{"Cookie": {cookie}, "Origin": {origin}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	own.Subscribe(text, nil)
	if a, ok := own.Next(); !ok {
		t.Fatalf("the console's own socket: %+v", a)
	}
	for name, origin := range map[string]string{"foreign": "http://evil.example", "opaque": "null", "another port": "http://127.0.0.1:1"} {
		if _, resp, err := b.Dial(t, http.Header{"Cookie": {cookie}, "Origin": {origin}}, nil); err == nil || resp == nil || resp.StatusCode != http.StatusForbidden {
			t.Errorf("a socket from an origin that is %s: %v", name, err)
		}
		if _, _, err := b.Dial(t, http.Header{"Origin": {origin}}, map[string]any{"Authorization": "Bearer " + b.Token(models.RoleAdmin)}); err == nil {
			t.Errorf("a socket from an origin that is %s, with a token, was opened", name)
		}
	}
	if s, _, err := b.Dial(t, http.Header{"Cookie": {cookie}}, nil); err == nil || s == nil {
		t.Errorf("a cookie without an origin opened a socket: %v", err)
	}
	if _, _, err := b.Dial(t, nil, nil); err == nil {
		t.Error("nobody opened a socket")
	}
	if _, _, err := b.Dial(t, nil, map[string]any{"Authorization": "Bearer bfy_wrong"}); err == nil {
		t.Error("a wrong token opened a socket")
	}
	if _, _, err := b.Dial(t, http.Header{"Authorization": {"Bearer " + b.Token(models.RoleViewer)}}, nil); err != nil {
		t.Errorf("a token in the header: %v", err)
	}
	token := b.Connect(t, models.RoleViewer)
	token.Subscribe(text, nil)
	if a, ok := token.Next(); !ok {
		t.Fatalf("the token's socket: %+v", a)
	}

	p.SignOut(t)
	if code := own.Closed(); code != 4401 {
		t.Errorf("the socket of the ended session was closed with %d", code)
	}
	tokens, _, err := b.Accounts.Tokens(t.Context(), account.TokenFilter{}, account.Page{})
	if err != nil {
		t.Fatal(err)
	}
	for _, tk := range tokens {
		if tk.Name == "token-VIEWER" {
			if _, err := b.Accounts.RevokeToken(t.Context(), "test", tk.ID); err != nil {
				t.Fatal(err)
			}
		}
	}
	if code := token.Closed(); code != 4401 {
		t.Errorf("the socket of the revoked token was closed with %d", code)
	}
}

func TestSubscriptionsAreRefusedByRole(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	s := b.Connect(t, models.RoleViewer)
	s.Subscribe(`mutation{pauseJob(id:"x"){userErrors{code}}}`, nil)
	if a, ok := s.Next(); ok || len(a.Errors) != 1 || a.Errors[0].Extensions.Code != "FORBIDDEN" {
		t.Errorf("a viewer's mutation over a socket: %+v", a)
	}
	s.Subscribe(`{viewer{role}}`, nil)
	if a, ok := s.Next(); !ok || string(a.Data) != `{"viewer":{"role":"VIEWER"}}` {
		t.Errorf("a query over a socket: %+v", a)
	}
}

// Subscribers that read nothing hold nobody else up, and end with their sockets.
func TestSlowReadersHoldNobodyUp(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j, _ := shop(t, b)
	const text = `subscription{taskChanged{id state parameters}}`
	var slow []*graphtest.Socket
	for range 20 {
		s := b.Connect(t, models.RoleViewer)
		s.Subscribe(text, nil)
		slow = append(slow, s)
	}
	quick := b.Connect(t, models.RoleViewer)
	quick.Subscribe(text, nil)
	large := json.RawMessage(`"` + strings.Repeat("x", 200<<10) + `"`) // so that a few fill what the network holds
	awaitFirst(t, quick, "taskChanged.state", func() { b.Task(t, task.NewTask{Job: j.ID, Parameters: large}) })
	for range 100 {
		tk := b.Task(t, task.NewTask{Job: j.ID, Parameters: large})
		quick.Await("taskChanged.id", tk.ID)
	}
	for _, s := range slow {
		s.Close()
	}
}
