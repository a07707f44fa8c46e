package store

import (
	"fmt"
	"testing"

	"github.com/belfry-scheduler/belfry/models"
)

func TestSealedSecrets(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		var want []string
		for i := range 5 {
			c := alertChannel(t, s, fmt.Sprintf("channel %d", i))
			if _, err := s.UpdateChannel(t.Context(), c.ID, func(c *models.AlertChannel) (models.Audit, error) {
				c.Sealed = map[bool]string{true: "v1.old." + c.ID, false: ""}[i != 2]
				return models.Audit{ID: models.NewID(t0), At: t0, Actor: "ada", Action: "channel.update", Kind: "channel", Object: c.ID}, nil
			}); err != nil {
				t.Fatal(err)
			}
			if i != 2 {
				want = append(want, c.ID)
			}
		}
		var got []models.Sealed
		for after := ""; ; {
			page, err := s.Sealed(t.Context(), models.SealedChannels, after, 2)
			if err != nil {
				t.Fatal(err)
			}
			if len(page) == 0 {
				break
			}
			got = append(got, page...)
			after = page[len(page)-1].ID
		}
		if len(got) != len(want) {
			t.Fatalf("%d secrets, want %d", len(got), len(want))
		}
		changes := []models.Reseal{
			{ID: got[0].ID, Was: got[0].Text, Text: "v1.new.0"}, {ID: got[1].ID, Was: "v1.other", Text: "v1.new.1"}, {ID: models.NewID(t0), Was: "x", Text: "y"},
		}
		if n, err := s.Reseal(t.Context(), models.SealedChannels, changes); err != nil || n != 1 {
			t.Errorf("%d were replaced, %v", n, err)
		}
		for i, want := range []string{"v1.new.0", got[1].Text} {
			if c, err := s.Channel(t.Context(), got[i].ID); err != nil || c.Sealed != want {
				t.Errorf("%q, want %q, %v", c.Sealed, want, err)
			}
		}
		if _, err := s.Sealed(t.Context(), "nothing", "", 1); err == nil {
			t.Error("an unknown kind was answered")
		}
		if _, err := s.Reseal(t.Context(), "nothing", nil); err == nil {
			t.Error("an unknown kind was changed")
		}
	})
}
