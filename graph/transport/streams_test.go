package transport

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/services/fault"
)

type nameKey struct{}

var byName = Who{
	Caller:  func(ctx context.Context) string { name, _ := ctx.Value(nameKey{}).(string); return name },
	Address: func(context.Context) string { return "192.0.2.1" },
}

func as(ctx context.Context, name string) context.Context {
	return context.WithValue(ctx, nameKey{}, name)
}

func TestStreamsOfOneCaller(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		who   string
		most  int
		limit string
	}{
		"a person": {"ann", MaxCallerStreams, "You have 200 streams"},
		"nobody":   {"", MaxAddressStreams, "From your address 200 streams"},
	} {
		s := NewStreams(byName)
		var open []*stream
		for range tt.most {
			_, one, err := s.begin(as(t.Context(), tt.who))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			open = append(open, one)
		}
		if _, _, err := s.begin(as(t.Context(), tt.who)); !fault.Is(err, fault.Limit) || !strings.Contains(err.Error(), tt.limit) || !strings.Contains(err.Error(), "at most 200") {
			t.Errorf("%s, one more: %v", name, err)
		}
		_, other, err := s.begin(as(t.Context(), "bob"))
		if err != nil {
			t.Errorf("%s takes another's place: %v", name, err)
		}
		s.finish(open[0])
		_, again, err := s.begin(as(t.Context(), tt.who))
		if err != nil {
			t.Errorf("%s, after one has ended: %v", name, err)
		}
		for _, one := range append(open[1:], other, again) {
			s.finish(one)
		}
		if s.Open() != 0 || len(s.byCaller) != 0 || len(s.byAddress) != 0 {
			t.Errorf("%s: %d open, %v, %v", name, s.Open(), s.byCaller, s.byAddress)
		}
	}
}

func TestSubscriptionsOfOneCaller(t *testing.T) {
	t.Parallel()
	s := NewStreams(byName)
	_, one, err := s.begin(as(t.Context(), "ann"))
	if err != nil {
		t.Fatal(err)
	}
	_, two, err := s.begin(as(t.Context(), "ann"))
	if err != nil {
		t.Fatal(err)
	}
	var done []func()
	for i := range MaxCallerSubscriptions {
		end, err := s.subscribe([]*stream{one, two}[i%2])
		if err != nil {
			t.Fatal(err)
		}
		done = append(done, end)
	}
	if _, err := s.subscribe(two); !fault.Is(err, fault.Limit) || !strings.Contains(err.Error(), "You have 1000 subscriptions on this server, and at most 1000") {
		t.Errorf("one more: %v", err)
	}
	done[0]()
	if _, err := s.subscribe(one); err != nil {
		t.Errorf("after one has ended: %v", err)
	}
	s.finish(one)
	s.finish(two)
}

// Whatever comes in whatever order, nothing stays counted that has ended.
func TestStreamsAreCountedRight(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		s := NewStreams(byName)
		var open []*stream
		callers := map[*stream]string{}
		for range rapid.IntRange(0, 60).Draw(r, "steps") {
			who := rapid.SampledFrom([]string{"", "ann", "bob"}).Draw(r, "who")
			ctx := as(t.Context(), who)
			switch kind := rapid.IntRange(0, 2).Draw(r, "what"); {
			case kind == 0:
				_, one, err := s.begin(ctx)
				if err != nil {
					r.Fatal(err)
				}
				open = append(open, one)
				callers[one] = who
			case len(open) == 0:
			case kind == 1:
				if err := s.identify(ctx, open[0]); err != nil {
					r.Fatal(err)
				}
				if callers[open[0]] == "" {
					callers[open[0]] = who
				}
			default:
				s.finish(open[0])
				delete(callers, open[0])
				open = open[1:]
			}
			want := map[string]int{}
			for _, who := range callers {
				want[who]++
			}
			for _, who := range []string{"ann", "bob"} {
				got := 0
				if held := s.byCaller[who]; held != nil {
					got = held.streams
				}
				if got != want[who] {
					r.Fatalf("%s has %d streams, counted are %d", who, want[who], got)
				}
			}
			if s.byAddress["192.0.2.1"] != want[""] {
				r.Fatalf("nobody has %d streams, counted are %v", want[""], s.byAddress)
			}
		}
		for _, one := range open {
			s.finish(one)
		}
		if len(s.byCaller)+len(s.byAddress)+s.Open() != 0 {
			r.Fatalf("left over: %v %v %d", s.byCaller, s.byAddress, s.Open())
		}
	})
}
