// Package schedule turns triggers into instants: it parses cron expressions,
// computes when a trigger fires next, says in words what it does, and decides
// what becomes of fires that were missed.
//
// It is pure: no I/O apart from reading zone data in [LoadZone], no clock, no
// logging, and it imports nothing else of this project. The same expression,
// zone and instant always give the same answer, whatever the process's own
// zone is.
//
// All instants it returns are in UTC. The rules for expressions and clock
// changes are stated beside the code that follows them: fields and their
// forms in field.go and scan.go, clock changes in next.go, the hash behind H
// in hash.go, missed fires in plan.go.
package schedule

import (
	// Zone data is linked in because slim container images carry none.
	_ "time/tzdata"
)
