package graphtest

import (
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
)

// AlertChannel makes a channel that is switched on and sends nothing: nobody delivers.
func (b *Bench) AlertChannel(t testing.TB, name string) models.AlertChannel {
	t.Helper()
	now := clock.System{}.Now()
	c := models.AlertChannel{
		ID: models.NewID(now), Name: name, Kind: models.ChannelWebhook, Enabled: true, Language: "en", PerMinute: 60, Burst: 10,
		MaxAgeMS: (24 * time.Hour).Milliseconds(), Version: 1, CreatedBy: "test", CreatedAt: now, UpdatedAt: now,
	}
	if err := b.store.CreateChannel(t.Context(), c, models.Audit{ID: models.NewID(now), At: now}); err != nil {
		t.Fatal(err)
	}
	return c
}
