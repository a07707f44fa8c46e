package result

import (
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// Delay is the wait after a failed try (1 for the first) before the next one:
// the job's delay, under exponential back-off doubled with each try up to the
// job's longest delay. Chance, a number in [0, 1), stretches it by up to the
// job's jitter times itself. It never overflows, and but for the jitter it never
// falls from one try to the next.
func Delay(job *models.Job, try int, chance float64) time.Duration {
	base := time.Duration(job.RetryDelayMS) * time.Millisecond
	limit := time.Duration(job.RetryMaxDelayMS) * time.Millisecond
	if limit <= 0 {
		limit = base
	}
	wait := min(base, limit)
	if job.Backoff == models.BackoffExponential {
		for i := 1; i < try && wait < limit; i++ {
			// wait < limit ≤ 7 days, so doubling cannot overflow.
			wait = min(2*wait, limit)
			if wait == 0 {
				break
			}
		}
	}
	return wait + time.Duration(float64(wait)*min(max(job.RetryJitter, 0), 1)*chance)
}
