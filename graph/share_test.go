package graph_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/graph/limit"
	"github.com/belfry-scheduler/belfry/graph/transport"
	"github.com/belfry-scheduler/belfry/models"
)

// Each answer says what it was reckoned to cost, and what the caller may ask for.
func TestCostIsTold(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	text := func(first int) string {
		return fmt.Sprintf(`{tasks(first:%d){nodes{children(first:100){nodes{id state}}}}}`, first)
	}
	for role, most := range map[models.Role]float64{models.RoleViewer: 30_000, models.RoleOperator: 30_000, models.RoleDeveloper: 60_000, models.RoleAdmin: 100_000} {
		a := b.Do(t, role, text(10), nil)
		cost, _ := a.Extensions["cost"].(map[string]any)
		if cost["limit"] != most || cost["requested"] == nil || cost["requested"].(float64) < 3_000 {
			t.Errorf("%s: %+v %+v", role, a.Extensions, a.Errors)
		}
	}
	for role, answered := range map[models.Role]bool{models.RoleViewer: false, models.RoleOperator: false, models.RoleDeveloper: true, models.RoleAdmin: true} {
		a := b.Do(t, role, `{a:tasks(first:100){nodes{children(first:100){nodes{id state}}}}viewer{name}}`, nil)
		if (len(a.Errors) == 0) != answered {
			t.Errorf("%s: %+v", role, a.Errors)
		}
		if !answered && (a.Errors[0].Extensions.Code != "LIMIT" || !strings.Contains(a.Errors[0].Message, "at most 30000")) {
			t.Errorf("%s: %+v", role, a.Errors)
		}
	}
	if a := b.Do(t, 0, `{viewer{name}}`, nil); fmt.Sprint(a.Extensions["cost"]) != fmt.Sprintf("map[limit:%d requested:2]", limit.CostOf(0)) {
		t.Errorf("nobody: %+v", a)
	}
	s := b.Connect(t, models.RoleViewer)
	s.Subscribe(`subscription{overviewChanged{at}}`, nil)
	if a, ok := s.Next(); !ok || a.Extensions["cost"] == nil {
		t.Errorf("a subscription's first response: %+v", a)
	}
}

// One caller cannot take the places of others.
func TestSocketsOfOneCaller(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	dial := func(role models.Role) error {
		_, _, err := b.Dial(t, nil, map[string]any{"Authorization": "Bearer " + b.Token(role)})
		return err
	}
	for range transport.MaxCallerStreams {
		if err := dial(models.RoleViewer); err != nil {
			t.Fatal(err)
		}
	}
	if err := dial(models.RoleViewer); err == nil || !strings.Contains(err.Error(), "You have 200 streams open on this server, and at most 200 may be: close some.") {
		t.Errorf("one more socket: %v", err)
	}
	if _, resp, err := b.Dial(t, http.Header{"Authorization": {"Bearer " + b.Token(models.RoleViewer)}}, nil); err == nil || resp == nil || resp.StatusCode != http.StatusTooManyRequests {
		t.Errorf("one more socket, known by its header: %v", err)
	}
	if err := dial(models.RoleAdmin); err != nil {
		t.Errorf("another's socket: %v", err)
	}
}
