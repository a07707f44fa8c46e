//go:build !race

package simulation

import "time"

const defaultLimit = 30 * time.Second
