package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"time"
)

// measureFires lets jobs fire each second and reads from the ledger how late each
// fire was dispatched and started, and how many became a finished task.
func measureFires(ctx context.Context, o options) error {
	for _, kind := range []ledgerKind{onMariaDB, onSQLite} {
		if err := measureFiresOn(ctx, o, kind); err != nil {
			return fmt.Errorf("on %s: %w", kind, err)
		}
	}
	return nil
}

func measureFiresOn(ctx context.Context, o options, kind ledgerKind) error {
	in, err := install(ctx, o, kind)
	if err != nil {
		return err
	}
	defer in.close()
	worker, err := in.startWorker(ctx, o)
	if err != nil {
		return err
	}
	defer stopProcess(worker)
	if _, err := in.createJobs(ctx, o.firing, "each-second", onCron("* * * * * *")); err != nil {
		return err
	}
	if err := pause(ctx, 3*time.Second); err != nil { // the jobs were made one by one
		return err
	}
	if o.profile != "" {
		go func() {
			if err := in.saveProfile(ctx, o.profile+".fires-"+string(kind)); err != nil {
				fmt.Fprintln(os.Stderr, "bench: no profile:", err)
			}
		}()
	}
	cpu := in.cpu()
	from := time.Now().UTC().Truncate(time.Second).Add(time.Second)
	to := from.Add(time.Duration(o.seconds) * time.Second)
	if err := pause(ctx, time.Until(to.Add(3*time.Second))); err != nil {
		return err
	}
	used := cpu.since()
	f, err := in.readFires(ctx, from, to)
	if err != nil {
		return err
	}
	wanted := o.firing * o.seconds
	fmt.Printf("%s: %d jobs each second for %d s: %d of %d fires finished (%.1f %%)\n", kind, o.firing, o.seconds, f.finished, wanted, 100*float64(f.finished)/float64(wanted))
	fmt.Printf("%s: due → dispatched %s\n%s: due → handler started %s\n", kind, spread(f.dispatched), kind, spread(f.started))
	fmt.Printf("%s: %s\n", kind, used)
	return nil
}

// fires is what the ledger has of the fires of a while.
type fires struct {
	finished            int
	dispatched, started []int64 // µs after the due instant
}

func (in *installation) readFires(ctx context.Context, from, to time.Time) (fires, error) {
	var f fires
	rows, err := in.ledger.QueryContext(ctx,
		"SELECT scheduled_at, dispatched_at, started_at, finished_at FROM tasks WHERE scheduled_at >= ? AND scheduled_at < ?", from, to)
	if err != nil {
		return f, err
	}
	defer rows.Close()
	for rows.Next() {
		var scheduled time.Time
		var dispatched, started, finished sql.NullTime
		if err := rows.Scan(&scheduled, &dispatched, &started, &finished); err != nil {
			return f, err
		}
		if finished.Valid {
			f.finished++
		}
		if dispatched.Valid {
			f.dispatched = append(f.dispatched, dispatched.Time.Sub(scheduled).Microseconds())
		}
		if started.Valid {
			f.started = append(f.started, started.Time.Sub(scheduled).Microseconds())
		}
	}
	return f, rows.Err()
}

// cpuMark is the processor time used up to an instant.
type cpuMark struct {
	in         *installation
	at         time.Time
	server, db float64
}

func (in *installation) cpu() cpuMark {
	m := cpuMark{in: in, at: time.Now(), server: cpuSeconds(in.server.Process.Pid)}
	if in.db != nil {
		m.db = cpuSeconds(in.db.PID())
	}
	return m
}

// since says what share of a core was used from the mark on.
func (m cpuMark) since() string {
	now, elapsed := m.in.cpu(), time.Since(m.at).Seconds()
	s := fmt.Sprintf("CPU of one core: server %.1f %%", 100*(now.server-m.server)/elapsed)
	if m.in.db != nil {
		s += fmt.Sprintf(", MariaDB %.1f %%", 100*(now.db-m.db)/elapsed)
	}
	return s
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
