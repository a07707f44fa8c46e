package registry

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Limits of a registration; docs/worker-protocol.openapi.yaml names them too.
const (
	maxSlots    = 10_000
	maxHandlers = 1000
	maxNode     = 128 // characters of a node's name
	maxShown    = 255 // characters of a handler's name, of a label and its value, and of what people see only
	maxLabels   = 100
)

func checkRegister(app models.App, req wire.Register) error {
	switch {
	case req.Protocol != wire.Version:
		return refuse(wire.CodeVersion, "protocol", "Protocol version %d is not served: this server speaks version %d.", req.Protocol, wire.Version)
	case req.App != "" && req.App != app.Name:
		return refuse(wire.CodeInvalid, "app", "The key belongs to app %q, not to %s: use the key of that app.", app.Name, check.Quote(req.App))
	case len(req.Handlers) > maxHandlers:
		return refuse(wire.CodeInvalid, "handlers", "%d handlers are registered: at most %d are allowed.", len(req.Handlers), maxHandlers)
	case len(req.Labels) > maxLabels:
		return refuse(wire.CodeInvalid, "labels", "There are %d labels: at most %d are allowed.", len(req.Labels), maxLabels)
	}
	if err := checkSlots(req.Slots); err != nil {
		return err
	}
	if err := checkPools(req.HandlerSlots); err != nil {
		return err
	}
	if n := utf8.RuneCountInString(req.Node); n < 1 || n > maxNode || !check.Plain(req.Node) {
		return refuse(wire.CodeInvalid, "node", "The node name %s has %d characters: give 1 to %d, without control characters.", check.Quote(req.Node), n, maxNode)
	}
	if len(req.Gone) > wire.MaxGone {
		return refuse(wire.CodeInvalid, "gone", "%d processes are named as gone: at most %d are allowed.", len(req.Gone), wire.MaxGone)
	}
	if n := len(req.Incarnation); n < 8 || n > 64 || strings.ContainsFunc(req.Incarnation, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return refuse(wire.CodeInvalid, "incarnation",
			"The incarnation %s has %d characters: give 8 to 64 random ones of ASCII without blanks, new at each process start.", check.Quote(req.Incarnation), n)
	}
	return checkNames(req)
}

// checkNames checks what a node has by name.
func checkNames(req wire.Register) error {
	for _, name := range req.Handlers {
		if n := utf8.RuneCountInString(name); n < 1 || n > maxShown || !check.Plain(name) {
			return refuse(wire.CodeInvalid, "handlers", "The handler name %s has %d characters: give 1 to %d, without control characters.", check.Quote(name), n, maxShown)
		}
	}
	for name, value := range req.Labels {
		if utf8.RuneCountInString(name) > maxShown || utf8.RuneCountInString(value) > maxShown {
			return refuse(wire.CodeInvalid, "labels", "The label %s or its value has more than %d characters: shorten it.", check.Quote(name), maxShown)
		}
	}
	return nil
}

// checkCounts checks the numbers of a heartbeat. Heartbeats are written together: one
// that the ledger cannot hold would keep back those of all nodes.
func checkCounts(beat *wire.Heartbeat) error {
	if err := checkSlots(beat.Slots); err != nil {
		return err
	}
	for field, n := range map[string]int{"stuck": beat.Stuck, "lingering": beat.Lingering} {
		if n < 0 || n > maxSlots {
			return refuse(wire.CodeInvalid, field, "%s is %d: give 0 to %d.", field, n, maxSlots)
		}
	}
	return checkStuck(beat.StuckAttempts)
}

// checkPools checks the limits of single handlers.
func checkPools(pools []wire.HandlerSlots) error {
	seen := map[string]bool{}
	for i, pool := range pools {
		if pool.Slots < 1 || pool.Slots > maxSlots {
			return refuse(wire.CodeInvalid, fmt.Sprintf("handlerSlots.%d.slots", i), "Slots is %d: give 1 to %d.", pool.Slots, maxSlots)
		}
		for _, name := range pool.Handlers {
			if seen[name] {
				return refuse(wire.CodeInvalid, fmt.Sprintf("handlerSlots.%d.handlers", i), "Handler %q is in two entries: give it one limit.", name)
			}
			seen[name] = true
		}
	}
	if len(seen) > maxHandlers {
		return refuse(wire.CodeInvalid, "handlerSlots", "%d handlers have slots of their own: at most %d are allowed.", len(seen), maxHandlers)
	}
	return nil
}

func checkSlots(n int) error {
	if n < 1 || n > maxSlots {
		return refuse(wire.CodeInvalid, "slots", "Slots is %d: give 1 to %d.", n, maxSlots)
	}
	return nil
}

// cutTo shortens a text that only people see.
func cutTo(s string, limit int) string {
	if utf8.RuneCountInString(s) <= limit {
		return s
	}
	return string([]rune(s)[:limit-1]) + "…"
}
