package event_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/services/event"
)

// A listener begins with a resync mark, again after a panic, and lives on.
func TestListener(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		bus := event.NewMemory("a")
		got := make(chan event.Message, 10)
		l, err := event.NewListener("test", bus, quiet, func(_ context.Context, msgs []event.Message) {
			for _, m := range msgs {
				if got <- m; m.Key == "bad" {
					panic("bad")
				}
			}
		}, event.TopicTask)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Start(t.Context()); err != nil {
			t.Fatal(err)
		}
		if m := <-got; m.Topic != event.TopicResync {
			t.Errorf("the first delivery is %+v", m)
		}
		bus.Publish(t.Context(), event.Message{Topic: event.TopicTask, Key: "bad"}, event.Message{Topic: event.TopicJob, Key: "not asked for"})
		if m := <-got; m.Key != "bad" {
			t.Errorf("got %+v", m)
		}
		if m := <-got; m.Topic != event.TopicResync {
			t.Errorf("after a panic comes %+v", m)
		}
		bus.Publish(t.Context(), event.Message{Topic: event.TopicTask, Key: "good"})
		if m := <-got; m.Key != "good" {
			t.Errorf("got %+v", m)
		}
		time.Sleep(time.Hour) // quiet, and still well
		if h := l.Health()[0]; h.Overdue != 0 || h.Failures != 0 {
			t.Errorf("a quiet listener: %+v", h)
		}
		if err := l.Stop(t.Context()); err != nil {
			t.Error(err)
		}
		closeBus(t, bus)
	})
}
