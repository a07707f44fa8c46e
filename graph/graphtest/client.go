package graphtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/models"
)

// Vars are an operation's variables.
type Vars map[string]any

// Answer is what came back for one operation.
type Answer struct {
	Status     int             `json:"-"`
	Data       json.RawMessage `json:"data"`
	Errors     []Error         `json:"errors"`
	Extensions map[string]any  `json:"extensions"`
}

// Error is one top-level error.
type Error struct {
	Message    string `json:"message"`
	Path       []any  `json:"path"`
	Extensions struct {
		Code      string   `json:"code"`
		Field     []string `json:"field"`
		RequestID string   `json:"requestId"`
	} `json:"extensions"`
}

// UserError is one refusal.
type UserError struct {
	Code    string   `json:"code"`
	Field   []string `json:"field"`
	Message string   `json:"message"`
}

// Do posts an operation with a role's token and answers whatever came back.
func (b *Bench) Do(t testing.TB, role models.Role, text string, vars Vars) Answer {
	t.Helper()
	note(text)
	return b.Post(t, map[string]any{"query": text, "variables": vars}, b.header(role))
}

func (b *Bench) header(role models.Role) http.Header {
	h := http.Header{"Content-Type": {"application/json"}}
	if token := b.Token(role); token != "" {
		h.Set("Authorization", "Bearer "+token)
	}
	return h
}

// Post posts a body to the API.
func (b *Bench) Post(t testing.TB, body any, header http.Header) Answer {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.URL+"/graphql", bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = header
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	a := Answer{Status: resp.StatusCode}
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatalf("the answer is no JSON: %v: %.300s", err, text)
	}
	return a
}

// Ask posts an operation as an administrator, demands that it has no errors, and
// reads its data into out.
func (b *Bench) Ask(t testing.TB, text string, vars Vars, out any) {
	t.Helper()
	a := b.Do(t, models.RoleAdmin, text, vars)
	if len(a.Errors) > 0 || a.Status != http.StatusOK {
		t.Fatalf("%s\nstatus %d, errors %+v", text, a.Status, a.Errors)
	}
	if out == nil {
		return
	}
	if err := json.Unmarshal(a.Data, out); err != nil {
		t.Fatalf("%s\n%v: %s", text, err, a.Data)
	}
}

// Value is the part of an operation's data at a path such as "job.app.name" or
// "jobs.nodes.0.id", as an administrator sees it.
func (b *Bench) Value(t testing.TB, path, text string, vars Vars) any {
	t.Helper()
	var data any
	b.Ask(t, text, vars, &data)
	return At(t, data, path)
}

// At is the part of decoded JSON at a path.
func At(t testing.TB, data any, path string) any {
	t.Helper()
	for step := range strings.SplitSeq(path, ".") {
		switch v := data.(type) {
		case map[string]any:
			next, ok := v[step]
			if !ok {
				t.Fatalf("%s: there is no %s in %v", path, step, v)
			}
			data = next
		case []any:
			i := 0
			if _, err := fmt.Sscan(step, &i); err != nil || i >= len(v) {
				t.Fatalf("%s: there is no entry %s of %d", path, step, len(v))
			}
			data = v[i]
		default:
			t.Fatalf("%s: %s of %v", path, step, data)
		}
	}
	return data
}

// Refused runs a mutation with a single root field as an administrator and answers
// its userErrors.
func (b *Bench) Refused(t testing.TB, text string, vars Vars) []UserError {
	t.Helper()
	var data map[string]struct{ UserErrors []UserError }
	b.Ask(t, text, vars, &data)
	for _, payload := range data {
		return payload.UserErrors
	}
	return nil
}
