package job

import (
	"context"
	"fmt"
	"slices"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

const mostUpstream = 100 // jobs that a job waits for

// setDependency puts a dependency trigger in. That the upstream jobs are there and
// that no circle arises is looked at where the job is written, under a lock.
func (d *draft) setDependency(in *DependencyInput) {
	j := d.job
	j.TriggerKind, j.DependencyMode, j.DependencyWindow = models.TriggerDependency, valueOr(in.Mode, models.DependencyAll), valueOr(in.Window, models.WindowRun)
	if j.Zone = valueOr(in.Zone, "UTC"); j.Zone == "" {
		j.Zone = "UTC"
	}
	if _, err := schedule.LoadZone(j.Zone); err != nil {
		d.wrong.Add(triggerFault(j, err))
	}
	d.upstream = []models.Dependency{}
	switch n := len(in.Upstream); {
	case n == 0:
		d.wrong.Add(fault.At("trigger.dependency.upstream", fault.Required, "trigger.dependency.upstream is empty; name the jobs to wait for."))
	case n > mostUpstream:
		d.wrong.Add(fault.At("trigger.dependency.upstream", fault.Invalid,
			"trigger.dependency.upstream has %d jobs; name at most %d, or put a job in between that gathers some of them.", n, mostUpstream))
		return
	}
	for i, u := range in.Upstream {
		d.addUpstream(i, models.Dependency{JobID: j.ID, UpstreamID: u.Job, On: valueOr(u.On, models.OnSuccess), Place: i})
	}
}

// addUpstream adds one upstream job; one that is named twice in the same way counts
// once.
func (d *draft) addUpstream(i int, add models.Dependency) {
	at := slices.IndexFunc(d.upstream, func(known models.Dependency) bool { return known.UpstreamID == add.UpstreamID })
	path := fmt.Sprintf("trigger.dependency.upstream.%d.", i)
	switch {
	case add.UpstreamID == "":
		d.wrong.Add(fault.At(path+"job", fault.Required, "The upstream job is missing; name one."))
	case d.before != nil && add.UpstreamID == d.job.ID:
		d.wrong.Add(fault.At(path+"job", fault.Invalid, "The job would wait for itself; choose another upstream job."))
	case at < 0:
		d.upstream = append(d.upstream, add)
	case d.upstream[at].On != add.On:
		d.wrong.Add(fault.At(path+"on", fault.Invalid, "The same job is awaited on %s and on %s; name it once, with COMPLETION if any end counts.",
			d.upstream[at].On, add.On))
	}
}

// newUpstream answers what the store is to write of the job's upstream jobs: nil to
// leave them as they are.
func (d *draft) newUpstream() []models.Dependency {
	if d.upstream == nil && d.before != nil && d.before.TriggerKind == models.TriggerDependency && d.job.TriggerKind != models.TriggerDependency {
		return []models.Dependency{}
	}
	return d.upstream
}

// withUpstream adds to an audit row how the upstream jobs change.
func (s *Service) withUpstream(ctx context.Context, d *draft, detail map[string]any) (map[string]any, error) {
	upstream := d.newUpstream()
	if upstream == nil || len(d.wrong) > 0 {
		return detail, nil
	}
	before, err := s.store.Upstream(ctx, []string{d.job.ID})
	if err != nil {
		return nil, err
	}
	from, to := upstreamText(before[d.job.ID]), upstreamText(upstream)
	if !slices.Equal(from, to) {
		detail["upstream"] = map[string]any{"from": from, "to": to}
	}
	return detail, nil
}

func upstreamText(upstream []models.Dependency) []string {
	texts := make([]string, len(upstream))
	for i, d := range upstream {
		texts[i] = d.UpstreamID + " " + d.On.String()
	}
	return texts
}

// Upstream is what a job waits for, with its name.
type Upstream struct {
	Name string
	On   models.DependencyCondition
}

// namesOf answers the upstream jobs by name. Fault: NOT_FOUND at the first that is
// not there.
func (s *Service) namesOf(ctx context.Context, upstream []models.Dependency) ([]Upstream, error) {
	ids := make([]string, len(upstream))
	for i := range upstream {
		ids[i] = upstream[i].UpstreamID
	}
	jobs, err := s.store.JobsByIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	names := make([]Upstream, len(upstream))
	for i, d := range upstream {
		at := slices.IndexFunc(jobs, func(j models.Job) bool { return j.ID == d.UpstreamID && j.DeletedAt == nil })
		if at < 0 {
			return nil, fault.At(fmt.Sprintf("trigger.dependency.upstream.%d.job", d.Place), fault.NotFound,
				"There is no job %q to wait for; it may have been deleted. Choose another upstream job.", d.UpstreamID)
		}
		names[i] = Upstream{Name: jobs[at].Name, On: d.On}
	}
	return names, nil
}

// previewDependency tells what a dependency trigger would do: it has no fires that
// could be computed.
func (s *Service) previewDependency(ctx context.Context, p Preview, d *draft, lang schedule.Lang) (Preview, error) {
	names, err := s.namesOf(ctx, d.upstream)
	if all := fault.All(err); len(all) > 0 {
		p.Err = all[0]
		return p, nil
	}
	if err != nil {
		return Preview{}, err
	}
	p.Description = DependencyWords(d.job, names, string(lang))
	return p, nil
}
