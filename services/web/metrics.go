package web

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/belfry-scheduler/belfry/services/clock"
)

// metrics are the front's own.
type metrics struct {
	requests *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
}

// newMetrics registers the metrics.
func newMetrics(registry *prometheus.Registry) (*metrics, error) {
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "belfry_http_requests_total", Help: "Answered requests by route and status.",
		}, []string{"route", "status"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "belfry_http_request_seconds", Help: "Time to answer, streams left out.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30},
		}, []string{"route"}),
	}
	for _, c := range []prometheus.Collector{m.requests, m.seconds} {
		if err := registry.Register(c); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// count counts the requests of one route.
func (m *metrics) count(route string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := clock.Monotonic()
		seen := &recorder{ResponseWriter: w}
		next.ServeHTTP(seen, r)
		status := seen.status
		if status == 0 {
			status = http.StatusOK
		}
		m.requests.WithLabelValues(route, strconv.Itoa(status)).Inc()
		if !streamed(seen) {
			m.seconds.WithLabelValues(route).Observe((clock.Monotonic() - began).Seconds())
		}
	})
}

// streamed says whether an answer was made to last.
func streamed(r *recorder) bool {
	media, _, _ := strings.Cut(r.Header().Get("Content-Type"), ";")
	return r.status == http.StatusSwitchingProtocols || media == "text/event-stream" || media == "application/x-ndjson"
}
