package store

import (
	"context"
	"fmt"
	"slices"
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
		if j.NextFireAt == nil {
			return j.ID + "never"
		}
		return j.ID + strconv.FormatInt(j.NextFireAt.UnixMicro(), 10)
	case JobsByCreation:
		return j.ID
	case JobsByName:
	}
	return j.ID + j.Name
}

const idLength = 26 // characters of a ULID

// splitPosition is the opposite of JobPosition. Fault: INVALID.
func splitPosition(position string) (id, value string, err error) {
	if position == "" {
		return "", "", nil
	}
	if len(position) < idLength {
		return "", "", fault.New(fault.Invalid, "The position in the list of jobs is damaged; begin again at its start.")
	}
	return position[:idLength], position[idLength:], nil
}

// JobPage answers a page of jobs. Fault: INVALID.
func (s *Store) JobPage(ctx context.Context, f JobFilter, o JobOrder, p Page) ([]models.Job, PageInfo, error) {
	switch o {
	case JobsByNextFire:
		return s.jobsByNextFire(ctx, f, p, "")
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

// jobsByNextFire pages by the next fire. The index begins with the partition, so
// the ranges of all partitions are merged; none is read further than the page
// needs. only, unless empty, is a further condition.
func (s *Store) jobsByNextFire(ctx context.Context, f JobFilter, p Page, only string) ([]models.Job, PageInfo, error) {
	n, backward, err := p.size()
	if err != nil {
		return nil, PageInfo{}, err
	}
	position := p.After
	if backward {
		position = p.Before
	}
	// Those that fire come first, those that never do after them; a page may
	// need both.
	parts := []string{"next_fire_at IS NOT NULL", "next_fire_at IS NULL"}
	if only != "" {
		parts = []string{only}
	}
	if backward {
		slices.Reverse(parts)
	}
	var rows []models.Job
	for _, part := range parts {
		if len(rows) > n {
			break
		}
		more, err := s.nextFireRange(ctx, f, part, position, backward, n+1-len(rows))
		if err != nil {
			return nil, PageInfo{}, err
		}
		rows = append(rows, more...)
	}
	rows, info := cut(rows, p, n, backward)
	return rows, info, nil
}

// nextFireRange reads up to limit jobs beyond position of those that fire, or of
// those that never do.
func (s *Store) nextFireRange(ctx context.Context, f JobFilter, part, position string, backward bool, limit int) ([]models.Job, error) {
	id, value, err := splitPosition(position)
	if err != nil {
		return nil, err
	}
	fires := part != "next_fire_at IS NULL"
	bound := func(q *gorm.DB) *gorm.DB { return q }
	compare, order := ">", ""
	if backward {
		compare, order = "<", " DESC"
	}
	switch never := value == "never"; {
	case id == "":
	case fires && never && !backward:
		return nil, nil // all of these lie on the other side of the position
	case !fires && !never && backward:
		return nil, nil
	case fires && !never:
		micros, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return nil, fault.New(fault.Invalid, "The position in the list of jobs is damaged; begin again at its start.")
		}
		at := time.UnixMicro(micros).UTC()
		bound = func(q *gorm.DB) *gorm.DB {
			return q.Where("(next_fire_at "+compare+" ? OR (next_fire_at = ? AND id "+compare+" ?))", at, at, id)
		}
	case !fires && never:
		bound = func(q *gorm.DB) *gorm.DB { return q.Where("id "+compare+" ?", id) }
	}
	by := "next_fire_at" + order + ", id" + order
	if !fires {
		by = "id" + order
	}
	branches := make([]string, models.Partitions)
	args := make([]any, models.Partitions)
	for i := range models.Partitions {
		q := bound(f.apply(s.read(ctx).Model(&models.Job{}).Select("id", "next_fire_at").Where("part = ?", i).Where(part)))
		branches[i] = "SELECT * FROM (?) AS p" + strconv.Itoa(i)
		args[i] = q.Order(by).Limit(limit)
	}
	var keys []models.Job
	union := strings.Join(branches, " UNION ALL ") + " ORDER BY " + by + " LIMIT " + strconv.Itoa(limit)
	if err := s.read(ctx).Raw(union, args...).Scan(&keys).Error; err != nil {
		return nil, fmt.Errorf("reading jobs by their next fire: %w", err)
	}
	return s.inOrder(ctx, keys)
}

// inOrder reads the whole jobs in the order of keys.
func (s *Store) inOrder(ctx context.Context, keys []models.Job) ([]models.Job, error) {
	ids := make([]string, len(keys))
	place := make(map[string]int, len(keys))
	for i := range keys {
		ids[i] = keys[i].ID
		place[keys[i].ID] = i
	}
	rows, err := s.JobsByIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b models.Job) int { return place[a.ID] - place[b.ID] })
	return rows, nil
}
