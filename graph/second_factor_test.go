package graph_test

import (
	"encoding/base32"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/graph/graphtest"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/totp"
)

const (
	factorFields = `secondFactor{since recoveryCodesLeft required available}`
	secondPass   = "correct horse battery"
)

// A person sets a second factor up, makes new recovery codes and removes it; an
// administrator resets another's; a token has none.
func TestSecondFactorByTheAPI(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	if got := b.Value(t, "secondFactor", `{`+factorFields+`}`, nil); got != nil {
		t.Errorf("a token has %v", got)
	}
	p := b.Person(t, secondPass)
	if got := p.Value(t, "secondFactor", `{`+factorFields+`}`, nil); graphtest.At(t, got, "since") != nil || graphtest.At(t, got, "available") != true {
		t.Errorf("before: %v", got)
	}
	password := graphtest.Vars{"p": secondPass}
	begun := p.Value(t, "beginSecondFactor", `mutation($p:String!){beginSecondFactor(currentPassword:$p){secret uri qr userErrors{code field message}}}`, password)
	text, _ := graphtest.At(t, begun, "secret").(string)
	if uri, _ := graphtest.At(t, begun, "uri").(string); !strings.Contains(uri, "secret="+text) || len(graphtest.At(t, begun, "qr").([]any)) < 21 {
		t.Fatalf("%v", begun)
	}
	secret, err := base32.StdEncoding.WithPadding(base32.NoPadding).DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	done := p.Value(t, "confirmSecondFactor", `mutation($c:String!){confirmSecondFactor(code:$c){recoveryCodes `+factorFields+` userErrors{code field message}}}`,
		graphtest.Vars{"c": totp.Code(secret, totp.Step(clock.System{}.Now()))})
	if len(graphtest.At(t, done, "recoveryCodes").([]any)) != 10 || graphtest.At(t, done, "secondFactor.since") == nil {
		t.Fatalf("%v", done)
	}
	user := b.Value(t, "users.nodes", `{users{nodes{id hasSecondFactor}}}`, nil)
	if graphtest.At(t, user, "0.hasSecondFactor") != true {
		t.Errorf("%v", user)
	}
	renewed := p.Value(t, "renewRecoveryCodes", `mutation($p:String!){renewRecoveryCodes(currentPassword:$p){recoveryCodes `+factorFields+` userErrors{code field message}}}`, password)
	if graphtest.At(t, renewed, "secondFactor.recoveryCodesLeft") != 10.0 || graphtest.At(t, renewed, "recoveryCodes.0") == graphtest.At(t, done, "recoveryCodes.0") {
		t.Errorf("%v", renewed)
	}
	const remove = `mutation($p:String!){removeSecondFactor(currentPassword:$p){` + factorFields + ` userErrors{code field message}}}`
	wrong := p.Value(t, "removeSecondFactor", remove, graphtest.Vars{"p": "wrong"})
	if graphtest.At(t, wrong, "userErrors.0.code") != "INVALID" || graphtest.At(t, wrong, "userErrors.0.field.0") != "currentPassword" {
		t.Errorf("%v", wrong)
	}
	const reset = `mutation($id:ID!){resetUserSecondFactor(id:$id){user{hasSecondFactor} userErrors{code field message}}}`
	id := graphtest.Vars{"id": graphtest.At(t, user, "0.id")}
	if a := p.Do(t, reset, id); len(a.Errors) != 1 || a.Errors[0].Extensions.Code != "FORBIDDEN" {
		t.Errorf("one's own: %s %+v", a.Data, a.Errors)
	}
	if got := p.Value(t, "removeSecondFactor", remove, password); graphtest.At(t, got, "secondFactor.since") != nil {
		t.Errorf("%v", got)
	}
	if refused := b.Refused(t, reset, id); len(refused) != 1 || refused[0].Code != "NOT_FOUND" {
		t.Errorf("%v", refused)
	}
	said := strings.Join(actions(t, b, map[string]any{"kind": "user"}), " ")
	for _, action := range []string{"user.second_factor.add", "user.recovery_codes.renew", "user.second_factor.remove"} {
		if !strings.Contains(said, action) {
			t.Errorf("%s is not in the trail: %s", action, said)
		}
	}
}

// Sessions say how, from where and with what they were opened.
func TestSessionsSayWhereTheyCameFrom(t *testing.T) {
	t.Parallel()
	b := graphtest.New(t)
	p := b.Person(t, secondPass)
	got := p.Value(t, "sessions", `{sessions{method address agent}}`, nil)
	if graphtest.At(t, got, "0.method") != "PASSWORD" {
		t.Errorf("%v", got)
	}
}
