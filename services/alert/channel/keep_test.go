package channel

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/services/config/secret"
)

// Keys are changed without being typed again: masks stand for the stored ones in their
// order, wherever a new key is put. A mask for which there is none stays, and is refused.
func TestKeepKeys(t *testing.T) {
	t.Parallel()
	const mask = secret.Mask
	for name, tt := range map[string]struct{ stored, given, want []string }{
		"left out":            {[]string{"a", "b"}, nil, []string{"a", "b"}},
		"as shown":            {[]string{"a", "b"}, []string{mask, mask}, []string{"a", "b"}},
		"a new one first":     {[]string{"a"}, []string{"new", mask}, []string{"new", "a"}},
		"a new one last":      {[]string{"a"}, []string{mask, "new"}, []string{"a", "new"}},
		"between two":         {[]string{"a", "b"}, []string{mask, "new", mask}, []string{"a", "new", "b"}},
		"the old one removed": {[]string{"a", "b"}, []string{mask}, []string{"a"}},
		"all replaced":        {[]string{"a"}, []string{"new"}, []string{"new"}},
		"none left":           {[]string{"a"}, []string{}, []string{}},
		"a mask too many":     {[]string{"a"}, []string{mask, mask}, []string{"a", mask}},
	} {
		s := Secrets{Secrets: tt.given}
		s.Keep(&Secrets{Secrets: tt.stored})
		if diff := cmp.Diff(tt.want, s.Secrets); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
