package account

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/belfry-scheduler/belfry/services/fault"
)

func TestPasswords(t *testing.T) {
	t.Parallel()
	h := newHasher()
	one, err := h.hash(t.Context(), password)
	if err != nil {
		t.Fatal(err)
	}
	two, err := h.hash(t.Context(), password)
	if err != nil || one == two {
		t.Fatalf("two hashes of one password are the same, %v", err)
	}
	if !strings.HasPrefix(one, "$argon2id$v=19$m=19456,t=2,p=1$") {
		t.Errorf("the hash is %q", one)
	}
	for _, c := range []struct {
		password, hash string
		want           bool
	}{{password, one, true}, {password + " ", one, false}, {"", one, false}, {password, "", false}, {"", "", false}} {
		got, err := h.verify(t.Context(), c.password, c.hash)
		if err != nil || got != c.want {
			t.Errorf("verify(%q, %.20q) = %t, %v", c.password, c.hash, got, err)
		}
	}
	decoyed, err := h.verify(t.Context(), strings.Repeat("\x00", 32), "")
	if err != nil || decoyed {
		t.Errorf("the decoy has a password: %v", err)
	}
}

func TestStrangeHashesAreRefused(t *testing.T) {
	t.Parallel()
	h := newHasher()
	good := h.decoy
	for _, bad := range []string{
		"x", "$2a$12$abc", strings.Replace(good, "m=19456", "m=4194304", 1), strings.Replace(good, "t=2", "t=99", 1),
		good[:len(good)-1], good + "A", strings.TrimSuffix(good, good[strings.LastIndex(good, "$"):]), strings.Replace(good, "AAAA", "!!!!", 1),
	} {
		if ok, err := h.verify(t.Context(), password, bad); err == nil || ok {
			t.Errorf("%q was taken", bad)
		}
	}
}

func TestTooManyHashesAtOnceAreSentAway(t *testing.T) {
	t.Parallel()
	h := newHasher()
	for range hashesAtOnce { // as if hashes were running
		h.running <- struct{}{}
		h.queued <- struct{}{}
	}
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	errs := make(chan error, 3*hashesQueued)
	for range cap(errs) {
		wg.Go(func() {
			_, err := h.hash(ctx, password)
			errs <- err
		})
	}
	sent := 0
	for range cap(errs) - hashesQueued {
		if err := <-errs; fault.Is(err, fault.Limit) {
			sent++
		}
	}
	cancel() // those that wait give up
	wg.Wait()
	if sent != cap(errs)-hashesQueued {
		t.Errorf("%d of %d were sent away, want %d", sent, cap(errs), cap(errs)-hashesQueued)
	}
}
