//go:build race

package simulation

import "time"

// defaultLimit is short where the race detector makes SQLite ten times as slow: it
// looks for races, the other build for broken promises.
const defaultLimit = 10 * time.Second
