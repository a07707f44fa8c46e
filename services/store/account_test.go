package store

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

func (s *seed) user(name, hash string) models.User {
	s.Helper()
	now := s.tick()
	u := models.User{ID: models.NewID(now), Name: name, PasswordHash: hash, Role: models.RoleAdmin, CreatedAt: now, UpdatedAt: now}
	s.must(s.store.CreateUser(s.Context(), u, s.audit("user", u.ID)))
	return u
}

func (s *seed) session(userID string) models.Session {
	s.Helper()
	now := s.tick()
	session := models.Session{
		ID: models.NewID(now) + models.NewID(now), UserID: userID, CreatedAt: now, LastSeenAt: now, ExpiresAt: now.Add(time.Hour),
	}
	s.must(s.store.CreateSession(s.Context(), session))
	return session
}

func (s *seed) link(userID string) models.SignInLink {
	s.Helper()
	now := s.tick()
	l := models.SignInLink{ID: models.NewID(now) + models.NewID(now), UserID: userID, CreatedAt: now, ExpiresAt: now.Add(time.Hour)}
	s.must(s.store.CreateLink(s.Context(), l))
	return l
}

func TestUsers(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		has, err := s.HasUsers(t.Context())
		in.must(err)
		if has {
			t.Error("a new ledger has users")
		}
		u := in.user("ada", "")
		got, err := s.UserByName(t.Context(), "ada")
		in.must(err)
		if diff := cmp.Diff(u, got); diff != "" {
			t.Errorf("(-stored +read):\n%s", diff)
		}
		if has, err = s.HasUsers(t.Context()); err != nil || !has {
			t.Errorf("HasUsers = %t, %v", has, err)
		}
		again := u
		again.ID = models.NewID(in.tick())
		wantFault(t, s.CreateUser(t.Context(), again, in.audit("user", u.ID)), fault.Taken)
		_, err = s.UserByName(t.Context(), "Ada")
		wantFault(t, err, fault.NotFound)
	})
}

func TestNewPasswordEndsSessionsAndLinks(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		u, other := in.user("ada", "old"), in.user("bob", "x")
		session, kept := in.session(u.ID), in.session(other.ID)
		link := in.link(u.ID)
		zone, locale := "Europe/Berlin", "zh-CN"
		_, err := s.UpdateUser(t.Context(), u.ID, UserChange{Locale: &locale, TimeZone: &zone}, in.tick(), in.audit("user", u.ID))
		in.must(err)
		if _, _, err := s.Session(t.Context(), session.ID); err != nil {
			t.Errorf("another setting ended the session: %v", err)
		}
		_, err = s.UpdateUser(t.Context(), u.ID, UserChange{OldHash: "wrong", NewHash: "new"}, in.tick(), in.audit("user", u.ID))
		wantFault(t, err, fault.Conflict)
		got, err := s.UpdateUser(t.Context(), u.ID, UserChange{OldHash: "old", NewHash: "new"}, in.tick(), in.audit("user", u.ID))
		in.must(err)
		read, err := s.User(t.Context(), u.ID)
		in.must(err)
		if diff := cmp.Diff(got, read); diff != "" || read.PasswordHash != "new" || read.Locale != locale || read.TimeZone != zone {
			t.Errorf("(-answered +read):\n%s", diff)
		}
		_, _, err = s.Session(t.Context(), session.ID)
		wantFault(t, err, fault.NotFound)
		_, _, err = s.Link(t.Context(), link.ID)
		wantFault(t, err, fault.NotFound)
		_, owner, err := s.Session(t.Context(), kept.ID)
		in.must(err)
		if owner.ID != other.ID {
			t.Errorf("the other account's session belongs to %s", owner.Name)
		}
	})
}

func TestSessions(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		u := in.user("ada", "x")
		old := in.session(u.ID)
		later := old.LastSeenAt.Add(time.Minute)
		in.must(s.TouchSession(t.Context(), old.ID, later))
		in.must(s.TouchSession(t.Context(), old.ID, later.Add(-time.Second))) // never backwards
		got, _, err := s.Session(t.Context(), old.ID)
		in.must(err)
		if !got.LastSeenAt.Equal(later) {
			t.Errorf("last seen at %v, want %v", got.LastSeenAt, later)
		}
		in.now = old.ExpiresAt.Add(time.Second)
		fresh := in.session(u.ID) // sweeps what has expired
		_, _, err = s.Session(t.Context(), old.ID)
		wantFault(t, err, fault.NotFound)
		in.must(s.DeleteSession(t.Context(), fresh.ID))
		in.must(s.DeleteSession(t.Context(), fresh.ID))
		_, _, err = s.Session(t.Context(), fresh.ID)
		wantFault(t, err, fault.NotFound)
	})
}

