package totp

import (
	"net/url"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// The vectors of RFC 6238, appendix B (SHA-1), cut to six digits.
func TestVectors(t *testing.T) {
	t.Parallel()
	secret := []byte("12345678901234567890")
	for at, want := range map[int64]string{
		59: "287082", 1111111109: "081804", 1111111111: "050471", 1234567890: "005924", 2000000000: "279037", 20000000000: "353130",
	} {
		if got := Code(secret, Step(time.Unix(at, 0))); got != want {
			t.Errorf("at %d: %s, want %s", at, got, want)
		}
	}
	if got := Text(secret); got != "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" {
		t.Error(got)
	}
}

// A code holds in its period and one to either side, and never at or before the last used.
func TestMatch(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		secret := rapid.SliceOfN(rapid.Byte(), secretBytes, secretBytes).Draw(t, "secret")
		now := time.Unix(rapid.Int64Range(100, 1<<33).Draw(t, "now"), 0)
		away := rapid.Int64Range(-4, 4).Draw(t, "away")
		after := Step(now) + rapid.Int64Range(-4, 4).Draw(t, "after")
		shown := Step(now) + away
		step, ok := Match(secret, Code(secret, shown), now, after)
		may := away >= -Drift && away <= Drift && shown > after
		if may && !ok {
			t.Fatalf("the code of %d periods away is refused", away)
		}
		// Another period may have the same code by chance, once in a million.
		if ok && (step <= after || step < Step(now)-Drift || step > Step(now)+Drift) {
			t.Fatalf("step %d is taken, now is %d, used up to %d", step, Step(now), after)
		}
		if ok && !may && Code(secret, step) != Code(secret, shown) {
			t.Fatalf("a wrong code is taken for step %d", step)
		}
	})
	for _, wrong := range []string{"", "12345", "1234567", "abcdef", "١٢٣٤٥٦"} {
		if _, ok := Match([]byte("12345678901234567890"), wrong, time.Unix(59, 0), 0); ok {
			t.Errorf("%q is taken", wrong)
		}
	}
}

func TestURI(t *testing.T) {
	t.Parallel()
	u, err := url.Parse(URI([]byte("12345678901234567890"), "Belfry 生产 & co", "ada:l?ve#1"))
	if err != nil || u.Scheme != "otpauth" || u.Host != "totp" || u.Fragment != "" {
		t.Fatal(u, err)
	}
	if u.Path != "/Belfry 生产 & co:ada:l?ve#1" || u.Query().Get("secret") != "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ" {
		t.Errorf("%q %q", u.Path, u.Query())
	}
}

// The finder patterns stand in three corners, and longer texts make larger codes.
func TestQR(t *testing.T) {
	t.Parallel()
	size := 0
	for _, account := range []string{"a", "a-rather-long-name-of-an-account@example.com"} {
		rows, err := QR(URI(NewSecret(), "Belfry 生产", account))
		if err != nil || len(rows) < 21 || len(rows) <= size {
			t.Fatal(len(rows), err)
		}
		size = len(rows)
		for _, row := range rows {
			if len(row) != size {
				t.Fatalf("a row of %d in a code of %d", len(row), size)
			}
		}
		for _, corner := range []string{rows[0][:7], rows[6][:7], rows[0][size-7:], rows[size-1][:7]} {
			if corner != "1111111" {
				t.Errorf("a corner is %s", corner)
			}
		}
	}
	if _, err := QR(string(make([]byte, 10_000))); err == nil {
		t.Error("a text that is too long has a code")
	}
}
