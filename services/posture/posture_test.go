package posture

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/coord/redisconn"
	"github.com/belfry-scheduler/belfry/services/outbound"
)

var now = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func ago(days int) time.Time { return now.Add(-time.Duration(days) * 24 * time.Hour) }

// shown is a finding in short: severity, code, subjects.
func shown(all []Finding) []string {
	lines := []string{}
	for _, f := range all {
		lines = append(lines, strings.TrimSpace(string(f.Severity)+" "+string(f.Code)+" "+strings.Join(f.Subjects, "; ")))
	}
	return lines
}

func TestRules(t *testing.T) {
	t.Parallel()
	used := ago(1)
	soon := now.Add(time.Hour)
	token := func(name string, changes bool, ends *time.Time, created time.Time, used *time.Time) Token {
		return Token{Name: name, Changes: changes, ExpiresAt: ends, CreatedAt: created, LastUsedAt: used}
	}
	far := []Token{token("b", false, &soon, ago(100), nil), token("a", true, &soon, ago(100), new(ago(90))), token("c", true, &soon, ago(100), new(ago(89)))}
	for name, tt := range map[string]struct {
		facts Facts
		want  []string
	}{
		"nothing known":             {Facts{}, []string{}},
		"plain HTTP for all":        {Facts{Web: Web{Known: true, Listen: ":7000"}}, []string{"HIGH NO_TLS"}},
		"plain HTTP, public":        {Facts{Web: Web{Known: true, Listen: "127.0.0.1:7000", PublicURL: "http://belfry.example.com"}}, []string{"HIGH NO_TLS"}},
		"plain HTTP, this machine":  {Facts{Web: Web{Known: true, Listen: "127.0.0.1:7000", PublicURL: "http://localhost:7000"}}, []string{}},
		"plain HTTP, [::1]":         {Facts{Web: Web{Known: true, Listen: "[::1]:7000"}}, []string{}},
		"behind a proxy with TLS":   {Facts{Web: Web{Known: true, Listen: ":7000", PublicURL: "https://belfry.example.com"}}, []string{}},
		"TLS of its own":            {Facts{Web: Web{Known: true, Listen: ":7000", TLS: true, Ends: now.Add(15 * 24 * time.Hour)}}, []string{}},
		"a certificate that ends":   {Facts{Web: Web{Known: true, Listen: ":7000", TLS: true, Ends: now.Add(13 * 24 * time.Hour)}}, []string{"MEDIUM CERTIFICATE_ENDS"}},
		"a certificate that ended":  {Facts{Web: Web{Known: true, Listen: ":7000", TLS: true, Ends: now}}, []string{"HIGH CERTIFICATE_ENDS"}},
		"old keys in use":           {Facts{Keys: Keys{Old: 1, Left: 3}}, []string{"MEDIUM SECRET_KEY_OLD"}},
		"old keys":                  {Facts{Keys: Keys{Old: 2}}, []string{"LOW SECRET_KEY_OLD"}},
		"unknown keys":              {Facts{Keys: Keys{Unknown: 1}}, []string{"MEDIUM SECRET_KEY_UNKNOWN"}},
		"a token that reads":        {Facts{Tokens: []Token{token("grafana", false, nil, ago(10), &used)}}, []string{"LOW TOKEN_WITHOUT_END grafana"}},
		"tokens that change":        {Facts{Tokens: []Token{token("grafana", false, nil, ago(10), &used), token("ci", true, nil, ago(10), &used)}}, []string{"MEDIUM TOKEN_WITHOUT_END ci; grafana"}},
		"tokens that nobody uses":   {Facts{Tokens: far}, []string{"MEDIUM TOKEN_UNUSED a; b"}},
		"app keys":                  {Facts{AppKeys: []AppKey{{"shop", "bfk_a", ago(400), &used}, {"shop", "bfk_b", ago(400), nil}, {"shop", "bfk_c", ago(80), nil}}}, []string{"MEDIUM APP_KEY_UNUSED shop (bfk_b…)", "LOW APP_KEY_OLD shop (bfk_a…)"}},
		"one administrator":         {Facts{People: []Person{{"ann", true, true, true}, {"bob", false, false, false}}}, []string{"LOW ADMIN_SINGLE ann"}},
		"shared administrator":      {Facts{People: []Person{{"Admin", true, true, true}, {"ann", true, true, true}}}, []string{"MEDIUM ADMIN_SHARED Admin"}},
		"no second factor":          {Facts{FactorsKept: true, People: []Person{{"ann", true, true, true}, {"bob", true, true, false}, {"cat", true, false, false}, {"dan", false, false, false}}}, []string{"MEDIUM ADMIN_ONE_FACTOR bob; cat"}},
		"factors not known":         {Facts{People: []Person{{"ann", true, true, false}, {"bob", true, true, false}}}, []string{}},
		"clocks":                    {Facts{Clocks: []Clock{{"a", 500 * time.Millisecond}, {"b", -501 * time.Millisecond}}}, []string{"LOW CLOCK_OFF b (-501ms)"}},
		"a clock far off":           {Facts{Clocks: []Clock{{"a", 3 * time.Second}}}, []string{"MEDIUM CLOCK_OFF a (3s)"}},
		"redis on this machine":     {Facts{Redis: []Redis{{"127.0.0.1:6379", false, false}}}, []string{"LOW REDIS_NO_PASSWORD 127.0.0.1:6379"}},
		"redis elsewhere":           {Facts{Redis: []Redis{{"cache:6379", false, false}}}, []string{"HIGH REDIS_NO_PASSWORD cache:6379", "LOW REDIS_NO_TLS cache:6379"}},
		"redis with both":           {Facts{Redis: []Redis{{"cache:6379", true, true}}}, []string{}},
		"database elsewhere":        {Facts{Database: Database{Host: "db", User: "root"}}, []string{"HIGH DATABASE_NO_PASSWORD root", "MEDIUM DATABASE_NO_TLS db", "LOW DATABASE_ROOT root"}},
		"database on this machine":  {Facts{Database: Database{Host: "127.0.0.1", User: "belfry", Password: true}}, []string{}},
		"database, TLS":             {Facts{Database: Database{Host: "db", User: "belfry", Password: true, TLS: true}}, []string{}},
		"a wide list":               {Facts{AllowWide: []string{"10.0.0.0/8"}}, []string{"MEDIUM ALLOW_LIST_WIDE 10.0.0.0/8"}},
		"nothing masked":            {Facts{MaskingOff: true}, []string{"MEDIUM MASKING_OFF"}},
		"strangers read the schema": {Facts{IntrospectionOpen: true}, []string{"MEDIUM INTROSPECTION_OPEN"}},
	} {
		tt.facts.At = now
		got := Findings(&tt.facts)
		if diff := cmp.Diff(tt.want, shown(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		for _, f := range got {
			if !strings.HasSuffix(f.Remedy, ".") && !strings.HasSuffix(f.Remedy, "…") && !strings.HasSuffix(f.Remedy, "host") || f.What == "" {
				t.Errorf("%s: %+v has no sentence", name, f)
			}
		}
	}
}

// The worst come first, and a finding names so many things at most.
func TestOrderAndBounds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		f := Facts{At: now, FactorsKept: true, MaskingOff: rapid.Bool().Draw(r, "mask"), Web: Web{Known: true, Listen: ":1", TLS: rapid.Bool().Draw(r, "tls")}}
		for range rapid.IntRange(0, 40).Draw(r, "people") {
			f.People = append(f.People, Person{Name: rapid.String().Draw(r, "name"), Admin: true, AllApps: rapid.Bool().Draw(r, "all")})
		}
		for range rapid.IntRange(0, 40).Draw(r, "tokens") {
			f.Tokens = append(f.Tokens, Token{Name: rapid.String().Draw(r, "token"), CreatedAt: ago(rapid.IntRange(0, 200).Draw(r, "age"))})
		}
		last := -1
		for _, one := range Findings(&f) {
			if ranks[one.Severity] < last {
				r.Fatalf("%s %s comes after a lesser one", one.Severity, one.Code)
			}
			last = ranks[one.Severity]
			if len(one.Subjects) > mostSubjects || one.Count < len(one.Subjects) {
				r.Fatalf("%s has %d subjects of %d", one.Code, len(one.Subjects), one.Count)
			}
		}
	})
}

