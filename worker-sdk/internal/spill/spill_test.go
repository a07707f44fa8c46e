package spill

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func header(incarnation string) Header {
	return Header{App: "shop", Group: "g", Node: "n1", Incarnation: incarnation}
}

func create(t *testing.T, dir string, limit int64) *File {
	t.Helper()
	f, err := Create(dir, header("incarnation-1"), limit)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	return f
}

func add(t *testing.T, f *File, text string) uint64 {
	t.Helper()
	n, err := f.Append([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// crashed copies a file as a process that was killed leaves it, cut at size, and opens
// it as the next process does.
func crashed(t *testing.T, f *File, change func([]byte) []byte) ([]*Orphan, error) {
	t.Helper()
	text, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if change != nil {
		text = change(bytes.Clone(text))
	}
	if err := os.WriteFile(filepath.Join(dir, filepath.Base(f.Path())), text, 0o600); err != nil {
		t.Fatal(err)
	}
	return Orphans(dir, "shop")
}

// texts takes all that an orphan has.
func texts(t *testing.T, o *Orphan) []string {
	t.Helper()
	defer o.Close()
	var out []string
	for o.Len() > 0 {
		part, err := o.Take(3, 1<<20)
		if err != nil || len(part) == 0 {
			t.Fatalf("%d of %d, %v", len(part), o.Len(), err)
		}
		for _, text := range part {
			out = append(out, string(text))
		}
	}
	return out
}

func TestWhatACrashLeavesIsFound(t *testing.T) {
	t.Parallel()
	f := create(t, t.TempDir(), 1<<20)
	var numbers []uint64
	for i := range 10 {
		numbers = append(numbers, add(t, f, fmt.Sprintf(`{"task":%d}`, i)))
	}
	if err := f.Done(numbers[1], numbers[8], 99); err != nil || f.Len() != 8 {
		t.Fatalf("%d left, %v", f.Len(), err)
	}
	found, err := crashed(t, f, nil)
	if err != nil || len(found) != 1 || found[0].Header != header("incarnation-1") || found[0].Damaged != 0 {
		t.Fatalf("%+v, %v", found, err)
	}
	if got := fmt.Sprint(texts(t, found[0])); got != `[{"task":0} {"task":2} {"task":3} {"task":4} {"task":5} {"task":6} {"task":7} {"task":9}]` {
		t.Errorf("found %s", got)
	}
}

// A crash can cut the file anywhere: all whole records before are found.
func TestEveryCutLeavesWholeResults(t *testing.T) {
	t.Parallel()
	f := create(t, t.TempDir(), 1<<20)
	ends := []int64{f.size}
	for i := range 5 {
		add(t, f, strings.Repeat(fmt.Sprint(i), 1+i*7))
		ends = append(ends, f.size)
	}
	for cut := range f.size + 1 {
		found, err := crashed(t, f, func(b []byte) []byte { return b[:cut] })
		if cut < ends[0] {
			if err == nil {
				t.Errorf("cut at %d: a file without a header was taken", cut)
			}
			continue
		}
		whole := 0
		for whole < 5 && ends[whole+1] <= cut {
			whole++
		}
		if err != nil || len(found) != 1 {
			t.Fatalf("cut at %d: %v", cut, err)
		}
		if got := texts(t, found[0]); len(got) != whole || (found[0].Damaged > 0) != (cut != ends[whole]) {
			t.Errorf("cut at %d: found %v, %d damaged", cut, got, found[0].Damaged)
		}
	}
}

// A flipped bit loses one result at most, unless it is in a length, and invents none.
func TestNoBrokenResultIsSent(t *testing.T) {
	t.Parallel()
	f := create(t, t.TempDir(), 1<<20)
	begins := f.size
	known := map[string]bool{}
	for i := range 4 {
		text := fmt.Sprintf(`{"task":"%d"}`, i)
		known[text] = true
		add(t, f, text)
	}
	for at := begins; at < f.size; at++ {
		found, err := crashed(t, f, func(b []byte) []byte { b[at] ^= 0x10; return b })
		if err != nil || len(found) != 1 {
			t.Fatalf("byte %d: %v", at, err)
		}
		got := texts(t, found[0])
		inLength := (at-begins)%((f.size-begins)/4) < 4
		if found[0].Damaged == 0 || len(got) != 3 && !inLength {
			t.Errorf("byte %d: %v, %d damaged", at, got, found[0].Damaged)
		}
		for _, text := range got {
			if !known[text] {
				t.Errorf("byte %d: %q was never written", at, text)
			}
		}
	}
}

func TestALivingProcessKeepsItsFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := create(t, dir, 1<<20)
	add(t, f, "a")
	if found, err := Orphans(dir, "shop"); err != nil || len(found) != 0 {
		t.Fatalf("%v, %v", found, err)
	}
	if _, err := Create(dir, header("incarnation-1"), 1<<20); !errors.Is(err, ErrLocked) {
		t.Errorf("a second process with the same file: %v", err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Append([]byte("b")); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
	if found, err := Orphans(dir, "other app"); err != nil || len(found) != 0 {
		t.Fatalf("another app takes %v, %v", found, err)
	}
	found, err := Orphans(dir, "shop")
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	if twice, err := Orphans(dir, "shop"); err != nil || len(twice) != 0 {
		t.Errorf("two processes have it: %v, %v", twice, err)
	}
	if err := found[0].Remove(); err != nil {
		t.Fatal(err)
	}
	checkEmpty(t, dir)
}

func checkEmpty(t *testing.T, dir string) {
	t.Helper()
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 0 {
		t.Errorf("left in the folder: %v, %v", left, err)
	}
}

func TestAFileWithoutResultsIsRemoved(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := create(t, dir, 1<<20)
	if err := f.Done(add(t, f, "a")); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.Close(), f.Close()); err != nil {
		t.Fatal(err)
	}
	checkEmpty(t, dir)
}

// What is done with makes room, and what is not stays, however long it goes on.
func TestTheFileStaysSmall(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	f := create(t, dir, 8<<20)
	random := rand.New(rand.NewPCG(1, 2))
	live := map[uint64]string{}
	largest := int64(0)
	for i := range 20_000 {
		text := fmt.Sprintf("%d %s", i, strings.Repeat("x", random.IntN(2000)))
		live[add(t, f, text)] = text
		for n := range live {
			if len(live) <= 50 {
				break
			}
			delete(live, n)
			if err := f.Done(n); err != nil {
				t.Fatal(err)
			}
		}
		if i%5000 == 4999 { // all at once
			for n := range live {
				if err := f.Done(n); err != nil {
					t.Fatal(err)
				}
			}
			clear(live)
		}
		largest = max(largest, f.size)
	}
	for i := range 10 {
		text := fmt.Sprint("last ", i)
		live[add(t, f, text)] = text
	}
	if largest > 2*roomy {
		t.Errorf("20 MB of results made a file of %d bytes", largest)
	}
	found, err := crashed(t, f, nil)
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	got := texts(t, found[0])
	for _, text := range live {
		if !strings.Contains(strings.Join(got, "\n"), text) {
			t.Errorf("%q is gone", text)
		}
	}
	if len(got) != len(live) {
		t.Errorf("found %d of %d", len(got), len(live))
	}
}

func TestAFullFileStaysWhole(t *testing.T) {
	t.Parallel()
	f := create(t, t.TempDir(), 400)
	first := add(t, f, strings.Repeat("a", 100))
	if _, err := f.Append(make([]byte, 1000)); !errors.Is(err, errFull) {
		t.Fatalf("error %v", err)
	}
	add(t, f, "b")
	if err := f.Done(first); err != nil {
		t.Fatal(err)
	}
	found, err := crashed(t, f, nil)
	if err != nil || len(found) != 1 {
		t.Fatalf("%v, %v", found, err)
	}
	if got := texts(t, found[0]); len(got) != 1 || got[0] != "b" {
		t.Errorf("found %v", got)
	}
}

func TestStrangeFilesAreNamedAndLeft(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	strange := filepath.Join(dir, "x"+suffix)
	if err := os.WriteFile(strange, []byte("something else entirely"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "y"+suffix+freshSuffix), []byte("half a copy"), 0o600); err != nil {
		t.Fatal(err)
	}
	if found, err := Orphans(dir, "shop"); err == nil || !strings.Contains(err.Error(), "x"+suffix) || len(found) != 0 {
		t.Errorf("%v, %v", found, err)
	}
	if left, _ := os.ReadDir(dir); len(left) != 1 || left[0].Name() != filepath.Base(strange) {
		t.Errorf("left: %v", left)
	}
	if found, err := Orphans(filepath.Join(dir, "missing"), "shop"); err != nil || len(found) != 0 {
		t.Errorf("no folder: %v, %v", found, err)
	}
}

// FuzzOrphan reads any file without a panic, and never more than is there.
func FuzzOrphan(f *testing.F) {
	whole := appendRecord([]byte(magic), kindHeader, []byte(`{"app":"shop","incarnation":"i"}`))
	whole = appendRecord(whole, kindResult, number(1), []byte(`{"task":1}`))
	f.Add(appendRecord(bytes.Clone(whole), kindDone, number(1)))
	f.Add(appendRecord(bytes.Clone(whole), kindResult, []byte{1}))
	f.Add(append(bytes.Clone(whole), 255, 255, 255, 255))
	f.Fuzz(func(t *testing.T, text []byte) {
		path := filepath.Join(t.TempDir(), "f"+suffix)
		if err := os.WriteFile(path, text, 0o600); err != nil {
			t.Fatal(err)
		}
		o, err := openOrphan(path)
		if err != nil {
			return
		}
		size := 0
		for _, text := range texts(t, o) {
			size += len(text)
		}
		if size > len(text) {
			t.Errorf("%d bytes out of %d", size, len(text))
		}
	})
}

func BenchmarkAppendDone(b *testing.B) {
	f, err := Create(b.TempDir(), header("incarnation-1"), 1<<30)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	text := bytes.Repeat([]byte("x"), 300)
	b.ReportAllocs()
	for b.Loop() {
		n, err := f.Append(text)
		if err == nil {
			err = f.Done(n)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
}
