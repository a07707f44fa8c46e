package ulid

import (
	"testing"
	"time"
)

func TestEncodeKnownValue(t *testing.T) {
	t.Parallel()
	// The instant of the ULID specification's example, with all random bits set.
	var ones [10]byte
	for i := range ones {
		ones[i] = 0xff
	}
	got := encode(1469918176385, ones)
	if want := "01ARYZ6S41ZZZZZZZZZZZZZZZZ"; got != want {
		t.Fatalf("encode = %s, want %s", got, want)
	}
	if got := encode(1469918176385, [10]byte{9: 1}); got != "01ARYZ6S410000000000000001" {
		t.Fatalf("encode of a single low bit = %s", got)
	}
}

func TestNewIsValidSortedAndUnique(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	start := time.Unix(1_700_000_000, 0)
	last := ""
	for i := range 1000 {
		id := At(start.Add(time.Duration(i) * time.Millisecond))
		if !Valid(id) || seen[id] || id <= last {
			t.Fatalf("id %q after %q: valid %v, seen %v", id, last, Valid(id), seen[id])
		}
		seen[id], last = true, id
	}
	if !Valid(New()) {
		t.Fatal("New is not valid")
	}
}

func TestValidRefuses(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"", "01ARYZ6S41", "81ARYZ6S41ZZZZZZZZZZZZZZZZ", "01aryz6s41zzzzzzzzzzzzzzzz", "01ARYZ6S41ZZZZZZZZZZZZZZZU", "01ARYZ6S41ZZZZZZZ ZZZZZZZZ"} {
		if Valid(s) {
			t.Errorf("Valid(%q) = true", s)
		}
	}
}

func TestDerive(t *testing.T) {
	t.Parallel()
	base := New()
	one, two := Derive(base, "a"), Derive(base, "b")
	if one != Derive(base, "a") || one == two || !Valid(one) || !Valid(two) || one[:10] != base[:10] {
		t.Errorf("%s and %s of %s", one, two, base)
	}
	if id := Derive("no ulid", "a"); !Valid(id) || id == one || id[:10] != "0000000000" {
		t.Errorf("%s", id)
	}
	if Derive(base, "a") == Derive(New(), "a") {
		t.Error("two tasks have the same id")
	}
}
