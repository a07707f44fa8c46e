package store

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"
)

// A list that is filtered in several ways has an index for each: the columns of the
// filter, and then the id. Where a filter has several values, each is a range of its
// own, so that every range is read in order and no more of it than a page.

// ordered is a range of a table which an index holds in the order of ids.
type ordered struct {
	index  string // empty: the primary key
	equals []equal
	// join, unless empty, is a table whose index it is: it names rows of the list by
	// its column on.
	join, on string
}

// equal is a value that the rows of a range have in a column.
type equal struct {
	column string
	value  any
}

// knows says whether all rows of the range have the same value in a column. To ask for it
// once more would have SQLite sort.
func (r *ordered) knows(column string) bool {
	return slices.ContainsFunc(r.equals, func(e equal) bool { return e.column == column })
}

// by has each of some ranges divided by the values of a column.
func by[V any](ranges []ordered, column string, values []V) []ordered {
	var all []ordered
	for _, r := range ranges {
		for _, v := range values {
			part := r
			part.equals = append(slices.Clone(r.equals), equal{column, v})
			all = append(all, part)
		}
	}
	return all
}

// from begins ranges of an index.
func from(index string) []ordered { return []ordered{{index: index}} }

// reading is a query of one range, and the column whose order it has; restrict adds what
// its index does not know.
func (r *ordered) reading(ctx context.Context, s *Store, table string, restrict func(*gorm.DB, *ordered) *gorm.DB) (q *gorm.DB, id string) {
	hint, id := s.dialect.byKey(), "id"
	if r.index != "" {
		hint = s.dialect.forceIndex(r.index)
	}
	if r.join == "" {
		q = s.read(ctx).Table(table + hint)
	} else {
		id = r.join + "." + r.on
		q = s.read(ctx).Table(r.join + hint + s.dialect.joinInOrder() + table + " ON " + table + ".id = " + id).Select(table + ".*")
	}
	for _, e := range r.equals {
		q = q.Where(e.column+" = ?", e.value)
	}
	return restrict(q, r), id
}

// newestOf answers a page of the rows of some ranges, which do not overlap, newest first;
// positions are ids, which idOf answers. Fault: INVALID.
func newestOf[T any](ctx context.Context, s *Store, table string, ranges []ordered, restrict func(*gorm.DB, *ordered) *gorm.DB, p Page, idOf func(*T) string) ([]T, PageInfo, error) {
	n, backward, err := p.size()
	if err != nil {
		return nil, PageInfo{}, err
	}
	order, sign := " DESC", -1
	if backward {
		order, sign = "", 1
	}
	var rows []T
	for i := range ranges {
		q, id := ranges[i].reading(ctx, s, table, restrict)
		if p.After != "" {
			q = q.Where(id+" < ?", p.After)
		}
		if p.Before != "" {
			q = q.Where(id+" > ?", p.Before)
		}
		part, err := list[T](q.Order(id+order).Limit(n+1), table)
		if err != nil {
			return nil, PageInfo{}, err
		}
		rows = append(rows, part...)
	}
	if len(ranges) > 1 {
		slices.SortFunc(rows, func(a, b T) int { return sign * strings.Compare(idOf(&a), idOf(&b)) })
	}
	rows, info := cut(rows, p, n, backward)
	return rows, info, nil
}

// orAll are the values of a filter, each once, or all there are when it has none.
func orAll[V cmp.Ordered](values, all []V) []V {
	if len(values) == 0 {
		return all
	}
	return slices.Compact(slices.Sorted(slices.Values(values)))
}
