package worker

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// A heartbeat may complain about a stream that has been replaced meanwhile: the new
// one has to stay.
func TestOnlyTheStreamThatIsMissedIsDropped(t *testing.T) {
	t.Parallel()
	var s stream
	var ended []error
	end := func(cause error) { ended = append(ended, cause) }
	s.drop(s.number()) // none is open
	s.isOpen(end)
	first := s.number()
	s.isOpen(nil)
	if s.number() != 0 {
		t.Error("a stream that has ended has a number")
	}
	s.isOpen(end)
	s.drop(first)
	s.drop(0)
	if len(ended) != 0 {
		t.Fatalf("dropped: %v", ended)
	}
	s.drop(s.number())
	if len(ended) != 1 || !errors.Is(ended[0], errReconnect) {
		t.Errorf("dropped: %v", ended)
	}
}

func TestLinesOfAnyLengthWithinTheBound(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 3*streamBuffer)
	giant := strings.Repeat("y", maxFrameBytes-streamBuffer)
	var s stream
	r := bufio.NewReaderSize(strings.NewReader("a\n"+long+"\n\n"+giant+"\nb\nunfinished"), streamBuffer)
	for _, want := range []string{"a", long, "", giant, "b"} {
		got, err := s.line(r)
		if err != nil || string(got) != want+"\n" {
			t.Fatalf("%d bytes, %v, want %d", len(got), err, len(want))
		}
	}
	if _, err := s.line(r); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("end: %v", err)
	}
	endless := bufio.NewReaderSize(io.MultiReader(strings.NewReader(giant), strings.NewReader(giant)), streamBuffer)
	if _, err := s.line(endless); !errors.Is(err, errTooLong) {
		t.Errorf("endless line: %v", err)
	}
}

func TestFramesThatAreNotUnderstood(t *testing.T) {
	t.Parallel()
	b, _, _ := newTestBook(1)
	s := &stream{session: newSession(b.cfg, nil, b, "01JD", nil)}
	for line, fails := range map[string]bool{
		"\n": false, `{"kind":"of a later version","seq":4,"more":[1]}`: false, `{"kind":`: true, `{"kind":"settings"}`: false,
	} {
		if err := s.frame([]byte(line)); (err != nil) != fails {
			t.Errorf("%q: %v", line, err)
		}
	}
	if b.stats().Connected != true {
		t.Error("a frame of a later version does not count as received")
	}
	if err := s.frame([]byte(`{"kind":"bye","seq":5}`)); !errors.Is(err, errBye) {
		t.Errorf("bye: %v", err)
	}
	if got := causeOfCancel(wire.Cancel{Cause: "new", Reason: strings.Repeat("x", 1<<20)}); !errors.Is(got, ErrCancelled) || len(got.Error()) > 2000 {
		t.Errorf("cause of %d bytes", len(got.Error()))
	}
}
