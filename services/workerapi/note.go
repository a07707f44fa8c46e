package workerapi

import (
	"context"
	"errors"
	"fmt"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/batch"
	"github.com/belfry-scheduler/belfry/services/store"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// noteWriter stores what attempts say while they run: many workers share a commit.
type noteWriter struct {
	cfg      Config
	progress *batch.Writer[store.AttemptProgress, bool]
	logs     *batch.Writer[models.LogChunk, struct{}]
}

func newNoteWriter(cfg Config) *noteWriter {
	n := &noteWriter{cfg: cfg}
	n.progress = batch.New(batch.Config[store.AttemptProgress, bool]{Write: cfg.Ledger.RecordProgress})
	n.logs = batch.New(batch.Config[models.LogChunk, struct{}]{
		Write: func(ctx context.Context, chunks []models.LogChunk) ([]struct{}, error) {
			return make([]struct{}, len(chunks)), cfg.Ledger.AppendLogs(ctx, chunks, cfg.LogLimit)
		},
		MaxItems: 200, // a chunk holds up to 500 lines
		MaxQueue: 2000,
	})
	return n
}

func (n *noteWriter) start(ctx context.Context) {
	n.progress.Start(ctx)
	n.logs.Start(ctx)
}

func (n *noteWriter) stop(ctx context.Context) error {
	return errors.Join(n.progress.Stop(ctx), n.logs.Stop(ctx))
}

// write stores the notes of a report and sets their acks.
func (n *noteWriter) write(ctx context.Context, b *reportBatch) error {
	if len(b.progress) > 0 {
		if err := n.writeProgress(ctx, b); err != nil {
			return err
		}
	}
	if len(b.logs) > 0 {
		return n.writeLogs(ctx, b)
	}
	return nil
}

func (n *noteWriter) writeProgress(ctx context.Context, b *reportBatch) error {
	accepted, errs, err := n.progress.Do(ctx, b.progress...)
	if err != nil {
		return fmt.Errorf("recording progress: %w", err)
	}
	var changed []string
	for i, at := range b.progAt {
		switch {
		case errs[i] != nil:
			b.acks[at] = wire.Ack{Status: wire.AckRetry, Message: "The note could not be stored now."}
		case !accepted[i]:
			b.acks[at] = wire.Ack{Status: wire.AckStale, Message: "The attempt is over."}
		default:
			changed = append(changed, b.progress[i].TaskID)
		}
	}
	if len(changed) > 0 {
		n.cfg.Watcher.TaskProgressed(ctx, changed)
	}
	return nil
}

func (n *noteWriter) writeLogs(ctx context.Context, b *reportBatch) error {
	_, errs, err := n.logs.Do(ctx, b.logs...)
	if err != nil {
		return fmt.Errorf("appending logs: %w", err)
	}
	var appended []string
	for i, at := range b.logsAt {
		if errs[i] != nil {
			b.acks[at] = wire.Ack{Status: wire.AckRetry, Message: "The log could not be stored now."}
			continue
		}
		appended = append(appended, b.logs[i].TaskID)
	}
	if len(appended) > 0 {
		n.cfg.Watcher.LogsAppended(ctx, appended)
	}
	return nil
}
