package store

import (
	"slices"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// Page says which part of a list is wanted: the First entries after the position
// After, or the Last ones before Before. Positions are keys of the list (see the
// methods that take a Page), empty for its ends.
type Page struct {
	First  int
	After  string
	Last   int
	Before string
}

// PageInfo says whether the list goes on before and after a page.
type PageInfo struct {
	HasNext, HasPrevious bool
	// Stopped is the position where a search stopped because it had looked at as much
	// as one page may cost: the page goes on there, though it may be short or empty.
	// Empty when the page is all that there is.
	Stopped string
}

// stop notes that the search for a page went no further than a position.
func (i *PageInfo) stop(at string, backward bool) {
	i.Stopped = at
	if backward {
		i.HasPrevious = true
	} else {
		i.HasNext = true
	}
}

const (
	defaultPage = 20
	largestPage = 1000 // a guard; the API allows 100
)

// size answers how many entries are wanted and whether they are counted from the
// end. Fault: INVALID.
func (p Page) size() (n int, backward bool, err error) {
	switch {
	case p.First != 0 && p.Last != 0:
		return 0, false, fault.At("last", fault.Invalid, "first and last are both set; give one of them.")
	case p.First < 0 || p.First > largestPage:
		return 0, false, fault.At("first", fault.Invalid, "first is %d; it must be 1 to %d.", p.First, largestPage)
	case p.Last < 0 || p.Last > largestPage:
		return 0, false, fault.At("last", fault.Invalid, "last is %d; it must be 1 to %d.", p.Last, largestPage)
	case p.Last > 0:
		return p.Last, true, nil
	case p.First == 0:
		return defaultPage, false, nil
	}
	return p.First, false, nil
}

// cut makes a page of rows that were read in the direction of reading, one more
// than wanted if there are that many.
func cut[T any](rows []T, p Page, n int, backward bool) ([]T, PageInfo) {
	more := len(rows) > n
	rows = rows[:min(len(rows), n)]
	if backward {
		slices.Reverse(rows)
		return rows, PageInfo{HasNext: p.Before != "", HasPrevious: more}
	}
	return rows, PageInfo{HasNext: more, HasPrevious: p.After != ""}
}

// newest answers a page of what q means, newest first; positions are ids, in whose order
// the rows were made. Fault: INVALID.
func newest[T any](q *gorm.DB, p Page, what string) ([]T, PageInfo, error) {
	n, backward, err := p.size()
	if err != nil {
		return nil, PageInfo{}, err
	}
	if p.After != "" {
		q = q.Where("id < ?", p.After)
	}
	if p.Before != "" {
		q = q.Where("id > ?", p.Before)
	}
	order := "id DESC"
	if backward {
		order = "id"
	}
	rows, err := list[T](q.Order(order).Limit(n+1), what)
	if err != nil {
		return nil, PageInfo{}, err
	}
	rows, info := cut(rows, p, n, backward)
	return rows, info, nil
}
