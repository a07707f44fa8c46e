package account

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// app makes an app in the ledger and answers its id.
func (h *house) app(name string) string {
	h.Helper()
	now := h.clock.Now()
	id := models.NewID(now)
	app := models.App{ID: id, Name: name, CreatedAt: now, UpdatedAt: now}
	key := models.AppKey{ID: models.NewID(now), AppID: id, Hash: name, CreatedAt: now}
	group := models.NodeGroup{ID: models.NewID(now), AppID: id, Name: "default", CreatedAt: now, UpdatedAt: now}
	if err := h.store.CreateApp(h.Context(), app, key, group, models.Audit{ID: models.NewID(now), At: now}); err != nil {
		h.Fatal(err)
	}
	return id
}

// all are the accounts by name.
func (h *house) all() ([]User, error) {
	h.Helper()
	rows, _, err := h.Users(h.Context(), UserFilter{}, Page{First: 100})
	return rows, err
}

// An account is made with a link, its owner chooses a password, its roles change at once
// and on another server within a second, and a disabled account is out.
func TestAccountsOfPeople(t *testing.T) {
	t.Parallel()
	h := furnished(t)
	shop, bank := h.app("shop"), h.app("bank")
	u, link, err := h.CreateUser(t.Context(), FirstAdmin, NewUser{Name: "ada", Apps: []models.AppRole{{AppID: shop, Role: models.RoleOperator}}})
	if err != nil || u.Role != 0 || len(u.Apps) != 1 {
		t.Fatalf("%+v, %v", u, err)
	}
	in, err := h.RedeemLink(t.Context(), link, "correct horse battery", "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	c := Credentials{Cookie: in.SignedIn.Secret}
	other := h.another()
	for _, s := range []*Service{h.Service, other} {
		p, err := s.Authenticate(t.Context(), c)
		if err != nil || p.In(shop) != models.RoleOperator || p.In(bank) != 0 || AllowAny(p, models.RoleOperator) != nil {
			t.Fatalf("%+v, %v", p, err)
		}
	}
	changed, err := h.UpdateUser(t.Context(), FirstAdmin, u.ID, UserUpdate{Role: new(models.RoleViewer), Apps: new([]models.AppRole{{AppID: bank, Role: models.RoleAdmin}})})
	if err != nil || changed.Role != models.RoleViewer || changed.Apps[0].AppID != bank || !changed.HasPassword {
		t.Fatalf("%+v, %v", changed, err)
	}
	if p, err := h.Authenticate(t.Context(), c); err != nil || p.In(shop) != models.RoleViewer || p.In(bank) != models.RoleAdmin {
		t.Errorf("at once: %+v, %v", p, err)
	}
	h.clock.Advance(cacheFor + time.Millisecond)
	if p, err := other.Authenticate(t.Context(), c); err != nil || p.In(bank) != models.RoleAdmin {
		t.Errorf("on another server after a second: %+v, %v", p, err)
	}
	if _, err := h.UpdateUser(t.Context(), FirstAdmin, u.ID, UserUpdate{Disabled: new(true)}); err != nil {
		t.Fatal(err)
	}
	if h.knows(h.Service, in.SignedIn.Secret) {
		t.Error("a disabled account is let in")
	}
	_, err = h.SignIn(t.Context(), "ada", "correct horse battery", "192.0.2.1")
	h.want(err, fault.Unauthenticated)
	all, err := h.all()
	if err != nil || len(all) != 2 || all[0].Name != "ada" || all[1].Name != FirstAdmin || all[0].PasswordHash != "" {
		t.Errorf("users %+v, %v", all, err)
	}
}

func TestBadAccountsAreRefusedWhole(t *testing.T) {
	t.Parallel()
	h := furnished(t)
	shop := h.app("shop")
	twice := []models.AppRole{{AppID: shop, Role: models.RoleViewer}, {AppID: shop, Role: models.RoleAdmin}}
	for name, tt := range map[string]struct {
		in    NewUser
		codes []fault.Code
	}{
		"nothing":             {NewUser{}, []fault.Code{fault.Required, fault.Required}},
		"no role":             {NewUser{Name: "ada"}, []fault.Code{fault.Required}},
		"an app twice":        {NewUser{Name: "ada", Apps: twice}, []fault.Code{fault.NotFound}},
		"no such app or role": {NewUser{Name: "ada", Apps: []models.AppRole{{AppID: "x", Role: 9}}}, []fault.Code{fault.Invalid, fault.NotFound}},
		"a name that is had":  {NewUser{Name: FirstAdmin, Role: models.RoleViewer}, []fault.Code{fault.Taken}},
		"too many apps":       {NewUser{Name: "ada", Apps: make([]models.AppRole, MaxAppRoles+1)}, []fault.Code{fault.Limit}},
	} {
		_, _, err := h.CreateUser(t.Context(), FirstAdmin, tt.in)
		var got []fault.Code
		for _, e := range fault.All(err) {
			got = append(got, e.Code)
		}
		if diff := cmp.Diff(tt.codes, got); diff != "" {
			t.Errorf("%s: %v\n%s", name, err, diff)
		}
	}
	if all, err := h.all(); err != nil || len(all) != 1 {
		t.Errorf("%d accounts, %v", len(all), err)
	}
	_, err := h.UpdateUser(t.Context(), FirstAdmin, "nobody", UserUpdate{Role: new(models.RoleViewer)})
	h.want(err, fault.NotFound)
	_, _, err = h.ResetUser(t.Context(), FirstAdmin, "nobody")
	h.want(err, fault.NotFound)
}

// Somebody who can sign in always administers: neither a lower role nor disabling takes
// the last one away, and an administrator who never chose a password does not count.
func TestTheLastAdministratorStays(t *testing.T) {
	t.Parallel()
	h := furnished(t)
	all, err := h.all()
	if err != nil {
		t.Fatal(err)
	}
	admin := all[0].ID
	eve, link, err := h.CreateUser(t.Context(), FirstAdmin, NewUser{Name: "eve", Role: models.RoleAdmin})
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []UserUpdate{{Role: new(models.RoleDeveloper)}, {Role: new(models.Role(0))}, {Disabled: new(true)}} {
		_, err := h.UpdateUser(t.Context(), FirstAdmin, admin, in)
		h.want(err, fault.Conflict)
	}
	if _, err := h.RedeemLink(t.Context(), link, "correct horse battery", "192.0.2.1"); err != nil {
		t.Fatal(err)
	}
	if _, err := h.UpdateUser(t.Context(), "eve", admin, UserUpdate{Disabled: new(true)}); err != nil {
		t.Fatal(err)
	}
	_, err = h.UpdateUser(t.Context(), "eve", eve.ID, UserUpdate{Disabled: new(true)})
	h.want(err, fault.Conflict)
	if u, err := h.UpdateUser(t.Context(), "eve", admin, UserUpdate{Disabled: new(false)}); err != nil || u.DisabledAt != nil {
		t.Errorf("%+v, %v", u, err)
	}
}

func TestPasswordsAreReset(t *testing.T) {
	t.Parallel()
	h := furnished(t)
	in := h.signIn("192.0.2.1")
	all, err := h.all()
	if err != nil {
		t.Fatal(err)
	}
	u, link, err := h.ResetUser(t.Context(), FirstAdmin, all[0].ID)
	if err != nil || u.HasPassword || h.knows(h.Service, in.Secret) {
		t.Fatalf("%+v, %v", u, err)
	}
	if _, err := h.RedeemLink(t.Context(), link, "another good password", "192.0.2.1"); err != nil {
		t.Fatal(err)
	}
	if _, err := h.SignIn(t.Context(), FirstAdmin, "another good password", "192.0.2.1"); err != nil {
		t.Fatal(err)
	}
}

// People see and end their own sessions, nobody's else; an administrator ends any.
func TestSessionsOfPeople(t *testing.T) {
	t.Parallel()
	h := furnished(t)
	_, link, err := h.CreateUser(t.Context(), FirstAdmin, NewUser{Name: "ada", Role: models.RoleViewer})
	if err != nil {
		t.Fatal(err)
	}
	redeemed, err := h.RedeemLink(t.Context(), link, "correct horse battery", "192.0.2.1")
	if err != nil {
		t.Fatal(err)
	}
	ada, err := h.Authenticate(t.Context(), Credentials{Cookie: redeemed.SignedIn.Secret})
	if err != nil {
		t.Fatal(err)
	}
	mine := h.signIn("192.0.2.2")
	admin, err := h.Authenticate(t.Context(), Credentials{Cookie: mine.Secret})
	if err != nil {
		t.Fatal(err)
	}
	_, err = h.EndSession(t.Context(), ada, admin.SessionID)
	h.want(err, fault.NotFound)
	_, none := h.EndSession(t.Context(), ada, "nowhere")
	h.want(none, fault.NotFound)
	if rows, err := h.Sessions(t.Context(), ada.UserID); err != nil || len(rows) != 1 || rows[0].ID != ada.SessionID {
		t.Errorf("%+v, %v", rows, err)
	}
	if _, err := h.EndSession(t.Context(), admin, ada.SessionID); err != nil || h.knows(h.Service, redeemed.SignedIn.Secret) {
		t.Errorf("ended by an administrator: %v", err)
	}
	h.clock.Advance(SessionIdle)
	if rows, err := h.Sessions(t.Context(), admin.UserID); err != nil || len(rows) != 0 {
		t.Errorf("sessions that have ended: %+v, %v", rows, err)
	}
}
