package schedule

import (
	"encoding/json"
	"errors"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// vector is one entry of testdata/cron.json: real faults of other schedulers
// and the right answers, computed by two independent programs. Expect holds the
// next fires strictly after After, in order; an empty list means there is none.
// Error means that the expression, or the zone where one is given, must be
// refused. Notes that begin with CONVENTION mark inputs on which schedulers
// disagree.
type vector struct {
	ID     string   `json:"id"`
	Expr   string   `json:"expr"`
	Zone   *string  `json:"zone"`
	After  string   `json:"after"`
	Expect []string `json:"expect"`
	Error  bool     `json:"error"`
	Note   string   `json:"note"`
}

func readVectors(t testing.TB) []vector {
	t.Helper()
	data, err := os.ReadFile("testdata/cron.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []vector
	if err := json.Unmarshal(data, &vectors); err != nil {
		t.Fatal(err)
	}
	return vectors
}

func TestVectors(t *testing.T) {
	t.Parallel()
	for _, v := range readVectors(t) {
		t.Run(v.ID, func(t *testing.T) {
			t.Parallel()
			if v.Error {
				checkRefused(t, v)
				return
			}
			checkFires(t, v)
		})
	}
}

func checkRefused(t *testing.T, v vector) {
	t.Helper()
	_, err := ParseCron(v.Expr, "seed")
	if v.Zone == nil {
		var parseError *ParseError
		if !errors.As(err, &parseError) {
			t.Fatalf("ParseCron(%q) = %v, want a *ParseError: %s", v.Expr, err, v.Note)
		}
		if length := len([]rune(v.Expr)); parseError.Position < 1 || parseError.Position > length+1 {
			t.Errorf("position %d outside 1-%d", parseError.Position, length+1)
		}
		return
	}
	if err != nil {
		t.Fatalf("ParseCron(%q): %v", v.Expr, err)
	}
	var zoneError *ZoneError
	if zone, err := LoadZone(*v.Zone); !errors.As(err, &zoneError) {
		t.Fatalf("LoadZone(%q) = %v, %v, want a *ZoneError: %s", *v.Zone, zone, err, v.Note)
	}
}

func checkFires(t *testing.T, v vector) {
	t.Helper()
	cron, err := ParseCron(v.Expr, "seed")
	if err != nil {
		t.Fatalf("ParseCron(%q): %v", v.Expr, err)
	}
	zone, err := LoadZone(*v.Zone)
	if err != nil {
		t.Fatal(err)
	}
	at := instant(t, v.After)
	got := []string{}
	for range v.Expect {
		next, ok := cron.Next(at, zone)
		if !ok {
			break
		}
		got = append(got, next.Format(time.RFC3339))
		at = next
	}
	if diff := cmp.Diff(v.Expect, got); diff != "" {
		t.Errorf("%q in %s after %s: %s\n-want +got:\n%s", v.Expr, *v.Zone, v.After, v.Note, diff)
	}
	if len(v.Expect) == 0 && !cron.Never() {
		t.Errorf("%q: Never is false", v.Expr)
	}
}

func instant(t testing.TB, text string) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		t.Fatal(err)
	}
	return at
}