func TestSettings(t *testing.T) {
	t.Parallel()
	allow, err := outbound.ParseAllow("10.0.0.0/8,hooks.internal")
	if err != nil {
		t.Fatal(err)
	}
	target, err := redisconn.Parse("redis://a,rediss://:pw@b,redis://u:pw@c:7")
	if err != nil {
		t.Fatal(err)
	}
	got := Here(Settings{Listen: ":7000", PublicURL: "https://x", DatabaseURL: "mysql://u:p@db:3306/b?tls=true", Redis: &target, Allow: allow, MaskingOff: true})
	want := Facts{
		Web: Web{Known: true, Listen: ":7000", PublicURL: "https://x"}, Database: Database{Host: "db", User: "u", TLS: true, Password: true},
		Redis:     []Redis{{"a:6379", false, false}, {"b:6379", true, true}, {"c:7", true, false}},
		AllowWide: []string{"10.0.0.0/8"}, MaskingOff: true,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for address, want := range map[secret.URL]Database{
		"": {}, "sqlite:///b.db": {}, "mysql://u:p@/b?socket=/run/m.sock": {}, "%": {},
		"mysql://u@127.0.0.1/b":             {Host: "127.0.0.1", User: "u"},
		"mysql://u:p@h/b?tls=false":         {Host: "h", User: "u", Password: true},
		"mysql://u:p@h/b?tls=preferred":     {Host: "h", User: "u", Password: true},
		"mysql://u:p@[::1]/b?tls=my-config": {Host: "::1", User: "u", Password: true, TLS: true},
	} {
		if diff := cmp.Diff(want, databaseOf(address)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", address.Reveal(), diff)
		}
	}
}
