package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// JobFilter says which jobs, of those not deleted; all its set conditions hold.
type JobFilter struct {
	AppID, GroupID string
	Within         []string // only of these apps; nil: of all
	Enabled        *bool
	Trigger        models.TriggerKind
	Search         string // within name or handler, without regard to case
}

// JobOrder is an order of jobs.
type JobOrder uint8

// Orders of jobs.
const (
	JobsByName     JobOrder = iota + 1
	JobsByNextFire          // soonest first, those that never fire last
	JobsByCreation          // newest first
)

// JobPosition is where a job stands in a list: the value by which it is ordered,
// and its id.
func JobPosition(j *models.Job, o JobOrder) string {
	switch o {
	case JobsByNextFire:
		micros := ""
		if j.NextFireAt != nil && j.Enabled && j.InvalidReason == "" && j.DeletedAt == nil {
			micros = strconv.FormatInt(j.NextFireAt.UnixMicro(), 10)
		}
		return fmt.Sprintf("%s%02d%s", j.ID, j.Partition, micros)
	case JobsByCreation:
		return j.ID
	case JobsByName:
	}
	return j.ID + j.Name
}

const idLength = 26 // characters of a ULID

var errPosition = fault.New(fault.Invalid, "The position in the list of jobs is damaged; begin again at its start.")

// splitPosition is the opposite of JobPosition. Fault: INVALID.
func splitPosition(position string) (id, value string, err error) {
	if position == "" {
		return "", "", nil
	}
	if len(position) < idLength {
		return "", "", errPosition
	}
	return position[:idLength], position[idLength:], nil
}

// JobPage answers a page of jobs. Fault: INVALID.
func (s *Store) JobPage(ctx context.Context, f JobFilter, o JobOrder, p Page) ([]models.Job, PageInfo, error) {
	switch o {
	case JobsByNextFire:
		return s.jobsByNextFire(ctx, f, p)
	case JobsByCreation:
		return s.jobsByColumn(ctx, f, p, "id", true)
	case JobsByName:
	}
	return s.jobsByColumn(ctx, f, p, "live_name", false)
}

// CountJobs answers how many jobs match.
func (s *Store) CountJobs(ctx context.Context, f JobFilter) (int, error) {
	var n int64
	if err := f.apply(s.read(ctx).Model(&models.Job{})).Count(&n).Error; err != nil {
		return 0, fmt.Errorf("counting jobs: %w", err)
	}
	return int(n), nil
}

// apply adds the conditions to a query.
func (f JobFilter) apply(q *gorm.DB) *gorm.DB {
	q = q.Where("live_name IS NOT NULL")
	if f.AppID != "" {
		q = q.Where("app_id = ?", f.AppID)
	}
	if f.Within != nil {
		q = q.Where("app_id IN ?", f.Within)
	}
	if f.GroupID != "" {
		q = q.Where("group_id = ?", f.GroupID)
	}
	if f.Enabled != nil {
		q = q.Where("enabled = ?", *f.Enabled)
	}
	if f.Trigger != 0 {
		q = q.Where("trigger_kind = ?", f.Trigger)
	}
	if f.Search != "" {
		// INSTR, unlike LIKE, has no characters with a meaning of their own.
		text := strings.ToLower(f.Search)
		q = q.Where("(INSTR(LOWER(name), ?) > 0 OR INSTR(LOWER(handler), ?) > 0)", text, text)
	}
	return q
}

// jobsByColumn pages by a column and the id, or by the id alone.
func (s *Store) jobsByColumn(ctx context.Context, f JobFilter, p Page, column string, descending bool) ([]models.Job, PageInfo, error) {
	n, backward, err := p.size()
	if err != nil {
		return nil, PageInfo{}, err
	}
	q := f.apply(s.read(ctx))
	position, down := p.After, descending != backward
	if backward {
		position = p.Before
	}
	id, value, err := splitPosition(position)
	if err != nil {
		return nil, PageInfo{}, err
	}
	compare, order := ">", ""
	if down {
		compare, order = "<", " DESC"
	}
	if id != "" {
		if column == "id" {
			q = q.Where("id "+compare+" ?", id)
		} else {
			q = q.Where("("+column+" "+compare+" ? OR ("+column+" = ? AND id "+compare+" ?))", value, value, id)
		}
	}
	if column != "id" {
		q = q.Order(column + order)
	}
	rows, err := list[models.Job](q.Order("id"+order).Limit(n+1), "jobs")
	if err != nil {
		return nil, PageInfo{}, err
	}
	rows, info := cut(rows, p, n, backward)
	return rows, info, nil
}

// jobPosition is a position in the list by next fire.
type jobPosition struct {
	id   string // empty: an end of the list
	part int
	due  *time.Time // nil: among those that never fire
}

func parsePosition(position string) (jobPosition, error) {
	id, value, err := splitPosition(position)
	if err != nil || id == "" {
		return jobPosition{}, err
	}
	if len(value) < 2 {
		return jobPosition{}, errPosition
	}
	part, err := strconv.Atoi(value[:2])
	if err != nil {
		return jobPosition{}, errPosition
	}
	at := jobPosition{id: id, part: part}
	if value[2:] != "" {
		micros, err := strconv.ParseInt(value[2:], 10, 64)
		if err != nil {
			return jobPosition{}, errPosition
		}
		at.due = new(time.UnixMicro(micros).UTC())
	}
	return at, nil
}

// jobsByNextFire pages by the index jobs_due (due_at, part, id): first the jobs that
// fire, then those that never do; a page may need both.
func (s *Store) jobsByNextFire(ctx context.Context, f JobFilter, p Page) ([]models.Job, PageInfo, error) {
	n, backward, err := p.size()
	if err != nil {
		return nil, PageInfo{}, err
	}
	position := p.After
	if backward {
		position = p.Before
	}
	at, err := parsePosition(position)
	if err != nil {
		return nil, PageInfo{}, err
	}
	var rows []models.Job
	for _, fires := range []bool{!backward, backward} {
		beyond := at.id != "" && fires != backward && (at.due != nil) != fires
		if beyond || len(rows) > n {
			continue // all of these lie on the other side of the position
		}
		from := at
		if (at.due != nil) != fires {
			from = jobPosition{} // all of these lie on this side
		}
		more, err := s.dueRange(ctx, f, from, fires, backward, n+1-len(rows))
		if err != nil {
			return nil, PageInfo{}, err
		}
		rows = append(rows, more...)
	}
	rows, info := cut(rows, p, n, backward)
	return rows, info, nil
}

// dueRange reads up to limit jobs beyond a position, of those that fire or of those
// that never do.
func (s *Store) dueRange(ctx context.Context, f JobFilter, from jobPosition, fires, backward bool, limit int) ([]models.Job, error) {
	compare, order := ">", ""
	if backward {
		compare, order = "<", " DESC"
	}
	q := f.apply(s.read(ctx).Table("jobs" + s.dialect.forceIndex("jobs_due")))
	by := "part" + order + ", id" + order
	beyond := "part " + compare + " ? OR (part = ? AND id " + compare + " ?)"
	args := []any{from.part, from.part, from.id}
	if fires {
		by = "due_at" + order + ", " + by
		q = q.Where("due_at > ?", earliest)
		if from.due != nil {
			beyond = "due_at " + compare + " ? OR (due_at = ? AND (" + beyond + "))"
			args = append([]any{*from.due, *from.due}, args...)
		}
	} else {
		q = q.Where("due_at IS NULL")
	}
	if from.id != "" {
		q = q.Where("("+beyond+")", args...)
	}
	return list[models.Job](q.Order(by).Limit(limit), "jobs by their next fire")
}
