// Package limit decides, before anything of an operation runs, whether it may:
// whether the caller's role allows every root field, and whether the operation is
// small enough. Nothing is executed when it says no.
package limit

import (
	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Bounds are the largest operation that is answered.
type Bounds struct {
	Tokens     int // lexical tokens of the text
	Selections int // fields and fragments that are written in the text
	Depth      int // levels of fields below the root
	Aliases    int // renamed fields, fragments counted at each use
	RootFields int // fields of the root, fragments counted at each use
	Cost       int // values that could be read, page sizes multiplied
}

// Standard are the bounds of every server; Cost is that of viewers.
var Standard = Bounds{Tokens: 5_000, Selections: 500, Depth: 12, Aliases: 50, RootFields: 20, Cost: 30_000}

// costs are what the holder of a role may ask for at once. Nobody asks who is signed in and
// no more; who looks after jobs may read more of them than who only looks.
var costs = map[models.Role]int{
	0: 1_000, models.RoleViewer: Standard.Cost, models.RoleOperator: Standard.Cost, models.RoleDeveloper: 60_000, models.RoleAdmin: 100_000,
}

// CostOf is the largest cost for the holder of a role, the highest in any app; 0: nobody.
func CostOf(role models.Role) int { return costs[role] }

// For are the bounds for the holder of a role.
func (b Bounds) For(role models.Role) Bounds {
	b.Cost = CostOf(role)
	return b
}

// Check refuses a size above the bounds with LIMIT, naming the first bound that is
// exceeded, and deferred parts, which no transport sends, with UNSUPPORTED.
func (b Bounds) Check(s Size) error {
	switch {
	case s.Deferred:
		return fault.New(fault.Unsupported, "The directive @defer is not supported: send two operations.")
	case s.Depth > b.Depth:
		return over("%d levels deep", s.Depth, b.Depth, "ask for less at once")
	case s.RootFields > b.RootFields:
		return over("asking for %d fields of the root", s.RootFields, b.RootFields, "send several operations")
	case s.Aliases > b.Aliases:
		return over("renaming %d fields", s.Aliases, b.Aliases, "use fewer aliases")
	case s.Cost > b.Cost:
		return over("asking for up to %d values", s.Cost, b.Cost, "ask for smaller pages or fewer fields")
	default:
		return nil
	}
}

func over(what string, is, most int, remedy string) error {
	return fault.New(fault.Limit, "The operation is "+what+", and at most %d are allowed: "+remedy+".", is, most)
}
