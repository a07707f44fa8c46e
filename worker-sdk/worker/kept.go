package worker

import (
	"fmt"
	"log/slog"
	"slices"

	"github.com/belfry-scheduler/belfry/worker-sdk/internal/spill"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// maxKeptBytes bounds the file of Config.SpillDir. Results that do not fit are kept
// in memory only, whose bounds are the book's.
const maxKeptBytes = 256 << 20

// openKept makes this process's file in Config.SpillDir and opens those of processes
// that are gone. Without a folder both are nil.
func (w *Worker) openKept(incarnation string) ([]*spill.Orphan, error) {
	dir := w.cfg.SpillDir
	if dir == "" {
		return nil, nil
	}
	file, err := spill.Create(dir, spill.Header{
		App: w.cfg.App, Group: w.cfg.Group, Node: w.cfg.Name, Incarnation: incarnation,
	}, maxKeptBytes)
	if err != nil {
		return nil, fmt.Errorf("Config.SpillDir is %q, which cannot be used: %w; give a folder that this process may write, which outlives it", dir, err)
	}
	w.book.kept = &kept{file: file, log: w.cfg.Logger}
	orphans, err := spill.Orphans(dir, w.cfg.App)
	if err != nil {
		w.cfg.Logger.Error("some files of unsent results cannot be read", "folder", dir, "error", err)
	}
	return orphans, nil
}

// goneOf answers the processes of a node whose files are open here, the latest first:
// their locks were free, and the operating system frees them only when a process ends. So
// the name is free too, which a server that has heard of a process lately does not know.
func goneOf(node string, orphans []*spill.Orphan) []string {
	var gone []string
	for _, o := range slices.Backward(orphans) { // incarnations sort by time
		if o.Node == node && len(gone) < wire.MaxGone {
			gone = append(gone, o.Incarnation)
		}
	}
	return gone
}

// kept is what the book has in the file of Config.SpillDir.
type kept struct {
	file *spill.File
	log  *slog.Logger
	done []uint64 // no longer needed there, not noted yet; at most one for each attempt held
}

// keepResult writes a result to the file before anybody hears of it, so that it outlives
// the process from the moment its handler has returned.
func (b *book) keepResult(a *attempt, e *ending) {
	if b.kept == nil {
		return
	}
	b.mu.Lock()
	e.startedAt, e.result = a.startedAt, a.result
	told := a.abandoned || a.left
	b.mu.Unlock()
	if told {
		return
	}
	n, err := b.kept.file.Append(appendItem(nil, &item{a: a, ending: e}))
	if err != nil {
		b.kept.log.Error("a result could not be written to the file; it is kept in memory only",
			"file", b.kept.file.Path(), "task_id", a.task.ID, "attempt", a.task.Attempt, "error", err)
		return
	}
	e.kept = n
}

// unkeep notes that the file's copy of a result is not needed; b.mu is held.
func (b *book) unkeep(e *ending) {
	if b.kept != nil && e != nil && e.kept != 0 {
		b.kept.done = append(b.kept.done, e.kept)
	}
}

// noteKept tells the file which results are done with.
func (b *book) noteKept() {
	if b.kept == nil {
		return
	}
	b.mu.Lock()
	done := b.kept.done
	b.kept.done = nil
	b.mu.Unlock()
	if err := b.kept.file.Done(done...); err != nil {
		b.kept.log.Error("the file of unsent results could not be written", "file", b.kept.file.Path(), "error", err)
	}
}

// keptLen returns how many results only wait in the file for the next process.
func (b *book) keptLen() int {
	if b.kept == nil {
		return 0
	}
	return b.kept.file.Len()
}

// closeKept gives up the file; if something is left in it, it stays.
func (b *book) closeKept() error {
	if b.kept == nil {
		return nil
	}
	n, err := b.kept.file.Len(), b.kept.file.Close()
	if n > 0 {
		b.kept.log.Warn("unsent results are kept for the next process that uses this folder", "file", b.kept.file.Path(), "results", n)
	}
	if err != nil {
		return fmt.Errorf("closing the file of unsent results: %w", err)
	}
	return nil
}
