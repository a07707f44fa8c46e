package store

import (
	"context"
	"slices"
)

// selectRows are the ids read by one statement of SelectTasks.
const selectRows = 5000

// SelectTasks answers the ids of all tasks that a filter means, latest first, up to
// limit; more when there are further ones. Unlike TaskPage it looks through everything.
func (s *Store) SelectTasks(ctx context.Context, f TaskFilter, limit int) (ids []string, more bool, err error) {
	if apps := f.apps(); apps != nil && len(apps) == 0 {
		return nil, false, nil
	}
	if err := s.withinBackfill(ctx, &f); err != nil {
		return nil, false, err
	}
	after := ""
	for {
		w := f.wanted(s.dialect)
		if err := s.search(ctx, f.Search, &w); err != nil {
			return nil, false, err
		}
		w.below(after)
		r := taskReading{
			store: s, filter: &f, wanted: w, descending: true, limit: selectRows,
			fewQueued: fewQueued, fewJobs: mostBranches / len(shelves), probeRows: probeRows, searchRows: searchRows,
		}
		part, stopped, err := r.ids(ctx)
		if err != nil {
			return nil, false, err
		}
		ids = append(ids, part...)
		switch {
		case len(ids) > limit:
			return ids[:limit], true, nil
		case len(part) == selectRows:
			after = part[len(part)-1]
		case stopped != "":
			after = stopped
		default:
			return slices.Clip(ids), false, nil
		}
	}
}
