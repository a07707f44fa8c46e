package memo

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/belfry-scheduler/belfry/services/clock"
)

func TestEntriesEndByAge(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := New[string, int](clock.System{}, time.Second, 10)
		asOf := clock.System{}.Now()
		time.Sleep(600 * time.Millisecond) // the reading took this long
		c.Put("a", 1, asOf)
		if got, ok := c.Get("a"); !ok || got != 1 {
			t.Fatalf("Get = %d, %t", got, ok)
		}
		time.Sleep(399 * time.Millisecond)
		if _, ok := c.Get("a"); !ok {
			t.Error("gone after 999 ms")
		}
		time.Sleep(time.Millisecond)
		if _, ok := c.Get("a"); ok {
			t.Error("still there a second after the reading began")
		}
	})
}

func TestNeverMoreThanItsBound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		c := New[int, int](clock.System{}, time.Second, 3)
		for i := range 100 {
			c.Put(i, i, clock.System{}.Now())
			if len(c.entries) > 3 {
				t.Fatalf("%d entries, at most 3 are allowed", len(c.entries))
			}
			if got, ok := c.Get(i); !ok || got != i {
				t.Fatalf("entry %d is not there", i)
			}
			time.Sleep(100 * time.Millisecond)
		}
	})
}

func TestDrop(t *testing.T) {
	t.Parallel()
	c := New[int, int](clock.System{}, time.Hour, 10)
	for i := range 4 {
		c.Put(i, i, clock.System{}.Now())
	}
	c.Drop(0)
	c.DropIf(func(_, v int) bool { return v > 2 })
	for i, want := range []bool{false, true, true, false} {
		if _, ok := c.Get(i); ok != want {
			t.Errorf("entry %d present: %t, want %t", i, ok, want)
		}
	}
}
