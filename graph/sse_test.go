package graph_test

import (
	"bufio"
	"net/http"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/task"
)

// A script follows a log with nothing but an HTTP client.
func TestEventStream(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	j, n := shop(t, b)
	tk := b.Task(t, task.NewTask{Job: j.ID})
	b.Write(t, b.Dispatch(t, tk.ID, n), 1, 2)
	b.End(t, tk.ID, models.EventSucceed)
	open := func(token string) *http.Response {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.URL+"/graphql",
			strings.NewReader(`{"query":"subscription{taskLog(task:\"`+tk.ID+`\"){message}}"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "text/event-stream")
		r.Header.Set("Authorization", "Bearer "+token)
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { resp.Body.Close() })
		return resp
	}
	resp := open(b.Token(models.RoleViewer))
	var got []string
	for lines := bufio.NewScanner(resp.Body); lines.Scan(); {
		if line := lines.Text(); line != "" && line != ":" {
			got = append(got, line)
		}
	}
	want := []string{
		"event: next", `data: {"data":{"taskLog":{"message":"line 1"}},"extensions":{"cost":{"requested":2,"limit":30000}}}`, "event: next", `data: {"data":{"taskLog":{"message":"line 2"}}}`,
		"event: complete", "data:",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("received\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if resp := open("bfy_wrong"); resp.StatusCode != http.StatusUnauthorized {
		t.Errorf("a wrong token has status %d", resp.StatusCode)
	}
}
