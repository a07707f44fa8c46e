package channel

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
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

// A header's mask stands for the header of that name alone: one that was renamed has to be
// written out, and one that is left out is gone. None at all takes all away; absent, they
// stay.
func TestKeepHeaders(t *testing.T) {
	t.Parallel()
	const mask = secret.Mask
	for name, tt := range map[string]struct {
		given, want map[string]string
		refused     bool
	}{
		"left out":      {nil, map[string]string{"A": "1", "B": "2"}, false},
		"as shown":      {map[string]string{"A": mask, "B": mask}, map[string]string{"A": "1", "B": "2"}, false},
		"one changed":   {map[string]string{"A": "3", "B": mask}, map[string]string{"A": "3", "B": "2"}, false},
		"one taken out": {map[string]string{"B": mask}, map[string]string{"B": "2"}, false},
		"none":          {map[string]string{}, map[string]string{}, false},
		"renamed":       {map[string]string{"C": mask}, map[string]string{"C": mask}, true},
	} {
		s := Settings{Secret: Secrets{Headers: tt.given}}
		s.Secret.Keep(&Secrets{URL: "https://example.com/x", Headers: map[string]string{"A": "1", "B": "2"}})
		if diff := cmp.Diff(tt.want, s.Secret.Headers); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if err := Check(models.ChannelWebhook, &s); (err != nil) != tt.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
}