func TestLinkIsRedeemedOnce(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		u := in.user("ada", "")
		link := in.link(u.ID)
		at := in.tick()
		var wg sync.WaitGroup
		errs := make([]error, 6)
		for i := range errs {
			session := models.Session{ID: models.NewID(at) + models.NewID(at), UserID: u.ID, CreatedAt: at, LastSeenAt: at, ExpiresAt: at.Add(time.Hour)}
			audit := in.audit("user", u.ID)
			wg.Go(func() {
				errs[i] = s.RedeemLink(t.Context(), Redemption{ID: link.ID, UserID: session.UserID, Hash: "hash", Session: session, At: at}, audit)
			})
		}
		wg.Wait()
		won := 0
		for _, err := range errs {
			if err == nil {
				won++
			} else {
				wantFault(t, err, fault.Conflict)
			}
		}
		if won != 1 {
			t.Errorf("%d of 6 redeemed the link", won)
		}
		used, _, err := s.Link(t.Context(), link.ID)
		in.must(err)
		if used.UsedAt == nil || !used.UsedAt.Equal(at) {
			t.Errorf("used at %v, want %v", used.UsedAt, at)
		}
	})
}

func TestLinksThatCannotBeRedeemed(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		u := in.user("ada", "has one")
		link := in.link(u.ID)
		redeem := func(hash string, at time.Time) error {
			session := models.Session{ID: models.NewID(at) + models.NewID(in.tick()), UserID: u.ID, CreatedAt: at, LastSeenAt: at, ExpiresAt: at.Add(time.Hour)}
			return s.RedeemLink(t.Context(), Redemption{ID: link.ID, UserID: session.UserID, Hash: hash, Session: session, At: at}, in.audit("user", u.ID))
		}
		wantFault(t, redeem("", link.ExpiresAt), fault.Conflict)      // expired
		wantFault(t, redeem("other", link.CreatedAt), fault.Conflict) // would replace a password
		in.must(redeem("", link.CreatedAt))                           // neither of them used it up
		got, err := s.User(t.Context(), u.ID)
		in.must(err)
		if got.PasswordHash != "has one" {
			t.Errorf("the password became %q", got.PasswordHash)
		}
	})
}

func TestResetPassword(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		u := in.user("ada", "x")
		session := in.session(u.ID)
		at := in.tick()
		link := models.SignInLink{ID: "fresh", CreatedAt: at, ExpiresAt: at.Add(time.Hour)}
		wantFault(t, s.ResetPassword(t.Context(), "bob", link, in.audit("user", "")), fault.NotFound)
		in.must(s.ResetPassword(t.Context(), "ada", link, in.audit("user", "")))
		_, owner, err := s.Link(t.Context(), "fresh")
		in.must(err)
		if owner.ID != u.ID || owner.PasswordHash != "" {
			t.Errorf("the link is for %+v", owner)
		}
		_, _, err = s.Session(t.Context(), session.ID)
		wantFault(t, err, fault.NotFound)
		rows, err := s.audits(t.Context(), "user", []string{u.ID})
		in.must(err)
		if len(rows) != 2 {
			t.Errorf("%d audit rows, want 2", len(rows))
		}
	})
}

