package jobfile

import (
	"strings"
	"time"
)

// Normal is the job with every default written out and every length of time and
// instant in one form, so that two jobs that mean the same are the same. App and
// group are those of the document. Enabled stays absent when it is.
func (j Job) Normal(app, group string) Job {
	j.Group = or(j.Group, or(group, "default"))
	j.Priority = or(j.Priority, "NORMAL")
	j.Timeout = lengthOr(j.Timeout, time.Hour)
	j.Concurrency = or(j.Concurrency, "ALLOW")
	j.Delivery = or(j.Delivery, "AT_LEAST_ONCE")
	j.Retry = normalRetry(j.Retry)
	j.Misfire = normalMisfire(j.Misfire)
	j.Routing = normalRouting(j.Routing)
	j.Trigger = normalTrigger(j.Trigger, app)
	if string(j.Parameters) == "null" {
		j.Parameters = nil
	}
	if len(j.Labels) == 0 {
		j.Labels = nil
	}
	return j
}

func or(v, otherwise string) string {
	if v == "" {
		return otherwise
	}
	return v
}

// spanOf reads a length of time that has been checked; absent is 0.
func spanOf(text string) time.Duration {
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0
	}
	return d
}

func lengthOr(text string, otherwise time.Duration) string {
	if text == "" {
		return otherwise.String()
	}
	return spanOf(text).String()
}

func instantIn(text string) string {
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return text
	}
	return at.UTC().Truncate(time.Microsecond).Format(time.RFC3339Nano)
}

func normalRetry(v *Retry) *Retry {
	if v == nil {
		v = &Retry{MaxAttempts: 1}
	}
	n := *v
	n.Backoff = or(n.Backoff, "FIXED")
	n.Delay = lengthOr(n.Delay, 10*time.Second)
	n.MaxDelay = lengthOr(n.MaxDelay, max(time.Hour, spanOf(n.Delay)))
	return &n
}

func normalMisfire(v *Misfire) *Misfire {
	if v == nil {
		v = &Misfire{}
	}
	n := *v
	n.Policy = or(n.Policy, "FIRE_ONCE")
	grace := time.Minute
	if n.Policy == "SKIP" {
		grace = 15 * time.Second
	}
	n.Grace = lengthOr(n.Grace, grace)
	if n.Limit == 0 {
		n.Limit = 100
	}
	return &n
}

func normalRouting(v *Routing) *Routing {
	if v == nil {
		return nil
	}
	n := *v
	if n.Strategy == "PINNED" {
		n.Fallback = or(n.Fallback, "WAIT")
		if n.Fallback != "WAIT" {
			n.FallbackAfter = lengthOr(n.FallbackAfter, 30*time.Second)
		}
	}
	if len(n.Labels) == 0 {
		n.Labels = nil
	}
	return &n
}

func normalTrigger(t Trigger, app string) Trigger {
	switch {
	case t.Cron != nil:
		c := *t.Cron
		c.Zone = or(c.Zone, "UTC")
		c.StartAt, c.EndAt = instantIn(c.StartAt), instantIn(c.EndAt)
		if c.Jitter = lengthOr(c.Jitter, 0); c.Jitter == "0s" {
			c.Jitter = ""
		}
		if c.Calendar != "" {
			c.OnRestDay = or(c.OnRestDay, "SKIP")
		}
		t.Cron = &c
	case t.FixedRate != nil:
		t.FixedRate = &FixedRate{Every: lengthOr(t.FixedRate.Every, 0), StartAt: instantIn(t.FixedRate.StartAt)}
	case t.FixedDelay != nil:
		t.FixedDelay = &FixedDelay{Delay: lengthOr(t.FixedDelay.Delay, 0)}
	case t.Dependency != nil:
		d := *t.Dependency
		d.Mode, d.Window, d.Zone = or(d.Mode, "ALL"), or(d.Window, "RUN"), or(d.Zone, "UTC")
		d.Upstream = make([]Upstream, len(t.Dependency.Upstream))
		for i, u := range t.Dependency.Upstream {
			d.Upstream[i] = Upstream{Job: u.Job, App: or(u.App, app), On: or(u.On, "SUCCESS")}
		}
		t.Dependency = &d
	}
	return t
}

// Short is the job without what Normal writes out by itself: as people write it.
func (j Job) Short(app, group string) Job {
	j = j.Normal(app, group)
	none := Job{}.Normal(app, group)
	if j.Group == or(group, "default") {
		j.Group = ""
	}
	drop(&j.Priority, none.Priority)
	drop(&j.Timeout, none.Timeout)
	drop(&j.Concurrency, none.Concurrency)
	drop(&j.Delivery, none.Delivery)
	shortRules(&j)
	if v := j.Routing; v != nil {
		drop(&v.Fallback, "WAIT")
		drop(&v.FallbackAfter, "30s")
	}
	switch t := &j.Trigger; {
	case t.Cron != nil:
		drop(&t.Cron.Zone, "UTC")
		drop(&t.Cron.OnRestDay, "SKIP")
	case t.Dependency != nil:
		drop(&t.Dependency.Mode, "ALL")
		drop(&t.Dependency.Window, "RUN")
		drop(&t.Dependency.Zone, "UTC")
		for i := range t.Dependency.Upstream {
			drop(&t.Dependency.Upstream[i].App, app)
			drop(&t.Dependency.Upstream[i].On, "SUCCESS")
		}
	}
	shortSpans(&j)
	return j
}

// shortSpan writes a length of time without the noughts at its end: 5m for 5m0s.
func shortSpan(v string) string {
	if strings.HasSuffix(v, "m0s") {
		v = strings.TrimSuffix(v, "0s")
	}
	if strings.HasSuffix(v, "h0m") {
		v = strings.TrimSuffix(v, "0m")
	}
	return v
}

// shortSpans writes all lengths of time of a job so.
func shortSpans(j *Job) {
	spans := []*string{&j.Timeout}
	if v := j.Retry; v != nil {
		spans = append(spans, &v.Delay, &v.MaxDelay)
	}
	if v := j.Misfire; v != nil {
		spans = append(spans, &v.Grace)
	}
	if v := j.Routing; v != nil {
		spans = append(spans, &v.FallbackAfter)
	}
	switch t := &j.Trigger; {
	case t.Cron != nil:
		spans = append(spans, &t.Cron.Jitter)
	case t.FixedRate != nil:
		spans = append(spans, &t.FixedRate.Every)
	case t.FixedDelay != nil:
		spans = append(spans, &t.FixedDelay.Delay)
	}
	for _, v := range spans {
		*v = shortSpan(*v)
	}
}

func shortRules(j *Job) {
	r := j.Retry
	long := max(time.Hour, spanOf(r.Delay)).String()
	if *r == (Retry{MaxAttempts: 1, Backoff: "FIXED", Delay: "10s", MaxDelay: "1h0m0s"}) {
		j.Retry = nil
	} else {
		drop(&r.MaxDelay, long)
		drop(&r.Delay, "10s")
		drop(&r.Backoff, "FIXED")
	}
	m := j.Misfire
	if grace := normalMisfire(&Misfire{Policy: m.Policy}).Grace; m.Grace == grace {
		m.Grace = ""
	}
	drop(&m.Policy, "FIRE_ONCE")
	if m.Limit == 100 {
		m.Limit = 0
	}
	if *m == (Misfire{}) {
		j.Misfire = nil
	}
}

func drop(v *string, byDefault string) {
	if *v == byDefault {
		*v = ""
	}
}
