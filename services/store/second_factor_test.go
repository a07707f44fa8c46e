package store

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// hashes answers n distinct ids of 64 characters.
func hashes(n int) []string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf("%064x", i+1)
	}
	return all
}

func TestSecondFactors(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		u, other := in.user("ada", "x"), in.user("bob", "x")
		here, there, others := in.session(u.ID), in.session(u.ID), in.session(other.ID)
		f := models.SecondFactor{UserID: u.ID, Secret: "first", CreatedAt: in.tick()}
		in.must(s.BeginSecondFactor(t.Context(), f))
		f.Secret = "second"
		in.must(s.BeginSecondFactor(t.Context(), f)) // begun anew
		have, err := s.SecondFactors(t.Context(), []string{u.ID, other.ID})
		if err != nil || len(have) != 0 {
			t.Errorf("one that is not confirmed counts: %v %v", have, err)
		}
		confirm := func(f models.SecondFactor) error {
			return s.ConfirmSecondFactor(t.Context(), f, 7, in.tick(), hashes(10), here.ID, in.audit("user", u.ID))
		}
		stale := f
		stale.Secret = "first"
		wantFault(t, confirm(stale), fault.Conflict)
		in.must(confirm(f))
		wantFault(t, confirm(f), fault.Conflict)
		wantFault(t, s.BeginSecondFactor(t.Context(), f), fault.Conflict)
		if have, err = s.SecondFactors(t.Context(), []string{u.ID, other.ID}); err != nil || !have[u.ID] || have[other.ID] {
			t.Errorf("%v %v", have, err)
		}
		kept, _, err := s.Session(t.Context(), here.ID)
		if err != nil || !kept.Renew {
			t.Errorf("the session that asked: %+v %v", kept, err)
		}
		_, _, err = s.Session(t.Context(), there.ID)
		wantFault(t, err, fault.NotFound)
		if _, _, err := s.Session(t.Context(), others.ID); err != nil {
			t.Error("another's session ended:", err)
		}
		in.must(s.RemoveSecondFactor(t.Context(), u.ID, here.ID, in.audit("user", u.ID)))
		wantFault(t, s.RemoveSecondFactor(t.Context(), u.ID, here.ID, in.audit("user", u.ID)), fault.NotFound)
		wantFault(t, s.RenewRecoveryCodes(t.Context(), u.ID, hashes(3), in.audit("user", u.ID)), fault.NotFound)
		if n, err := s.RecoveryCodesLeft(t.Context(), u.ID); err != nil || n != 0 {
			t.Errorf("%d recovery codes are left, %v", n, err)
		}
	})
}

// Of many who use one code, one recovery code or one ticket at once, one succeeds.
func TestCodesAreUsedOnce(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		u := in.user("ada", "x")
		f := models.SecondFactor{UserID: u.ID, Secret: "sealed", CreatedAt: in.tick()}
		in.must(s.BeginSecondFactor(t.Context(), f))
		in.must(s.ConfirmSecondFactor(t.Context(), f, 7, in.tick(), hashes(10), "", in.audit("user", u.ID)))
		at, audit := in.tick(), in.audit("user", u.ID)
		step := models.SignInStep{ID: strings.Repeat("a", 64), UserID: u.ID, Method: models.MethodPassword, CreatedAt: at, ExpiresAt: at.Add(time.Minute)}
		in.must(s.CreateSignInStep(t.Context(), step))
		for what, use := range map[string]func(i int) (bool, error){
			"booking a try": func(int) (bool, error) { return s.BookCode(t.Context(), f, at) },
			"a code":        func(int) (bool, error) { return s.UseCode(t.Context(), f, 8, "") },
			"a recovery code": func(int) (bool, error) {
				err := s.UseRecoveryCode(t.Context(), u.ID, hashes(1)[0], at, audit)
				return err == nil, lose(err, fault.NotFound)
			},
			"a ticket": func(i int) (bool, error) {
				session := models.Session{ID: fmt.Sprintf("%064x", 100+i), UserID: u.ID, CreatedAt: at, LastSeenAt: at, ExpiresAt: at.Add(time.Hour)}
				err := s.FinishSignIn(t.Context(), step.ID, session)
				return err == nil, lose(err, fault.Conflict)
			},
		} {
			var mu sync.Mutex
			var wg sync.WaitGroup
			won := 0
			for i := range 6 {
				wg.Go(func() {
					ok, err := use(i)
					mu.Lock()
					defer mu.Unlock()
					if err != nil {
						t.Errorf("%s: %v", what, err)
					}
					if ok {
						won++
					}
				})
			}
			wg.Wait()
			if won != 1 {
				t.Errorf("%s: %d of 6 succeeded", what, won)
			}
		}
	})
}

// lose is err unless it has the code that losers get.
func lose(err error, code fault.Code) error {
	if fault.Is(err, code) {
		return nil
	}
	return err
}

func TestStepsExpireAndSessionsAreRenewed(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		u := in.user("ada", "x")
		at := in.tick()
		step := models.SignInStep{ID: strings.Repeat("a", 64), UserID: u.ID, Method: models.MethodLink, CreatedAt: at, ExpiresAt: at.Add(time.Minute)}
		in.must(s.CreateSignInStep(t.Context(), step))
		got, owner, err := s.SignInStep(t.Context(), step.ID)
		if err != nil || owner.ID != u.ID || got.Method != models.MethodLink || !got.ExpiresAt.Equal(step.ExpiresAt) {
			t.Errorf("%+v %+v %v", got, owner, err)
		}
		late := models.Session{ID: strings.Repeat("b", 64), UserID: u.ID, CreatedAt: step.ExpiresAt, LastSeenAt: at, ExpiresAt: at.Add(time.Hour)}
		wantFault(t, s.FinishSignIn(t.Context(), step.ID, late), fault.Conflict)
		next := step
		next.ID, next.CreatedAt, next.ExpiresAt = strings.Repeat("c", 64), step.ExpiresAt.Add(time.Second), step.ExpiresAt.Add(time.Minute)
		in.must(s.CreateSignInStep(t.Context(), next)) // sweeps what has expired
		_, _, err = s.SignInStep(t.Context(), step.ID)
		wantFault(t, err, fault.NotFound)

		old := in.session(u.ID)
		until := old.CreatedAt.Add(30 * time.Second)
		fresh := strings.Repeat("d", 64)
		wantFault(t, s.RenewSession(t.Context(), old, fresh, until), fault.Conflict) // nothing asks for it
		role := models.RoleAdmin
		_, err = s.PermitUser(t.Context(), u.ID, Permission{Role: &role, At: in.tick()}, in.audit("user", u.ID))
		in.must(err)
		asked, _, err := s.Session(t.Context(), old.ID)
		if err != nil || !asked.Renew {
			t.Fatalf("%+v %v", asked, err)
		}
		in.must(s.RenewSession(t.Context(), asked, fresh, until))
		wantFault(t, s.RenewSession(t.Context(), asked, strings.Repeat("e", 64), until), fault.Conflict)
		was, _, err := s.Session(t.Context(), old.ID)
		if err != nil || !was.ExpiresAt.Equal(until) {
			t.Errorf("the old id: %+v %v", was, err)
		}
		is, _, err := s.Session(t.Context(), fresh)
		if err != nil || is.Renew || !is.ExpiresAt.Equal(old.ExpiresAt) || is.UserID != u.ID {
			t.Errorf("the new id: %+v %v", is, err)
		}
	})
}
