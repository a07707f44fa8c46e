package dispatch

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/store"
)

// keysAtOnce bounds how many tasks' routing keys are read for one plan; parameters
// may be a quarter of a megabyte each.
const keysAtOnce = 250

// routes prepares the routes of jobs with due tasks: it reads the keys of tasks that
// are routed by one, and the last nodes of jobs that stick to theirs.
func (d *Dispatcher) routes(ctx context.Context, g *group, jobs map[string]*models.Job) (map[string]*route, error) {
	g.mu.Lock()
	row := g.row
	g.mu.Unlock()
	all := make(map[string]*route, len(jobs))
	var sticky []string
	hashed := map[string]bool{}
	for id, j := range jobs {
		if outdated(j) {
			continue
		}
		r, err := routeOf(j, &row)
		if err != nil { // written by hand: it is routed as if it had no rule
			d.cfg.Logger.WarnContext(ctx, "routing rule not understood", "job", j.Name, "error", err)
		}
		all[id] = &r
		switch r.strategy { //nolint:exhaustive // the others need nothing
		case models.RouteHash:
			hashed[id] = true
		case models.RouteSticky:
			sticky = append(sticky, id)
		}
	}
	if err := d.readLast(ctx, g, sticky); err != nil {
		return nil, err
	}
	return all, d.readKeys(ctx, g, all, hashed)
}

// readLast reads the last nodes of jobs where memory does not know them.
func (d *Dispatcher) readLast(ctx context.Context, g *group, jobs []string) error {
	g.mu.Lock()
	jobs = slices.DeleteFunc(jobs, func(id string) bool { _, known := g.last[id]; return known })
	g.mu.Unlock()
	if len(jobs) == 0 {
		return nil
	}
	last, err := d.cfg.Ledger.LastNodes(ctx, jobs)
	if err != nil {
		return fmt.Errorf("reading the last nodes of %d jobs: %w", len(jobs), err)
	}
	g.mark(func() {
		for _, id := range jobs {
			g.last[id] = last[id] // empty: it never ran
		}
	})
	return nil
}

// readKeys reads the routing keys of the first due tasks that memory does not know.
// The others are not chosen before theirs are read too.
func (d *Dispatcher) readKeys(ctx context.Context, g *group, routes map[string]*route, hashed map[string]bool) error {
	if len(hashed) == 0 {
		return nil
	}
	pointers := map[string]string{} // of tasks
	g.mark(func() {
		g.forgetKeysLocked()
		for i := range g.queue.ready {
			for job, tasks := range g.queue.ready[i].tasks {
				if !hashed[job] {
					continue
				}
				for k := 0; k < len(tasks) && len(pointers) < keysAtOnce; k++ {
					if _, known := g.keys[tasks[k].ID]; !known {
						pointers[tasks[k].ID] = routes[job].rule.Key
					}
				}
			}
		}
	})
	if len(pointers) == 0 {
		return nil
	}
	ids := make([]string, 0, len(pointers))
	for id := range pointers {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	inputs, err := d.cfg.Ledger.RouteInputs(ctx, ids)
	if err != nil {
		return fmt.Errorf("reading the routing keys of %d tasks: %w", len(ids), err)
	}
	g.mark(func() {
		for _, id := range ids {
			g.keys[id] = keyOf(inputs[id], pointers[id])
		}
	})
	return nil
}

// forgetKeysLocked drops the keys of tasks that have left the queue, now and then.
func (g *group) forgetKeysLocked() {
	if len(g.keys) < 2*len(g.queue.known)+keysAtOnce {
		return
	}
	for id := range g.keys {
		if _, known := g.queue.known[id]; !known {
			delete(g.keys, id)
		}
	}
}

// keyOf is a task's routing key: what a JSON pointer finds in its parameters, else its
// unique key; empty without either.
func keyOf(in store.RouteInput, pointer string) string {
	if pointer == "" {
		return in.UniqueKey
	}
	value, ok := point(in.Parameters, pointer)
	if !ok {
		return ""
	}
	return string(value)
}

// point answers what a JSON pointer (RFC 6901) finds in a document, compact; null is
// as nothing.
func point(document json.RawMessage, pointer string) (json.RawMessage, bool) {
	for token := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		token = strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
		var object map[string]json.RawMessage
		var list []json.RawMessage
		switch {
		case json.Unmarshal(document, &object) == nil && object != nil:
			value, ok := object[token]
			if !ok {
				return nil, false
			}
			document = value
		case json.Unmarshal(document, &list) == nil:
			i, err := strconv.Atoi(token)
			if err != nil || i < 0 || i >= len(list) || strconv.Itoa(i) != token {
				return nil, false
			}
			document = list[i]
		default:
			return nil, false
		}
	}
	var compact bytes.Buffer
	if json.Compact(&compact, document) != nil || compact.String() == "null" {
		return nil, false
	}
	return compact.Bytes(), true
}
