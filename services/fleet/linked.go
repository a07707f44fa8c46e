package fleet

import (
	"fmt"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// slowTakeover is the silence before a takeover from which on people wonder why
// nothing happens.
const slowTakeover = time.Minute

// GroupWarnings are sentences about settings of a group that are allowed each by
// itself and odd together; empty for none.
func GroupWarnings(g *models.NodeGroup) []string {
	warnings := []string{}
	if g.MaxRunning != nil && g.ReleaseRate != nil {
		if burst := valueOr(g.ReleaseBurst, *g.ReleaseRate); burst > *g.MaxRunning {
			warnings = append(warnings, fmt.Sprintf(
				"At one instant %d tasks may be released, but at most %d may run: the rest of a burst waits for ends, whatever the release rate says.", burst, *g.MaxRunning))
		}
	}
	if after := g.OfflineAfter(); after > slowTakeover {
		warnings = append(warnings, fmt.Sprintf(
			"A lost node is noticed after %s: until then its tasks run nowhere. Beat more often, or allow fewer missed heartbeats.", after))
	}
	return warnings
}
