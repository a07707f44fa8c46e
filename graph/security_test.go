package graph_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/models"
)

type finding struct {
	Code, Severity, What, Remedy string
	Subjects                     []string
	Count                        int
}

func TestSecurityFindings(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	b.Person(t, "correct horse battery")
	var got struct{ SecurityFindings []finding }
	b.Ask(t, `{securityFindings{code severity what remedy subjects count}}`, nil, &got)
	byCode := map[string]finding{}
	for _, f := range got.SecurityFindings {
		byCode[f.Code] = f
	}
	if f := byCode["NO_TLS"]; f.Severity != "HIGH" || !strings.Contains(f.Remedy, "BELFRY_TLS_CERT") || f.Subjects == nil {
		t.Errorf("without TLS: %+v", got)
	}
	if f := byCode["TOKEN_WITHOUT_END"]; f.Severity != "MEDIUM" || f.Count != 4 || !slices.Contains(f.Subjects, "token-VIEWER") {
		t.Errorf("tokens: %+v", f)
	}
	if got.SecurityFindings[0].Severity != "HIGH" {
		t.Errorf("the worst is not first: %+v", got.SecurityFindings)
	}
	for role, want := range map[models.Role]string{0: "UNAUTHENTICATED", models.RoleDeveloper: "FORBIDDEN"} {
		if a := b.Do(t, role, `{securityFindings{code}}`, nil); len(a.Errors) != 1 || a.Errors[0].Extensions.Code != want {
			t.Errorf("%s: %+v", role, a)
		}
	}
}
