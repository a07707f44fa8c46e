package store

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
)

// AuditFilter chooses rows of the audit trail; the zero value lets all through.
type AuditFilter struct {
	Within []string // ids of the only apps whose rows are shown; nil: all rows, those of no app too
	Actor  string   // name of the person or token
	Kind   string   // of the object
	Object string   // id; with Kind
	Action string
	AppID  string
	From   *time.Time // not before
	To     *time.Time // before
	Search string     // part of the object's name, the actor, the action, the address or what has changed, whatever its case
}

// searchedAudits is how many rows one page of a search looks at, at most.
const searchedAudits = 20_000

// AuditPage answers a page of the audit trail, newest first; positions are ids. A search
// that has looked at enough rows stops (PageInfo.Stopped). Fault: INVALID.
func (s *Store) AuditPage(ctx context.Context, f AuditFilter, p Page) ([]models.Audit, PageInfo, error) {
	ranges := auditRanges(&f)
	if len(ranges) == 0 {
		return nil, PageInfo{}, nil
	}
	edge := ""
	if f.sifts(&ranges[0]) {
		var err error
		if edge, err = s.auditEdge(ctx, &f, ranges, p); err != nil {
			return nil, PageInfo{}, err
		}
	}
	restrict := func(q *gorm.DB, r *ordered) *gorm.DB {
		q = f.restrict(q, r)
		if edge != "" {
			q = q.Where("id >= ?", edge)
		}
		return q
	}
	rows, info, err := newestOf(ctx, s, "audits", ranges, restrict, p, func(a *models.Audit) string { return a.ID })
	if err == nil && edge != "" && !info.HasNext {
		info.stop(edge, false)
	}
	return rows, info, err
}

// auditRanges are the ranges of an index that hold what a filter means.
func auditRanges(f *AuditFilter) []ordered {
	apps := f.Within
	if f.AppID != "" {
		if f.Within != nil && !slices.Contains(f.Within, f.AppID) {
			return nil
		}
		apps = []string{f.AppID}
	}
	switch {
	case f.Kind != "" && f.Object != "":
		return by(by(from("audits_object"), "kind", []string{f.Kind}), "object", []string{f.Object})
	case apps != nil:
		return by(from("audits_app"), "app_id", orAll(apps, nil))
	case f.Actor != "":
		return by(from("audits_actor"), "actor", []string{f.Actor})
	case f.Action != "":
		return by(from("audits_action"), "action", []string{f.Action})
	case f.Kind != "":
		return by(from("audits_kind"), "kind", []string{f.Kind})
	}
	return from("")
}

// restrict adds what the index of a range does not know.
func (f *AuditFilter) restrict(q *gorm.DB, r *ordered) *gorm.DB {
	for column, value := range map[string]string{"actor": f.Actor, "kind": f.Kind, "object": f.Object, "action": f.Action, "app_id": f.AppID} {
		if value != "" && !r.knows(column) {
			q = q.Where(column+" = ?", value)
		}
	}
	if f.Within != nil && !r.knows("app_id") {
		q = q.Where("app_id IN ?", f.Within)
	}
	if f.Search != "" {
		text := strings.ToLower(f.Search)
		columns := []string{"object_name", "actor", "action", "address", "object", "request_id", "COALESCE(detail, '')", "COALESCE(state_before, '')", "COALESCE(state_after, '')"}
		parts := make([]string, len(columns))
		values := make([]any, len(columns))
		for i, column := range columns {
			parts[i], values[i] = "INSTR(LOWER("+column+"), ?) > 0", text
		}
		q = q.Where("("+strings.Join(parts, " OR ")+")", values...)
	}
	return f.during(q)
}

// during bounds rows by their instants, which their ids begin with.
func (f *AuditFilter) during(q *gorm.DB) *gorm.DB {
	if f.From != nil {
		q = q.Where("id >= ?", models.LowestID(*f.From))
	}
	if f.To != nil {
		q = q.Where("id < ?", models.LowestID(*f.To))
	}
	return q
}

// sifts says whether rows of the filter's ranges may have to be passed over.
func (f *AuditFilter) sifts(r *ordered) bool {
	for column, value := range map[string]string{"actor": f.Actor, "kind": f.Kind, "object": f.Object, "action": f.Action, "app_id": f.AppID} {
		if value != "" && !r.knows(column) {
			return true
		}
	}
	return f.Search != "" || f.Within != nil && !r.knows("app_id")
}

// auditEdge answers the nearest id at which one of the ranges has its share of rows behind
// it, counted from where the page begins; empty when none has as many.
func (s *Store) auditEdge(ctx context.Context, f *AuditFilter, ranges []ordered, p Page) (string, error) {
	if p.Before != "" || p.Last != 0 {
		return "", nil // the trail is only read on
	}
	share := max(1, searchedAudits/len(ranges))
	nearest := ""
	for i := range ranges {
		q, _ := ranges[i].reading(ctx, s, "audits", func(q *gorm.DB, _ *ordered) *gorm.DB { return f.during(q) })
		if p.After != "" {
			q = q.Where("id < ?", p.After)
		}
		var ids []string
		if err := q.Select("id").Order("id DESC").Offset(share-1).Limit(1).Pluck("id", &ids).Error; err != nil {
			return "", fmt.Errorf("searching the audit log: %w", err)
		}
		if len(ids) > 0 && ids[0] > nearest {
			nearest = ids[0]
		}
	}
	return nearest, nil
}

// PruneAudits deletes rows of the audit trail from before an instant, the oldest first and
// at most limit, and answers how many there were.
func (s *Store) PruneAudits(ctx context.Context, fence Fence, before time.Time, limit int) (int, error) {
	n := 0
	err := s.write(ctx, "pruning the audit log", func(tx *gorm.DB) error {
		if err := fence.check(tx, s.dialect); err != nil {
			return err
		}
		ids, err := readIDs(tx, "SELECT id FROM audits"+s.dialect.byKey()+" WHERE id < ? ORDER BY id LIMIT ?", models.LowestID(before), limit)
		if err != nil || len(ids) == 0 {
			n = 0
			return err
		}
		for chunk := range chunks(ids, inLimit) {
			if _, err := exec(tx, s.dialect.deleteByKey("audits")+" WHERE id IN ("+marks(len(chunk))+")", anys(chunk)...); err != nil {
				return err
			}
		}
		n = len(ids)
		return nil
	})
	return n, err
}
