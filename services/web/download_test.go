package web

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/account"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

const someTask = "01M8NS02QGGZW7NW7SCVSBSXAN"

// downloads serves logs to a person with a role.
func downloads(t *testing.T, role models.Role, write LogWriter) *httptest.Server {
	t.Helper()
	d := newDownload(write, slog.New(slog.DiscardHandler))
	mux := http.NewServeMux()
	mux.Handle("/download/tasks/{id}/log", http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		caller := account.Principal{TokenID: "t", Role: role}
		if role == 0 {
			caller = account.Principal{}
		}
		ctx := request.WithCaller(r.Context(), caller, nil)
		d.ServeHTTP(w, r.WithContext(ctx))
	}))
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

// fetch answers status, body and headers; broken says that the answer was cut.
func fetch(t *testing.T, url string) (status int, body string, header http.Header, broken bool) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(raw), resp.Header, err != nil
}

func TestDownload(t *testing.T) {
	t.Parallel()
	write := func(_ context.Context, w io.Writer, task, format string, attempt int, flush func() error) error {
		switch attempt {
		case 1:
			return nil
		case 2:
			return fault.New(fault.NotFound, "There is no task.")
		case 3:
			_, _ = io.WriteString(w, "half")
			return errors.Join(flush(), errors.New("the database is away"))
		case 4:
			return errors.New("the database is away")
		}
		_, _ = io.WriteString(w, task+" as "+format)
		return flush()
	}
	server := downloads(t, models.RoleViewer, write)
	base := server.URL + "/download/tasks/" + someTask + "/log"
	for _, c := range []struct {
		query  string
		status int
		body   string // empty: any
		broken bool
	}{
		{"", 200, someTask + " as text", false},
		{"?format=ndjson", 200, someTask + " as ndjson", false},
		{"?attempt=1", 200, "", false},
		{"?attempt=2", 404, "", false},
		{"?attempt=3", 200, "half", true},
		{"?attempt=4", 500, "", false},
		{"?format=pdf", 400, "", false},
		{"?attempt=0", 400, "", false},
		{"?attempt=x", 400, "", false},
	} {
		status, body, header, broken := fetch(t, base+c.query)
		if status != c.status || c.body != "" && body != c.body || broken != c.broken {
			t.Errorf("%s: %d %q, broken %v", c.query, status, body, broken)
		}
		if named := header.Get("Content-Disposition") != ""; named != (status == 200) {
			t.Errorf("%s: disposition %q", c.query, header.Get("Content-Disposition"))
		}
	}
	_, _, header, _ := fetch(t, base+"?format=ndjson")
	if header.Get("Content-Disposition") != `attachment; filename="task-`+someTask+`.ndjson"` || header.Get("Content-Type") != "application/x-ndjson" {
		t.Errorf("headers: %v", header)
	}
	if status, _, _, _ := fetch(t, server.URL+"/download/tasks/..%2F..%22/log"); status != 404 {
		t.Errorf("a strange id: %d", status)
	}
	if status, _, _, _ := fetch(t, downloads(t, 0, write).URL+"/download/tasks/"+someTask+"/log"); status != 401 {
		t.Errorf("nobody: %d", status)
	}
}

// A token whose scopes do not name logs gets none, whatever its role.
func TestDownloadsNeedTheScope(t *testing.T) {
	t.Parallel()
	for scope, want := range map[models.Scope]bool{models.ScopeLogsRead: true, models.ScopeTasksRead: false} {
		caller := account.Principal{TokenID: "t", Name: "t", Role: models.RoleAdmin, Scopes: []models.Scope{scope}}
		if err := mayRead(request.WithCaller(t.Context(), caller, nil)); (err == nil) != want {
			t.Errorf("with %s: %v", scope, err)
		}
	}
}

func TestDownloadsAtOnceAreBounded(t *testing.T) {
	t.Parallel()
	begun, end := make(chan struct{}), make(chan struct{})
	server := downloads(t, models.RoleViewer, func(context.Context, io.Writer, string, string, int, func() error) error {
		begun <- struct{}{}
		<-end
		return nil
	})
	base := server.URL + "/download/tasks/" + someTask + "/log"
	done := make(chan int)
	for range maxDownloads {
		go func() {
			status, _, _, _ := fetch(t, base)
			done <- status
		}()
	}
	for range maxDownloads {
		<-begun
	}
	if status, _, _, _ := fetch(t, base); status != http.StatusTooManyRequests {
		t.Errorf("one more: %d", status)
	}
	close(end)
	for range maxDownloads {
		if status := <-done; status != http.StatusOK {
			t.Errorf("one of them: %d", status)
		}
	}
}
