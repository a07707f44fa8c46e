package demo

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// register adds the demo's handlers to a worker.
func register(w *worker.Worker) {
	worker.Handle(w, "RefreshPrices", refreshPrices)
	worker.Handle(w, "ImportOrders", importOrders)
	worker.Handle(w, "BuildReport", buildReport)
	worker.Handle(w, "ExportArchive", exportArchive)
	worker.Handle(w, "SyncCustomers", syncCustomers)
	worker.Handle(w, "ReindexSearch", reindexSearch)
	worker.Handle(w, "PollInbox", pollInbox)
	worker.Handle(w, "SendGreeting", sendGreeting)
	registerSales(w)
}

// none is the parameters of handlers that take none.
type none struct{}

// pause waits like work that takes d, and ends early with ctx.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}

func refreshPrices(ctx context.Context, t *worker.Task, _ none) error {
	changed := rand.IntN(40)
	if err := pause(ctx, 200*time.Millisecond); err != nil {
		return err
	}
	t.Logger().InfoContext(ctx, "prices refreshed", "changed", changed)
	return t.SetResult(map[string]int{"changed": changed})
}

type importArgs struct {
	Source string `json:"source"`
}

func importOrders(ctx context.Context, t *worker.Task, args importArgs) error {
	t.Logger().InfoContext(ctx, "connecting", "source", args.Source, "attempt", t.Attempt)
	if err := pause(ctx, 400*time.Millisecond); err != nil {
		return err
	}
	if t.Attempt < 3 {
		t.Logger().WarnContext(ctx, "the source does not answer", "source", args.Source)
		return fmt.Errorf("reading orders from %s: connection refused", args.Source)
	}
	orders := 20 + rand.IntN(200)
	t.Logger().InfoContext(ctx, "orders imported", "orders", orders)
	return t.SetResult(map[string]int{"orders": orders})
}

type reportArgs struct {
	Pages int `json:"pages"`
}

// buildReport goes on after its last checkpoint when an earlier attempt was lost.
func buildReport(ctx context.Context, t *worker.Task, args reportArgs) error {
	done := 0
	if found, err := t.LastCheckpoint(&done); err != nil {
		return err
	} else if found {
		t.Logger().InfoContext(ctx, "going on after an earlier attempt", "pages", done)
	}
	for done < args.Pages {
		if err := pause(ctx, time.Second); err != nil {
			return err
		}
		done++
		t.Progress(float64(done)/float64(args.Pages), fmt.Sprintf("page %d of %d", done, args.Pages))
		t.Logger().InfoContext(ctx, "page built", "page", done, "rows", 200+rand.IntN(800))
		if done%10 == 0 {
			if err := t.Checkpoint(ctx, done); err != nil {
				return err
			}
		}
	}
	return t.SetResult(map[string]any{"pages": done, "file": fmt.Sprintf("report-%s.pdf", t.ScheduledAt.Format("20060102-1504"))})
}

func exportArchive(ctx context.Context, t *worker.Task, _ none) error {
	t.Logger().WarnContext(ctx, "waiting for the archive's lock")
	return pause(ctx, time.Hour)
}

func syncCustomers(ctx context.Context, t *worker.Task, _ none) error {
	t.Logger().ErrorContext(ctx, "the CRM refuses the credentials", "status", 403)
	return worker.NoRetry(errors.New("CRM answered 403: the integration's account is locked"))
}

func reindexSearch(ctx context.Context, t *worker.Task, _ none) error {
	seconds := 10 + rand.IntN(50)
	for i := range seconds {
		t.Progress(float64(i)/float64(seconds), "")
		if err := pause(ctx, time.Second); err != nil {
			t.Logger().WarnContext(ctx, "reindexing given up", "cause", err.Error())
			return err
		}
	}
	return t.SetResult(map[string]int{"documents": 1000 * seconds})
}

func pollInbox(ctx context.Context, t *worker.Task, _ none) error {
	mails := rand.IntN(4)
	if err := pause(ctx, time.Duration(200+rand.IntN(1500))*time.Millisecond); err != nil {
		return err
	}
	t.Logger().InfoContext(ctx, "inbox read", "mails", mails)
	return t.SetResult(map[string]int{"mails": mails})
}

type greetingArgs struct {
	Name     string `json:"name"`
	Language string `json:"language"`
}

func sendGreeting(ctx context.Context, t *worker.Task, args greetingArgs) error {
	words := map[string]string{"en": "Hello", "zh": "你好", "de": "Hallo", "fr": "Bonjour"}
	word, ok := words[args.Language]
	if !ok {
		return worker.NoRetry(fmt.Errorf("language %q is not spoken here: give en, zh, de or fr", args.Language))
	}
	greeting := word + ", " + args.Name + "!"
	t.Logger().InfoContext(ctx, "greeting sent", "text", greeting)
	return t.SetResult(greeting)
}
