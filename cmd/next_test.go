package cmd

import (
	"encoding/json"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// nextAnswer is the JSON of belfry next, a good answer or an error.
type nextAnswer struct {
	Fires       []string `json:"fires"`
	Dialect     string   `json:"dialect"`
	Expression  string   `json:"expression"`
	Zone        string   `json:"zone"`
	Description string   `json:"description"`
	Warnings    []string `json:"warnings"`
	Error       string   `json:"error"`
	Position    *int     `json:"position"`
}

// askNext runs belfry next --json, whose answer is always on standard output.
func askNext(t *testing.T, args ...string) (nextAnswer, int) {
	t.Helper()
	got := runCommand(t, append([]string{"next", "--json"}, args...)...)
	var answer nextAnswer
	if err := json.Unmarshal([]byte(got.stdout), &answer); err != nil || got.stderr != "" {
		t.Fatalf("%q: %+v: %v", args, got, err)
	}
	return answer, got.code
}

func TestNextJSON(t *testing.T) {
	t.Parallel()
	got, code := askNext(t, "--zone", "America/New_York", "--after", "2026-03-07T12:00:00Z", "--count", "2", "--", "30 2 * * *")
	want := nextAnswer{
		Fires:       []string{"2026-03-08T07:00:00Z", "2026-03-09T06:30:00Z"},
		Dialect:     "unix",
		Expression:  "30 2 * * *",
		Zone:        "America/New_York",
		Description: "At 02:30 every day (America/New_York time)",
		Warnings:    []string{"On 2026-03-08 the clocks in America/New_York go forward from 02:00 to 03:00: 02:30 does not exist that day; it fires once instead, at 03:00"},
	}
	if diff := cmp.Diff(want, got); diff != "" || code != 0 {
		t.Errorf("exit %d, -want +got:\n%s", code, diff)
	}
}

// TestNextAnswersTheVectors runs every known case through the command.
func TestNextAnswersTheVectors(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../services/schedule/testdata/cron.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct {
		ID, Expr, After, Note string
		Zone                  *string
		Expect                []string
		Error                 bool
	}
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	for _, v := range vectors {
		args := []string{"--count", strconv.Itoa(max(len(v.Expect), 1))}
		if v.Zone != nil {
			args = append(args, "--zone", *v.Zone)
		}
		if v.After != "" {
			args = append(args, "--after", v.After)
		}
		got, code := askNext(t, append(args, "--", v.Expr)...)
		if v.Error {
			badZone := v.Zone != nil
			if code != 2 || got.Error == "" || got.Position == nil || (*got.Position == 0) != badZone {
				t.Errorf("%s %q: exit %d, %+v; %s", v.ID, v.Expr, code, got, v.Note)
			}
			continue
		}
		fires := got.Fires[:min(len(got.Fires), len(v.Expect))]
		if len(v.Expect) == 0 {
			fires = got.Fires
		}
		if diff := cmp.Diff(v.Expect, fires); diff != "" || code != 0 || got.Description == "" || got.Warnings == nil {
			t.Errorf("%s %q: exit %d, %+v\n-want +got:\n%s", v.ID, v.Expr, code, got, diff)
		}
	}
}

func TestNextRefuses(t *testing.T) {
	t.Parallel()
	tests := []struct {
		args     []string
		contains string
		position int
	}{
		{[]string{""}, "empty", 1},
		{[]string{"60 * * * *"}, "minute field, position 1", 1},
		{[]string{"0 0 0 ? * MON#6"}, "weekday field", 15},
		{[]string{"--zone", "Asia/Beijing", "@daily"}, "Asia/Shanghai", 0},
		{[]string{"--after", "yesterday", "@daily"}, "RFC 3339", 0},
		{[]string{"--count", "0", "@daily"}, "1 to 10000", 0},
		{[]string{"--count", "10001", "@daily"}, "1 to 10000", 0},
		{[]string{"-5 * * * *"}, "unknown flag", 0},
	}
	for _, test := range tests {
		got, code := askNext(t, test.args...)
		if code != 2 || !strings.Contains(got.Error, test.contains) || got.Position == nil || *got.Position != test.position {
			t.Errorf("%q: exit %d, %+v", test.args, code, got)
		}
		plain := runCommand(t, append([]string{"next"}, test.args...)...)
		if plain.code != 2 || plain.stdout != "" || !strings.Contains(plain.stderr, test.contains) {
			t.Errorf("%q without --json: %+v", test.args, plain)
		}
	}
}

func TestNextNeverAnswersWithEmptyLists(t *testing.T) {
	t.Parallel()
	got := runCommand(t, "next", "--json", "0 0 30 2 *")
	if got.code != 0 || !strings.Contains(got.stdout, `"fires":[]`) {
		t.Errorf("%+v", got)
	}
	got = runCommand(t, "next", "--json", "--after", "2026-01-01T00:00:00Z", "@daily")
	if got.code != 0 || !strings.Contains(got.stdout, `"warnings":[]`) {
		t.Errorf("%+v", got)
	}
}

func TestNextText(t *testing.T) {
	t.Parallel()
	got := runCommand(t, "next", "--zone", "Europe/Berlin", "--after", "2026-03-28T12:00:00Z", "--count", "2", "--lang", "zh-CN", "@daily")
	want := `每天 00:00（Europe/Berlin 时间）
0 0 * * *, read as unix

UTC                    Europe/Berlin
2026-03-28T23:00:00Z   Sun 2026-03-29 00:00:00 +01:00
2026-03-29T22:00:00Z   Mon 2026-03-30 00:00:00 +02:00
`
	if diff := cmp.Diff(ran{0, want, ""}, got, cmp.AllowUnexported(ran{})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := runCommand(t, "next", "0 0 30 2 *"); got.code != 0 || !strings.Contains(got.stdout, "No fires after") || !strings.Contains(got.stdout, "! This schedule never fires") {
		t.Errorf("%+v", got)
	}
}

// TestNextDefaults: ten fires from now, in UTC; H needs no seed and a seed
// always gives the same.
func TestNextDefaults(t *testing.T) {
	t.Parallel()
	before := time.Now()
	got, _ := askNext(t, "* * * * * *")
	first, err := time.Parse(time.RFC3339, got.Fires[0])
	if err != nil || len(got.Fires) != 10 || got.Zone != "UTC" || first.Before(before) || first.After(time.Now().Add(2*time.Second)) {
		t.Errorf("%+v", got)
	}
	seeded, _ := askNext(t, "--seed", "orders/sync", "H H(2-4) * * *")
	if seeded.Expression != "10 4 * * *" {
		t.Errorf("H became %q", seeded.Expression)
	}
}
