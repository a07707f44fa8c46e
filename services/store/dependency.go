package store

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// lockGraph lets one transaction at a time change which jobs depend on which, or
// take away one that others depend on, and counts the change. It comes after the
// lock of the job's own row.
func (s *Store) lockGraph(tx *gorm.DB) error {
	err := s.insertRows(tx, "dependency_graph", []string{"id", "version"}, [][]any{{1, 1}},
		s.dialect.onConflict("id", "version = version + new(version)"))
	if err != nil {
		return fmt.Errorf("locking the dependencies: %w", err)
	}
	return nil
}

// saveUpstream makes upstream, each job once, what j waits for. Those jobs cannot
// be deleted meanwhile. Nobody depends on a new job, so it is in no cycle. Faults:
// NOT_FOUND and INVALID (a cycle, with its path) at trigger.dependency.upstream.
func (s *Store) saveUpstream(tx *gorm.DB, j *models.Job, upstream []models.Dependency, isNew bool) error {
	if err := s.lockGraph(tx); err != nil {
		return err
	}
	if err := wantUpstream(tx, upstream); err != nil {
		return err
	}
	if !isNew {
		present, err := s.upstreamOf(tx, []string{j.ID})
		if err != nil {
			return err
		}
		if err := s.wantNoCycle(tx, j, added(present[j.ID], upstream), upstream); err != nil {
			return err
		}
		if _, err := exec(tx, s.dialect.deleteByKey("dependencies")+" WHERE job_id = ?", j.ID); err != nil {
			return fmt.Errorf("removing dependencies: %w", err)
		}
	}
	rows := make([][]any, len(upstream))
	for i, d := range upstream {
		rows[i] = []any{j.ID, d.UpstreamID, d.On, d.Place}
	}
	if err := s.insertRows(tx, "dependencies", []string{"job_id", "upstream_id", "on_end", "place"}, rows, ""); err != nil {
		return fmt.Errorf("writing dependencies: %w", err)
	}
	return nil
}

// wantUpstream answers NOT_FOUND for each upstream job that is not there.
func wantUpstream(tx *gorm.DB, upstream []models.Dependency) error {
	ids := make([]string, len(upstream))
	for i := range upstream {
		ids[i] = upstream[i].UpstreamID
	}
	jobs, err := byIDs[models.Job](tx.Select("id", "deleted_at"), ids, "the upstream jobs")
	if err != nil {
		return err
	}
	var wrong fault.List
	for i, id := range ids {
		if !slices.ContainsFunc(jobs, func(j models.Job) bool { return j.ID == id && j.DeletedAt == nil }) {
			wrong.Add(fault.At(fmt.Sprintf("trigger.dependency.upstream.%d.job", upstream[i].Place), fault.NotFound,
				"There is no job %q to wait for; it may have been deleted. Choose another upstream job.", id))
		}
	}
	return wrong.Err()
}

// added answers the upstream jobs that are not among the present ones.
func added(present, upstream []models.Dependency) []string {
	var ids []string
	for _, d := range upstream {
		if !slices.ContainsFunc(present, func(p models.Dependency) bool { return p.UpstreamID == d.UpstreamID }) {
			ids = append(ids, d.UpstreamID)
		}
	}
	return ids
}

// Upstream answers what each of these jobs waits for, in the order in which it was
// entered. Jobs that wait for none are left out.
func (s *Store) Upstream(ctx context.Context, jobIDs []string) (map[string][]models.Dependency, error) {
	return s.upstreamOf(s.read(ctx), jobIDs)
}

func (s *Store) upstreamOf(tx *gorm.DB, jobIDs []string) (map[string][]models.Dependency, error) {
	all := map[string][]models.Dependency{}
	for chunk := range chunks(jobIDs, inLimit) {
		rows, err := list[models.Dependency](tx.Where("job_id IN ?", chunk), "dependencies")
		if err != nil {
			return nil, err
		}
		slices.SortFunc(rows, func(a, b models.Dependency) int { return a.Place - b.Place })
		for _, d := range rows {
			all[d.JobID] = append(all[d.JobID], d)
		}
	}
	return all, nil
}

// mostDependents is how many dependents of a job are looked at for people.
const mostDependents = 1000

// Dependents answers the jobs whose trigger names each of these jobs, the first
// perJob of them by name; of a job with more than a thousand, some thousand are looked
// at.
func (s *Store) Dependents(ctx context.Context, jobIDs []string, perJob int) (map[string][]models.Job, error) {
	all := make(map[string][]models.Job, len(jobIDs))
	for _, id := range jobIDs { // an index range each
		jobs, err := s.dependents(s.read(ctx), id, perJob)
		if err != nil {
			return nil, err
		}
		if len(jobs) > 0 {
			all[id] = jobs
		}
	}
	return all, nil
}

func (s *Store) dependents(tx *gorm.DB, id string, limit int) ([]models.Job, error) {
	ids, err := readIDs(tx, "SELECT job_id FROM dependencies"+s.dialect.forceIndex("dependencies_upstream")+
		" WHERE upstream_id = ? LIMIT ?", id, mostDependents)
	if err != nil {
		return nil, err
	}
	jobs, err := byIDs[models.Job](tx, ids, "the jobs that depend on a job")
	if err != nil {
		return nil, err
	}
	slices.SortFunc(jobs, func(a, b models.Job) int { return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID)) })
	return jobs[:min(len(jobs), limit)], nil
}

// CountDependents answers how many jobs' triggers name each of these jobs; jobs
// that none names are left out.
func (s *Store) CountDependents(ctx context.Context, jobIDs []string) (map[string]int, error) {
	if len(jobIDs) == 0 {
		return map[string]int{}, nil
	}
	return counts(s.read(ctx).Model(&models.Dependency{}).Select("upstream_id AS k, COUNT(*) AS n").
		Where("upstream_id IN ?", jobIDs).Group("upstream_id"), "the jobs that depend on a job")
}

// namedDependents is how many dependents an error names.
const namedDependents = 5

// dropDependencies frees the jobs that a job waits for before it is deleted. Fault:
// CONFLICT while others wait for it, with their names.
func (s *Store) dropDependencies(tx *gorm.DB, id string) error {
	if err := s.lockGraph(tx); err != nil {
		return err
	}
	jobs, err := s.dependents(tx, id, namedDependents+1)
	if err != nil {
		return err
	}
	if len(jobs) > 0 {
		return fault.New(fault.Conflict, "%s for this job; take it out of %s first, then delete it.",
			waiting(jobs), map[bool]string{true: "its trigger", false: "their triggers"}[len(jobs) == 1])
	}
	if _, err := exec(tx, s.dialect.deleteByKey("dependencies")+" WHERE job_id = ?", id); err != nil {
		return fmt.Errorf("removing dependencies: %w", err)
	}
	return nil
}

// waiting names the first of some jobs: `The jobs "a" and "b" wait`.
func waiting(jobs []models.Job) string {
	if len(jobs) == 1 {
		return fmt.Sprintf("The job %q waits", jobs[0].Name)
	}
	last := " and others"
	if len(jobs) <= namedDependents {
		last = fmt.Sprintf(" and %q", jobs[len(jobs)-1].Name)
	}
	names := make([]string, 0, namedDependents)
	for _, j := range jobs[:len(jobs)-1] {
		names = append(names, fmt.Sprintf("%q", j.Name))
	}
	return "The jobs " + strings.Join(names, ", ") + last + " wait"
}
