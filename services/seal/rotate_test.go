package seal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/models"
)

// shelf is a ledger in memory.
type shelf struct {
	texts map[string]string
	// fail is asked before each Reseal; an error loses the batch.
	fail func() error
	// meanwhile is called before each Reseal, for what others do.
	meanwhile func()
}

func (s *shelf) Sealed(_ context.Context, _ models.SealedKind, after string, n int) ([]models.Sealed, error) {
	var page []models.Sealed
	for _, id := range slices.Sorted(maps.Keys(s.texts)) {
		if id > after && len(page) < n {
			page = append(page, models.Sealed{ID: id, Text: s.texts[id]})
		}
	}
	return page, nil
}

func (s *shelf) Reseal(_ context.Context, _ models.SealedKind, changes []models.Reseal) (n int, err error) {
	if s.meanwhile != nil {
		s.meanwhile()
	}
	if s.fail != nil {
		if err := s.fail(); err != nil {
			return 0, err
		}
	}
	for _, c := range changes {
		if s.texts[c.ID] == c.Was {
			s.texts[c.ID] = c.Text
			n++
		}
	}
	return n, nil
}

// However often it fails and whatever others change meanwhile: after enough runs all is
// sealed with the first key, and says what it said or what somebody else has made it say.
func TestRotation(t *testing.T) {
	t.Parallel()
	before, after := box(t, one, ""), box(t, two, one)
	kind := models.SealedChannels
	rapid.Check(t, func(r *rapid.T) {
		s := &shelf{texts: map[string]string{}}
		says := map[string]string{}
		put := func(b *Box, id, text string) {
			sealed, err := b.Seal([]byte(text), kind.About(id))
			if err != nil {
				r.Fatal(err)
			}
			s.texts[id], says[id] = sealed, text
		}
		for i := range rapid.IntRange(0, 250).Draw(r, "secrets") {
			put([]*Box{before, after}[rapid.IntRange(0, 1).Draw(r, "key")], fmt.Sprintf("%04d", i), fmt.Sprint(i))
		}
		s.fail = func() error {
			if rapid.IntRange(0, 3).Draw(r, "fails") == 0 {
				return errors.New("the database is away")
			}
			return nil
		}
		s.meanwhile = func() {
			if len(s.texts) > 0 {
				put(after, fmt.Sprintf("%04d", rapid.IntRange(0, len(s.texts)-1).Draw(r, "edited")), "edited")
			}
		}
		for range 50 {
			if _, err := after.Rotate(t.Context(), s, nil); err == nil {
				break
			}
		}
		s.fail, s.meanwhile = nil, nil
		counts, err := after.Rotate(t.Context(), s, nil)
		if err != nil || counts[0].All != len(s.texts) || counts[0].Left != 0 || len(counts[0].Unknown) != 0 {
			r.Fatalf("%+v %v", counts, err)
		}
		alone := box(t, two, "")
		for id, text := range s.texts {
			if plain, err := alone.Open(text, kind.About(id)); err != nil || string(plain) != says[id] {
				r.Fatalf("%s says %q and not %q: %v", id, plain, says[id], err)
			}
		}
	})
}

func TestRotationLeavesWhatItCannotOpen(t *testing.T) {
	t.Parallel()
	sealed, err := box(t, "another key, another key, another", "").Seal([]byte("x"), "channel a")
	if err != nil {
		t.Fatal(err)
	}
	s := &shelf{texts: map[string]string{"a": sealed}}
	counts, err := box(t, two, one).Rotate(t.Context(), s, nil)
	if err != nil || counts[0].Unknown[KeyOf(sealed)] != 1 || counts[0].Resealed != 0 || s.texts["a"] != sealed {
		t.Errorf("%+v %v", counts, err)
	}
	wrong, err := box(t, one, "").Seal([]byte("x"), "channel b")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := box(t, two, one).Rotate(t.Context(), &shelf{texts: map[string]string{"a": wrong}}, nil); err == nil {
		t.Error("what was sealed for another channel is sealed anew")
	}
}