func TestRolesInApps(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		shop, _, _ := in.app("shop")
		bank, _, _ := in.app("bank")
		at := in.tick()
		u := models.User{ID: models.NewID(at), Name: "ada", CreatedAt: at, UpdatedAt: at}
		link := models.SignInLink{ID: "fresh", UserID: u.ID, CreatedAt: at, ExpiresAt: at.Add(time.Hour)}
		both := []models.AppRole{{HolderID: u.ID, AppID: shop.ID, Role: models.RoleViewer}, {HolderID: u.ID, AppID: bank.ID, Role: models.RoleAdmin}}
		in.must(s.InviteUser(t.Context(), u, both, link, in.audit("user", u.ID)))
		taken := models.User{ID: models.NewID(in.tick()), Name: "ada", CreatedAt: at, UpdatedAt: at}
		wantFault(t, s.InviteUser(t.Context(), taken, nil, models.SignInLink{ID: "other", UserID: taken.ID, CreatedAt: at, ExpiresAt: at}, in.audit("user", taken.ID)), fault.Taken)
		got, err := s.AppRoles(t.Context(), []string{u.ID, taken.ID})
		in.must(err)
		if diff := cmp.Diff(map[string][]models.AppRole{u.ID: both}, got); diff != "" {
			t.Errorf("(-want +read):\n%s", diff)
		}
		one := both[1:]
		changed, err := s.PermitUser(t.Context(), u.ID, Permission{Role: new(models.RoleViewer), Apps: &one, Disabled: new(true), At: in.tick()}, in.audit("user", u.ID))
		in.must(err)
		if changed.Role != models.RoleViewer || changed.DisabledAt == nil {
			t.Errorf("changed to %+v", changed)
		}
		_, err = s.PermitUser(t.Context(), "nobody", Permission{At: in.tick()}, in.audit("user", ""))
		wantFault(t, err, fault.NotFound)
		_, _, err = s.Link(t.Context(), "fresh")
		wantFault(t, err, fault.NotFound) // a disabled account's link is void
		_, err = s.DeleteApp(t.Context(), bank.ID, in.audit("app", bank.ID))
		in.must(err)
		if got, err = s.AppRoles(t.Context(), []string{u.ID}); err != nil || len(got[u.ID]) != 0 {
			t.Errorf("roles in an app that was deleted: %+v, %v", got, err)
		}
	})
}

// Two administrators who take each other's role away at once do not both succeed.
func TestAdministratorsCannotDeposeOneAnother(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		for round := range 5 {
			var ids []string
			for _, name := range []string{"a", "b"} {
				at := in.tick()
				u := models.User{ID: models.NewID(at), Name: fmt.Sprint(name, round), PasswordHash: "x", Role: models.RoleAdmin, CreatedAt: at, UpdatedAt: at}
				in.must(s.CreateUser(t.Context(), u, in.audit("user", u.ID)))
				ids = append(ids, u.ID)
			}
			errs := make(chan error, len(ids))
			audits := []models.Audit{in.audit("user", ids[0]), in.audit("user", ids[1])}
			for i, id := range ids {
				go func() {
					_, err := s.PermitUser(t.Context(), id, Permission{Role: new(models.RoleViewer), At: audits[i].At}, audits[i])
					errs <- err
				}()
			}
			one, two := <-errs, <-errs
			if (one == nil) == (two == nil) {
				t.Fatalf("round %d: %v and %v", round, one, two)
			}
			_, err := s.PermitUser(t.Context(), ids[0], Permission{Role: new(models.RoleViewer), At: in.tick()}, in.audit("user", ids[0]))
			_, err2 := s.PermitUser(t.Context(), ids[1], Permission{Role: new(models.RoleViewer), At: in.tick()}, in.audit("user", ids[1]))
			if fault.CodeOf(err) != fault.Conflict && fault.CodeOf(err2) != fault.Conflict {
				t.Errorf("nobody is left: %v, %v", err, err2)
			}
			in.must(s.write(t.Context(), "making room", func(tx *gorm.DB) error {
				_, err := exec(tx, "DELETE FROM users")
				return err
			}))
		}
	})
}

func TestTokens(t *testing.T) {
	forEachDialect(t, func(t *testing.T, s *Store) {
		in := newSeed(t, s)
		at := in.tick()
		token := models.APIToken{ID: models.NewID(at), Name: "report", Hash: "h1", Prefix: "bfy_abc", Role: models.RoleViewer, CreatedAt: at, ExpiresAt: new(at.Add(time.Hour))}
		in.must(s.CreateToken(t.Context(), token, nil, in.audit("token", token.ID)))
		in.must(s.TouchToken(t.Context(), token.ID, at))
		want := token
		want.LastUsedAt = &at
		got, err := s.TokenByHash(t.Context(), "h1")
		in.must(err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +read):\n%s", diff)
		}
		end := in.tick()
		for range 2 {
			got, err = s.RevokeToken(t.Context(), token.ID, end, in.audit("token", token.ID))
			in.must(err)
			if got.RevokedAt == nil || !got.RevokedAt.Equal(end) {
				t.Errorf("revoked at %v, want %v", got.RevokedAt, end)
			}
		}
		_, err = s.RevokeToken(t.Context(), "none", end, in.audit("token", ""))
		wantFault(t, err, fault.NotFound)
		all, _, err := s.Tokens(t.Context(), TokenFilter{}, Page{})
		in.must(err)
		if len(all) != 1 || all[0].RevokedAt == nil {
			t.Errorf("tokens: %+v", all)
		}
	})
}
