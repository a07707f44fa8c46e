package store

import (
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// wantNoCycle looks for a way down from j to one of the jobs that it is to wait for
// anew. What it waits for already was looked at then. Fault: INVALID, with the path.
func (s *Store) wantNoCycle(tx *gorm.DB, j *models.Job, fresh []string, upstream []models.Dependency) error {
	path, err := s.wayDown(tx, j.ID, fresh)
	if err != nil || path == nil {
		return err
	}
	last := path[len(path)-1]
	at := slices.IndexFunc(upstream, func(d models.Dependency) bool { return d.UpstreamID == last })
	names, err := pathNames(tx, append(path, j.ID))
	if err != nil {
		return err
	}
	return fault.At(fmt.Sprintf("trigger.dependency.upstream.%d.job", upstream[at].Place), fault.Invalid,
		"The jobs would wait for each other in a circle, each for the one before it: %s. Take one of them out.", names)
}

// side is one end of a search through the dependencies, which goes on level by
// level. Without recursion, a chain of any length can be searched.
type side struct {
	query string            // finds pairs (known job, next job)
	from  map[string]string // job → the one it was found from, "" at the beginning
	edge  []string          // found in the last round
}

func newSide(query string, begin []string) *side {
	s := &side{query: query, from: make(map[string]string, len(begin)), edge: begin}
	for _, id := range begin {
		s.from[id] = ""
	}
	return s
}

// step goes one level on and answers a job that the other side has found too.
func (s *side) step(tx *gorm.DB, other *side) (meet string, err error) {
	var next []string
	for chunk := range chunks(s.edge, inLimit) {
		rows, err := query(tx, s.query+" IN ("+marks(len(chunk))+")", anys(chunk)...)
		if err != nil {
			return "", fmt.Errorf("searching the dependencies: %w", err)
		}
		err = scan(rows, func() error {
			var known, found string
			if err := rows.Scan(&known, &found); err != nil {
				return err
			}
			if _, seen := s.from[found]; !seen {
				s.from[found] = known
				next = append(next, found)
			}
			return nil
		})
		if err != nil {
			return "", fmt.Errorf("searching the dependencies: %w", err)
		}
	}
	s.edge = next
	for _, id := range next {
		if _, seen := other.from[id]; seen {
			return id, nil
		}
	}
	return "", nil
}

// back lists the jobs from id to where the side began.
func (s *side) back(id string) []string {
	var path []string
	for ; id != ""; id = s.from[id] {
		path = append(path, id)
	}
	return path
}

// wayDown answers a chain of jobs, each depending on the one before, from a job to
// one of targets; nil without one. It searches from both ends and stops as soon as
// either has nowhere to go: mostly at once, since most jobs have few dependents or
// few levels above them.
func (s *Store) wayDown(tx *gorm.DB, from string, targets []string) ([]string, error) {
	if slices.Contains(targets, from) {
		return []string{from}, nil
	}
	down := newSide("SELECT upstream_id, job_id FROM dependencies"+s.dialect.forceIndex("dependencies_upstream")+" WHERE upstream_id", []string{from})
	up := newSide("SELECT job_id, upstream_id FROM dependencies"+s.dialect.byKey()+" WHERE job_id", targets)
	for len(down.edge) > 0 && len(up.edge) > 0 {
		meet, err := down.step(tx, up)
		if err == nil && meet == "" {
			meet, err = up.step(tx, down)
		}
		if err != nil {
			return nil, err
		}
		if meet != "" {
			path := down.back(meet)
			slices.Reverse(path)
			return append(path, up.back(up.from[meet])...), nil
		}
	}
	return nil, nil
}

// pathShown is how many jobs of a circle are named at each end.
const pathShown = 10

// pathNames writes a chain of jobs, the middle left out when it is long.
func pathNames(tx *gorm.DB, path []string) (string, error) {
	left := 0
	if len(path) > 2*pathShown {
		left = len(path) - 2*pathShown
		path = append(slices.Clone(path[:pathShown]), path[len(path)-pathShown:]...)
	}
	jobs, err := byIDs[models.Job](tx.Select("id", "name"), path, "the jobs of a circle")
	if err != nil {
		return "", err
	}
	names := make(map[string]string, len(jobs))
	for _, j := range jobs {
		names[j.ID] = j.Name
	}
	var text strings.Builder
	for i, id := range path {
		if i > 0 {
			text.WriteString(" → ")
		}
		if left > 0 && i == pathShown {
			fmt.Fprintf(&text, "… (%d more) → ", left)
		}
		fmt.Fprintf(&text, "%q", names[id])
	}
	return text.String(), nil
}
