package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// actionBefore stands for changes that were made before revisions were kept.
const actionBefore = "job.before"

// keepRevision keeps the version that a job has become, in the transaction that makes
// it, and forgets the one that is too many. Numbers have no gaps, so that is one row.
func (s *Store) keepRevision(tx *gorm.DB, j *models.Job, upstream []models.Dependency, audit *models.Audit) error {
	r := models.JobRevision{
		JobID: j.ID, Number: j.Version, At: audit.At, Author: audit.Actor, AuthorKind: audit.ActorKind, Action: audit.Action, Fields: fieldsOf(audit),
	}
	if r.AuthorKind == "" {
		r.AuthorKind = models.AuthorSystem
	}
	if err := insertRevision(tx, r, j, upstream); err != nil {
		return err
	}
	statement := s.dialect.deleteByKey("job_revisions") + " WHERE job_id = ? AND number <= ?"
	if _, err := exec(tx, statement, j.ID, j.Version-models.RevisionsKept); err != nil {
		return fmt.Errorf("forgetting old revisions of a job: %w", err)
	}
	return nil
}

// keepPresent keeps the version that a job still is, unless that is kept already: it may
// be older than the revisions. It answers what the job waits for.
func (s *Store) keepPresent(tx *gorm.DB, present *models.Job) ([]models.Dependency, error) {
	var upstream []models.Dependency
	if present.TriggerKind == models.TriggerDependency {
		all, err := s.upstreamOf(tx, []string{present.ID})
		if err != nil {
			return nil, err
		}
		upstream = all[present.ID]
	}
	kept, err := list[models.JobRevision](tx.Select("number").Where("job_id = ? AND number = ?", present.ID, present.Version), "revisions of a job")
	if err != nil || len(kept) > 0 {
		return upstream, err
	}
	return upstream, insertRevision(tx, models.JobRevision{
		JobID: present.ID, Number: present.Version, At: present.UpdatedAt, AuthorKind: models.AuthorSystem, Action: actionBefore,
	}, present, upstream)
}

func insertRevision(tx *gorm.DB, r models.JobRevision, j *models.Job, upstream []models.Dependency) error {
	snapshot, err := json.Marshal(models.SnapshotOf(j, upstream))
	if err != nil {
		return fmt.Errorf("writing the revision of a job: %w", err)
	}
	r.Snapshot = snapshot
	if err := tx.Create(&r).Error; err != nil {
		return fmt.Errorf("keeping the revision of a job: %w", err)
	}
	return nil
}

// fieldsOf are the names of the fields that a change is about, by its audit row.
func fieldsOf(audit *models.Audit) json.RawMessage {
	var names []string
	switch audit.Action {
	case "job.pause", "job.resume":
		names = []string{"enabled"}
	case "job.update", "job.rollback":
		var detail map[string]json.RawMessage
		if json.Unmarshal(audit.Detail, &detail) != nil {
			return nil
		}
		delete(detail, "revision")
		names = slices.Sorted(maps.Keys(detail))
	default:
		return nil
	}
	raw, err := json.Marshal(names)
	if err != nil { // texts always marshal
		return nil
	}
	return raw
}

// JobRevision answers one revision of a job. Fault: NOT_FOUND.
func (s *Store) JobRevision(ctx context.Context, jobID string, number int) (models.JobRevision, error) {
	return one[models.JobRevision](s.read(ctx).Where("job_id = ? AND number = ?", jobID, number), fmt.Sprintf("revision %d of the job; the newest %d are kept", number, models.RevisionsKept))
}

// NewestRevisions answers the newest revisions of each of these jobs, newest first, at
// most perJob and then the one before the last of them, with which that can be compared.
// A job's numbers end with its version and have no gaps, so that one range of the key a
// job is read.
func (s *Store) NewestRevisions(ctx context.Context, jobIDs []string, perJob int) (map[string][]models.JobRevision, error) {
	found := make(map[string][]models.JobRevision, len(jobIDs))
	for chunk := range chunks(jobIDs, inLimit) {
		rows, err := list[models.JobRevision](s.read(ctx).Table("job_revisions r").Select("r.*").
			Joins("JOIN jobs j ON j.id = r.job_id AND r.number >= j.version - ?", perJob).
			Where("j.id IN ?", chunk), "revisions of jobs")
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			found[r.JobID] = append(found[r.JobID], r)
		}
	}
	for _, rows := range found {
		slices.SortFunc(rows, func(a, b models.JobRevision) int { return cmp.Compare(b.Number, a.Number) })
	}
	return found, nil
}

// JobRevisions answers a page of a job's revisions, newest first, and behind it the one
// before its last, with which that can be compared; nil when there is none. Positions
// are numbers. Fault: INVALID.
func (s *Store) JobRevisions(ctx context.Context, jobID string, p Page) (rows []models.JobRevision, before *models.JobRevision, info PageInfo, err error) {
	n, backward, err := p.size()
	if err != nil || backward {
		return nil, nil, PageInfo{}, fault.At("first", fault.Invalid, "Revisions are read forward only: give first.")
	}
	q := s.read(ctx).Where("job_id = ?", jobID)
	if p.After != "" {
		after, err := strconv.Atoi(p.After)
		if err != nil {
			return nil, nil, PageInfo{}, fault.At("after", fault.Invalid, "after is no cursor of this list: take endCursor of one of its pages.")
		}
		q = q.Where("number < ?", after)
	}
	all, err := list[models.JobRevision](q.Order("number DESC").Limit(n+1), "revisions of a job")
	if err != nil {
		return nil, nil, PageInfo{}, err
	}
	rows, info = cut(all, p, n, false)
	if len(all) > n {
		before = &all[n]
	}
	return rows, before, info, nil
}
