package cmd

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// BenchmarkDelivery measures how long a row in the ledger takes to reach a local receiver,
// one at a time, and how many of a full queue reach it in a second.
func BenchmarkDelivery(b *testing.B) {
	r := newHookReceiver(b)
	s, start := alertServer(b, filepath.Join(b.TempDir(), "belfry.db"))
	defer start()()
	c := s.hook(b, r.URL)
	var took []time.Duration
	for range 300 {
		before, began := len(r.seen()), time.Now()
		tell(b, s.store, c, 1)
		s.alerts.delivery.Wake()
		for len(r.seen()) == before {
			<-time.After(100 * time.Microsecond)
		}
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*99/100].Microseconds())/1000, "p99-ms")
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "p50-ms")
	before, began := len(r.seen()), time.Now()
	const many = 900 // a burst of the channel's bucket
	ids := tell(b, s.store, c, many)
	s.alerts.delivery.Wake()
	eventually(b, "the queue is empty", func() bool {
		n, err := s.store.Notification(b.Context(), ids[many-1])
		return err == nil && n.State == models.NotificationSent
	})
	b.ReportMetric(float64(len(r.seen())-before)/time.Since(began).Seconds(), "sent/s")
}
