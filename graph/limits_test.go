package graph_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/graph/limit"
	"github.com/belfry-scheduler/belfry/models"
)

// Each limit lets the largest operation through and refuses the next larger one.
func TestLimits(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	nested := func(levels int) string { // task, then rootTask, …, then id
		return `{task(id:"x"){` + strings.Repeat("rootTask{", levels-2) + "id" + strings.Repeat("}", levels-2) + "}}"
	}
	aliases := func(n int) string {
		var s strings.Builder
		for i := range n {
			fmt.Fprintf(&s, " a%d:name", i)
		}
		return "{viewer{" + s.String() + "}}"
	}
	roots := func(n int) string {
		return "{" + strings.Repeat("viewer{name}", 1) + strings.Repeat(" __typename", n-1) + "}"
	}
	tokens := func(n int) string { // many words, few fields
		return "{tasks(filter:{states:[" + strings.Repeat("FAILED ", n-20) + "]}){nodes{id}}}"
	}
	written := func(n int) string { return "{viewer{" + strings.Repeat("name ", n-1) + "}}" }
	cost := func(first int) string {
		return fmt.Sprintf(`{tasks(first:%d){nodes{children(first:100){nodes{id state}}}}}`, first)
	}
	tests := map[string]struct{ fits, over string }{
		"depth":       {nested(limit.Standard.Depth), nested(limit.Standard.Depth + 1)},
		"aliases":     {aliases(limit.Standard.Aliases), aliases(limit.Standard.Aliases + 1)},
		"root fields": {roots(limit.Standard.RootFields), roots(limit.Standard.RootFields + 1)},
		"selections":  {written(limit.Standard.Selections), written(limit.Standard.Selections + 1)},
		"tokens":      {tokens(limit.Standard.Tokens - 10), tokens(limit.Standard.Tokens + 10)},
		"cost":        {cost(99), cost(100)},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if a := b.Do(t, models.RoleViewer, tt.fits, nil); a.Status != http.StatusOK || len(a.Errors) > 0 {
				t.Errorf("the largest is refused: %d %+v", a.Status, a.Errors)
			}
			a := b.Do(t, models.RoleViewer, tt.over, nil)
			if a.Status != http.StatusBadRequest || len(a.Errors) != 1 || a.Data != nil && string(a.Data) != "null" {
				t.Fatalf("the next larger one: %d %+v %s", a.Status, a.Errors, a.Data)
			}
			if code := a.Errors[0].Extensions.Code; code != "LIMIT" {
				t.Errorf("code %s: %s", code, a.Errors[0].Message)
			}
		})
	}
}

func TestBodyLimit(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	header := http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + b.Token(models.RoleViewer)}}
	a := b.Post(t, map[string]any{"query": "{viewer{name}}", "variables": map[string]any{"x": strings.Repeat("x", 1<<20)}}, header)
	if a.Status != http.StatusRequestEntityTooLarge || a.Errors[0].Extensions.Code != "LIMIT" || a.Errors[0].Extensions.RequestID == "" {
		t.Errorf("%d %+v", a.Status, a.Errors)
	}
}

func TestNothingIsSuggested(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	for _, text := range []string{`{viewr{name}}`, `{viewer{nam}}`, `{tasks(frst:1){nodes{id}}}`, `{tasks(filter:{stats:[FAILED]}){nodes{id}}}`, `mutation{pauseJb(id:1){job{id}}}`} {
		a := b.Do(t, 0, text, nil)
		if a.Status != http.StatusBadRequest || len(a.Errors) == 0 {
			t.Fatalf("%s: %d %+v", text, a.Status, a.Errors)
		}
		for _, e := range a.Errors {
			if strings.Contains(e.Message, "ean") || e.Extensions.Code != "GRAPHQL_VALIDATION_FAILED" {
				t.Errorf("%s: %s (%s)", text, e.Message, e.Extensions.Code)
			}
		}
	}
}

func TestPersistedOperations(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	const text = `{viewer{name}}`
	sum := sha256.Sum256([]byte(text))
	extension := map[string]any{"persistedQuery": map[string]any{"version": 1, "sha256Hash": hex.EncodeToString(sum[:])}}
	header := http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer " + b.Token(models.RoleViewer)}}
	a := b.Post(t, map[string]any{"extensions": extension}, header)
	if a.Status != http.StatusOK || len(a.Errors) != 1 || a.Errors[0].Extensions.Code != "PERSISTED_QUERY_NOT_FOUND" {
		t.Errorf("an unknown hash: %d %+v", a.Status, a.Errors)
	}
	for _, body := range []map[string]any{{"query": text, "extensions": extension}, {"extensions": extension}} {
		if a := b.Post(t, body, header); string(a.Data) != `{"viewer":{"name":"token-VIEWER"}}` {
			t.Errorf("%v: %s %+v", body, a.Data, a.Errors)
		}
	}
	a = b.Post(t, map[string]any{"query": `{viewer{role}}`, "extensions": extension}, header)
	if a.Status != http.StatusBadRequest || len(a.Errors) != 1 {
		t.Errorf("a hash of another text: %d %+v", a.Status, a.Errors)
	}
}

func TestIntrospection(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	const text = `{__schema{queryType{name} types{name fields{name args{name} type{name ofType{name ofType{name ofType{name}}}}}}}}`
	if a := b.Do(t, 0, text, nil); a.Status != http.StatusUnauthorized || a.Errors[0].Extensions.Code != "UNAUTHENTICATED" {
		t.Errorf("nobody: %d %+v", a.Status, a.Errors)
	}
	a := b.Do(t, models.RoleViewer, text, nil)
	if len(a.Errors) > 0 || !strings.Contains(string(a.Data), `"TaskConnection"`) {
		t.Errorf("a viewer: %+v %.100s", a.Errors, a.Data)
	}
}
