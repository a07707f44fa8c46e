package text

import (
	"bytes"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// split writes the parts and answers the lines.
func split(limit int, parts ...string) (lines []string, cut int64) {
	s := &Splitter{Limit: limit, Emit: func(l Line) {
		lines = append(lines, string(l.Bytes))
		cut += l.Cut
	}}
	for _, part := range parts {
		_, _ = s.Write([]byte(part))
	}
	s.Flush()
	return lines, cut
}

func TestLines(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		in   []string
		want []string
		cut  int64
	}{
		{name: "nothing", in: []string{""}, want: nil},
		{name: "empty lines", in: []string{"\n\n"}, want: []string{"", ""}},
		{name: "no end", in: []string{"a\nb"}, want: []string{"a", "b"}},
		{name: "parts", in: []string{"a", "b", "\n", "c\n"}, want: []string{"ab", "c"}},
		{name: "Windows ends", in: []string{"a\r\nb\r", "\nc\r\n"}, want: []string{"a", "b", "c"}},
		{name: "a progress bar", in: []string{"10%\r20%", "\r", "30%\ndone\n"}, want: []string{"30%", "done"}},
		{name: "a carriage return at the end", in: []string{"a\r"}, want: []string{"a"}},
		{name: "a long line", in: []string{"0123456", "789abc\nx\n"}, want: []string{"01234567", "x"}, cut: 5},
		{name: "a long line that starts over", in: []string{"0123456789abc\rshort\n"}, want: []string{"short"}},
	} {
		got, cut := split(8, tt.in...)
		if diff := cmp.Diff(tt.want, got); diff != "" || cut != tt.cut {
			t.Errorf("%s: cut %d, want %d %s", tt.name, cut, tt.cut, diff)
		}
	}
}

// Where the writes are cut makes no difference.
func TestLinesDoNotDependOnTheWrites(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOf(rapid.StringOf(rapid.SampledFrom([]rune("ab\n\r")))).Draw(t, "parts")
		got, cut := split(4, parts...)
		want, wantCut := split(4, strings.Join(parts, ""))
		if diff := cmp.Diff(want, got); diff != "" || cut != wantCut {
			t.Fatalf("cut %d, want %d %s", cut, wantCut, diff)
		}
	})
}

func FuzzSplitter(f *testing.F) {
	f.Add([]byte("a\r\nb\rc\n"), 3)
	f.Fuzz(func(t *testing.T, data []byte, at int) {
		at = min(max(at, 0), len(data))
		var total, lines int
		s := &Splitter{Limit: 16, Emit: func(l Line) {
			if len(l.Bytes) > 16 || bytes.ContainsAny(l.Bytes, "\r\n") {
				t.Errorf("line %q", l.Bytes)
			}
			if got := Auto.Decode(l.Bytes, l.Cut > 0); !utf8.ValidString(got) {
				t.Errorf("%q is decoded as %q", l.Bytes, got)
			}
			total += len(l.Bytes) + int(l.Cut)
			lines++
		}}
		_, _ = s.Write(data[:at])
		_, _ = s.Write(data[at:])
		s.Flush()
		if ends := bytes.Count(data, []byte("\n")); total > len(data) || lines < ends || lines > ends+1 {
			t.Errorf("%d lines with %d bytes of %q", lines, total, data)
		}
	})
}

// A gigabyte of short lines and one endless line pass without memory growing.
func TestAGigabyteInBoundedMemory(t *testing.T) {
	t.Parallel()
	var lines, bytesSeen int64
	s := &Splitter{Limit: 16 << 10, Emit: func(l Line) {
		lines++
		bytesSeen += int64(len(l.Bytes)) + l.Cut
	}}
	short := []byte(strings.Repeat(strings.Repeat("x", 99)+"\n", 320)) // 32,000 bytes
	long := []byte(strings.Repeat("y", 32<<10))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range (1 << 30) / len(short) {
		_, _ = s.Write(short)
	}
	for range (200 << 20) / len(long) {
		_, _ = s.Write(long)
	}
	s.Flush()
	runtime.ReadMemStats(&after)
	wantLines := int64((1<<30)/len(short)*320 + 1)
	wantBytes := int64((1<<30)/len(short)*320*99 + 200<<20)
	if lines != wantLines || bytesSeen != wantBytes {
		t.Errorf("%d lines with %d bytes, want %d with %d", lines, bytesSeen, wantLines, wantBytes)
	}
	// Other tests of the package allocate meanwhile, so the bound is generous.
	if grown := int64(after.TotalAlloc) - int64(before.TotalAlloc); grown > 64<<20 {
		t.Errorf("%d bytes were allocated", grown)
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, encoding, in string
		cut                bool
		want               string
	}{
		{name: "ASCII", in: "plain", want: "plain"},
		{name: "UTF-8", in: "订单 ✓", want: "订单 ✓"},
		{name: "GBK", in: "\xb6\xa9\xb5\xa5 ok", want: "订单 ok"},
		{name: "GB18030 in four bytes", in: "\x95\x32\x82\x36", want: "𠀀"},
		{name: "neither", in: "a\xffb", want: "a\uFFFDb"},
		{name: "half a character of GBK", in: "\xb6\xa9\xb5", want: "\uFFFD"},
		{name: "cut within GBK", in: "\xb6\xa9\xb5", cut: true, want: "订"},
		{name: "cut within UTF-8", in: "订\xe5\x8d", cut: true, want: "订"},
		{name: "colours stay", in: "\x1b[31mred\x1b[0m\t.", want: "\x1b[31mred\x1b[0m\t."},
		{name: "controls are shown", in: "a\x00b\x07\x7f", want: "a␀b␇␡"},
		{name: "Latin by name", encoding: "windows-1252", in: "Gr\xf6\xdfe \x80", want: "Größe €"},
		{name: "Japanese by name", encoding: "Shift_JIS", in: "\x8e\xe8\x8e\x86", want: "手紙"},
		{name: "UTF-8 by name", encoding: "utf-8", in: "\xb6\xa9\xb5\xa5", want: "\uFFFD"},
	} {
		e, ok := ByName(tt.encoding)
		if !ok {
			t.Fatalf("no encoding %q", tt.encoding)
		}
		if got := e.Decode([]byte(tt.in), tt.cut); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	if _, ok := ByName("utf-16"); ok {
		t.Error("an unknown encoding is found")
	}
}

func TestHeadCutsBetweenCharacters(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int]string{0: "", 1: "a", 2: "a", 3: "a", 4: "a订", 9: "a订"} {
		if got := Head("a订", limit); got != want {
			t.Errorf("%d: %q, want %q", limit, got, want)
		}
	}
}
