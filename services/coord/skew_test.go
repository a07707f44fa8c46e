package coord

import (
	"testing"
	"time"
)

func TestWhatAMeasurementOfTheClockChanges(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	for name, tc := range map[string]struct {
		before        skew
		offset, doubt time.Duration
		want          time.Duration
	}{
		"first, late answer, right clock":    {skew{}, 60 * ms, 61 * ms, 0},
		"first, certainly off":               {skew{}, 60 * ms, 5 * ms, 60 * ms},
		"first, certainly behind":            {skew{}, -3000 * ms, 10 * ms, -3000 * ms},
		"sharper than before":                {skew{measured: true, doubt: 60 * ms}, 7 * ms, 9 * ms, 7 * ms},
		"no sharper, no contradiction":       {skew{measured: true, offset: 7 * ms, doubt: 9 * ms}, 50 * ms, 50 * ms, 7 * ms},
		"no sharper, but a contradiction":    {skew{measured: true, offset: 7 * ms, doubt: 9 * ms}, 90 * ms, 50 * ms, 90 * ms},
		"just as sharp, the clock was set":   {skew{measured: true, offset: 7 * ms, doubt: ms}, -2000 * ms, ms, -2000 * ms},
		"just as sharp, nothing has changed": {skew{measured: true, offset: 7 * ms, doubt: ms}, 7 * ms, ms, 7 * ms},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := tc.before
			s.believe(tc.offset, tc.doubt)
			if s.offset != tc.want || !s.measured || s.doubt != tc.doubt {
				t.Errorf("%+v, want the offset %s", s, tc.want)
			}
		})
	}
}
