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
		"sharper than before":                {skew{measured: true, trust: 60 * ms}, 7 * ms, 9 * ms, 7 * ms},
		"no sharper, no contradiction":       {skew{measured: true, offset: 7 * ms, trust: 9 * ms}, 50 * ms, 50 * ms, 7 * ms},
		"no sharper, but a contradiction":    {skew{measured: true, offset: 7 * ms, trust: 9 * ms}, 90 * ms, 50 * ms, 90 * ms},
		"less late than the last":            {skew{measured: true, offset: 7 * ms, doubt: 200 * ms, trust: 9 * ms}, 140 * ms, 145 * ms, 7 * ms},
		"just as sharp, the clock was set":   {skew{measured: true, offset: 7 * ms, trust: ms}, -2000 * ms, ms, -2000 * ms},
		"just as sharp, nothing has changed": {skew{measured: true, offset: 7 * ms, trust: ms}, 7 * ms, ms, 7 * ms},
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

// However late many answers are, what a quick one has said is not lost; and however long
// ago that was, a clock that drifts is followed.
func TestLateAnswersDoNotMoveTheClock(t *testing.T) {
	t.Parallel()
	const ms = time.Millisecond
	s := skew{}
	s.believe(ms, ms)
	for i := range 100 {
		late := time.Duration(50+i*37%200) * ms
		s.believe(late-ms, late)
		if s.offset.Abs() > 2*ms {
			t.Fatalf("after %d late answers: %+v", i+1, s)
		}
	}
	s = skew{}
	for i := range 1000 { // 100 millionths in five seconds
		is := time.Duration(i) * ms / 2
		s.believe(is, 3*ms)
		if (s.offset - is).Abs() > 4*ms {
			t.Fatalf("a clock that has drifted by %s: %+v", is, s)
		}
	}
}
