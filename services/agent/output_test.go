package agent

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/belfry-scheduler/belfry/services/agent/text"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

func TestOutputOfOtherCharsets(t *testing.T) {
	t.Parallel()
	o := shell(t, `printf '\266\251\265\245 GBK\n\377\376 broken\n订单 UTF-8\n'`)
	want := []string{"订单 GBK", "\uFFFD broken", "订单 UTF-8"}
	if got := messages(o, "stdout"); o.Err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v %q", o.Err, got)
	}
	if r := resultOf(t, o); r.StdoutTail != strings.Join(want, "\n") {
		t.Errorf("tail %q", r.StdoutTail)
	}
}

func TestLongLinesAreCutVisibly(t *testing.T) {
	t.Parallel()
	// 200 MB without a line end, and more behind it on the other stream.
	o := shell(t, `head -c 200000000 /dev/zero | tr '\0' x; echo done >&2`)
	r := resultOf(t, o)
	got := messages(o, "stdout")
	if o.Err != nil || len(got) != 1 || r.StdoutBytes != 200_000_000 {
		t.Fatalf("%v, %d lines, %d bytes", o.Err, len(got), r.StdoutBytes)
	}
	mark := fmt.Sprintf("… [cut: %d more bytes in this line]", 200_000_000-lineBytes)
	if line := got[0]; !strings.HasSuffix(line, mark) || len(line) > wire.MaxLogLineBytes || !strings.HasPrefix(line, "xxx") {
		t.Errorf("%d bytes ending in %q", len(line), line[len(line)-80:])
	}
	if len(r.StdoutTail) > tailBytes {
		t.Errorf("the tail has %d bytes", len(r.StdoutTail))
	}
	// Decoded, a line may be longer than it was: it is cut once more, between characters.
	o = shell(t, `for i in $(seq 1 9000); do printf '\266\251'; done; echo`)
	if line := messages(o, "stdout")[0]; len(line) > wire.MaxLogLineBytes || !utf8.ValidString(line) || !strings.Contains(line, "more bytes") {
		t.Errorf("%d bytes, valid %v", len(line), utf8.ValidString(line))
	}
}

func TestOutputBeyondItsLimitShowsItsEnd(t *testing.T) {
	t.Parallel()
	a := agentWith(t, anyShell, nil)
	o := run(t, a.command, object{"shell": "seq 1 1000000; echo the error >&2; exit 1", "outputLimit": 1000})
	if len(o.Logs) > 15_000 || !o.Logs[0].At.IsZero() && o.Logs[0].Message != "1" {
		t.Errorf("%d lines, the first is %q", len(o.Logs), o.Logs[0].Message)
	}
	log := o.LogText()
	for _, want := range []string{"INFO 200\n", "WARN The output limit of 1000 bytes is reached", "lines of stdout with 6", "INFO 1000000", "WARN the error"} {
		if !strings.Contains(log, want) {
			t.Errorf("no %q in the log", want)
		}
	}
	if strings.Contains(log, "INFO 500000\n") {
		t.Error("the middle is shown")
	}
	if r := resultOf(t, o); !r.OutputCut || !strings.HasSuffix(r.StdoutTail, "999999\n1000000") || r.StderrTail != "the error" {
		t.Errorf("%+v", r)
	}
}

// The order within a stream holds, and empty lines are lines.
func TestOrderOfLines(t *testing.T) {
	t.Parallel()
	o := shell(t, `i=0; while [ $i -lt 3000 ]; do echo "a$i"; echo "b$i" >&2; i=$((i+1)); done; echo; printf 'no end'`)
	for stream, letter := range map[string]string{"stdout": "a", "stderr": "b"} {
		got := messages(o, stream)
		for i := range 3000 {
			if got[i] != fmt.Sprint(letter, i) {
				t.Fatalf("line %d of %s is %q", i, stream, got[i])
			}
		}
	}
	if rest := messages(o, "stdout")[3000:]; len(rest) != 2 || rest[0] != "" || rest[1] != "no end" {
		t.Errorf("%q", rest)
	}
}

// Ten million lines beyond the limit cost no memory: what is kept is bounded.
func TestHiddenOutputIsBounded(t *testing.T) {
	t.Parallel()
	out := newOutput(t.Context(), slog.New(slog.DiscardHandler), text.Auto, 1<<20)
	s := out.sink("stdout")
	out.sink("stderr")
	block := []byte(strings.Repeat(strings.Repeat("x", 99)+"\n", 320))
	for range (1 << 30) / len(block) {
		_, _ = s.Write(block)
	}
	kept := 0
	for _, r := range []ring{s.end, s.last} {
		for _, line := range r.lines {
			kept += cap(line.raw)
		}
	}
	if kept > 4*endBytes || s.hidden.lines == 0 {
		t.Errorf("%d bytes are kept, %d lines hidden", kept, s.hidden.lines)
	}
	out.close()
}
