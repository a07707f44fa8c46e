package schedule

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestSparseIntervals: the search skips months in which nothing can match, and
// must not skip a fire beside a clock change or beside midnight in UTC.
func TestSparseIntervals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		expression, zone, after string
		want                    []string
	}{
		// Local New Year comes before that of UTC.
		{"0 */8 1 1 *", "Europe/Berlin", "2026-01-02T00:00:00Z", []string{"2026-12-31T23:00:00Z", "2027-01-01T07:00:00Z", "2027-01-01T15:00:00Z"}},
		// Only the first hour after the change matches.
		{"*/30 3 8 3 *", "America/New_York", "2026-03-08T06:59:59Z", []string{"2026-03-08T07:00:00Z", "2026-03-08T07:30:00Z", "2027-03-08T08:00:00Z"}},
		// Only the second pass of the repeated hour is left.
		{"*/30 1 1 11 *", "America/New_York", "2026-11-01T05:59:59Z", []string{"2026-11-01T06:00:00Z", "2026-11-01T06:30:00Z", "2027-11-01T05:00:00Z"}},
		// The local day is left out in 2011.
		{"0 */12 30 12 *", "Pacific/Apia", "2010-12-31T12:00:00Z", []string{"2012-12-29T10:00:00Z", "2012-12-29T22:00:00Z", "2013-12-29T10:00:00Z"}},
	}
	for _, test := range tests {
		cron, zone, at := mustCron(t, test.expression), mustZone(t, test.zone), instant(t, test.after)
		var got []string
		for range test.want {
			next, ok := cron.Next(at, zone)
			if !ok {
				break
			}
			got, at = append(got, next.Format(time.RFC3339)), next
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%q in %s after %s: -want +got:\n%s", test.expression, test.zone, test.after, diff)
		}
	}
}

// TestNextOverlooksNothing: whatever instant before a fire is asked about, and
// whatever has been asked before, the answer is that fire.
func TestNextOverlooksNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := drawCron(t, 8).text
		used, err := ParseCron(text, "")
		if err != nil {
			t.Fatal(err)
		}
		for range 5 {
			place := rapid.SampledFrom(oddHours).Draw(t, "place")
			zone, err := LoadZone(place.zone)
			if err != nil {
				t.Fatal(err)
			}
			at, err := time.Parse(time.RFC3339, place.at)
			if err != nil {
				t.Fatal(err)
			}
			after := at.Add(time.Duration(rapid.Int64Range(-1e9, 1e6).Draw(t, "seconds")) * time.Second)
			want, ok := used.Next(after, zone)
			if !ok {
				continue
			}
			between := after.Add(time.Duration(rapid.Int64Range(0, max(int64(want.Sub(after))-1, 0)).Draw(t, "between")))
			fresh, err := ParseCron(text, "")
			if err != nil {
				t.Fatal(err)
			}
			for _, cron := range []*Cron{used, fresh} {
				if got, ok := cron.Next(between, zone); !ok || !got.Equal(want) {
					t.Fatalf("%q in %s: %s after %s, but %s after %s", text, zone, want, after, got, between)
				}
			}
		}
	})
}

// TestNextByManyAtOnce: one schedule may be asked by several goroutines about
// different zones.
func TestNextByManyAtOnce(t *testing.T) {
	t.Parallel()
	cron := mustCron(t, "30 2 * * *")
	for _, place := range oddHours {
		zone, at := mustZone(t, place.zone), instant(t, place.at)
		fresh := mustCron(t, "30 2 * * *")
		t.Run(place.zone+place.at, func(t *testing.T) {
			t.Parallel()
			for range 200 {
				want, _ := fresh.Next(at, zone)
				if got, _ := cron.Next(at, zone); !got.Equal(want) {
					t.Fatalf("after %s: %s, want %s", at, got, want)
				}
				at = want
			}
		})
	}
}
