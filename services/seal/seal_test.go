package seal

import (
	"strings"
	"testing"

	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/fault"
)

const (
	one = secret.Text("0123456789abcdef0123456789abcdef")
	two = secret.Text("fedcba9876543210fedcba9876543210")
)

func box(t *testing.T, current, old secret.Text) *Box {
	t.Helper()
	b, err := New(current, old)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSealing(t *testing.T) {
	t.Parallel()
	first, none := box(t, one, ""), box(t, "", one)
	sealed, err := first.Seal([]byte("hush"), "channel x")
	if err != nil || strings.Contains(sealed, "hush") {
		t.Fatal(sealed, err)
	}
	if again, _ := first.Seal([]byte("hush"), "channel x"); again == sealed {
		t.Error("sealing twice gives the same")
	}
	if plain, err := first.Open(sealed, "channel x"); err != nil || string(plain) != "hush" {
		t.Errorf("%q %v", plain, err)
	}
	if _, err := first.Open(sealed, "channel y"); err == nil {
		t.Error("it opens for another use")
	}
	changed := sealed[:len(sealed)-2] + map[bool]string{true: "AA", false: "BB"}[!strings.HasSuffix(sealed, "AA")]
	for _, bad := range []string{changed, "", "v1", "v1.x", "v2.a.b", "v1." + strings.Split(sealed, ".")[1] + ".", "v1." + strings.Split(sealed, ".")[1] + ".???"} {
		if _, err := first.Open(bad, "channel x"); err == nil {
			t.Errorf("%q opens", bad)
		}
	}
	if _, err := none.Seal([]byte("x"), ""); !fault.Is(err, fault.Unsupported) || !strings.Contains(err.Error(), "BELFRY_SECRET_KEY") {
		t.Errorf("without a key: %v", err)
	}
}

func TestKeysAreChanged(t *testing.T) {
	t.Parallel()
	sealed, err := box(t, one, "").Seal([]byte("hush"), "a")
	if err != nil {
		t.Fatal(err)
	}
	both, after := box(t, two, one), box(t, two, "")
	if plain, err := both.Open(sealed, "a"); err != nil || string(plain) != "hush" || !both.Stale(sealed) {
		t.Errorf("%q %v", plain, err)
	}
	if _, err := after.Open(sealed, "a"); !fault.Is(err, fault.Unavailable) {
		t.Errorf("without the old key: %v", err)
	}
	anew, err := both.Seal([]byte("hush"), "a")
	if err != nil || both.Stale(anew) {
		t.Error(anew, err)
	}
	if plain, err := after.Open(anew, "a"); err != nil || string(plain) != "hush" {
		t.Errorf("%q %v", plain, err)
	}
}
