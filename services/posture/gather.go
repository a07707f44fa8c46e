package posture

import (
	"context"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/seal"
	"github.com/belfry-scheduler/belfry/services/store"
)

// Ledger is what is read of the ledger.
type Ledger interface {
	seal.Ledger
	Users(ctx context.Context, f store.UserFilter, p store.Page) ([]models.User, store.PageInfo, error)
	AppRoles(ctx context.Context, holderIDs []string) (map[string][]models.AppRole, error)
	SecondFactors(ctx context.Context, userIDs []string) (map[string]bool, error)
	Tokens(ctx context.Context, f store.TokenFilter, p store.Page) ([]models.APIToken, store.PageInfo, error)
	Apps(ctx context.Context) ([]models.App, error)
	AppKeys(ctx context.Context, appIDs []string) ([]models.AppKey, error)
	Servers(ctx context.Context, seenSince time.Time) ([]models.Server, error)
}

// seenWithin is how long ago a server was heard whose clock is looked at.
const seenWithin = time.Minute

// Config is what the service needs.
type Config struct {
	Ledger Ledger
	Box    *seal.Box
	Clock  clock.Clock
	// Here are the facts that this process knows of itself, without At.
	Here func() Facts
}

// Service says what is weak in an installation.
type Service struct{ Config }

// New makes the service.
func New(c Config) *Service { return &Service{Config: c} }

// Findings reads what is to be looked at and answers the weaknesses, worst first. It is
// some ten reads of small tables.
func (s *Service) Findings(ctx context.Context) ([]Finding, error) {
	f := s.Here()
	f.At = s.Clock.Now()
	for _, gather := range []func(context.Context, *Facts) error{s.sealed, s.people, s.tokens, s.appKeys, s.clocks} {
		if err := gather(ctx, &f); err != nil {
			return nil, err
		}
	}
	return Findings(&f), nil
}

// sealed counts stored secrets by their keys; without a key nothing can be told.
func (s *Service) sealed(ctx context.Context, f *Facts) error {
	if s.Box == nil || s.Box.Key() == "" {
		return nil
	}
	f.Keys.Old = len(s.Box.Old())
	for _, kind := range models.SealedKinds {
		count, err := s.Box.Look(ctx, s.Ledger, kind)
		if err != nil {
			return err
		}
		f.Keys.Left += count.Left
		for _, n := range count.Unknown {
			f.Keys.Unknown += n
		}
	}
	return nil
}

func (s *Service) people(ctx context.Context, f *Facts) error {
	users, err := all(func(p store.Page) ([]models.User, store.PageInfo, error) {
		return s.Ledger.Users(ctx, store.UserFilter{Disabled: new(false)}, p)
	}, func(u *models.User) string { return u.Name })
	if err != nil {
		return err
	}
	ids := make([]string, len(users))
	for i := range users {
		ids[i] = users[i].ID
	}
	roles, err := s.Ledger.AppRoles(ctx, ids)
	if err != nil {
		return err
	}
	have, err := s.Ledger.SecondFactors(ctx, ids)
	if err != nil {
		return err
	}
	f.FactorsKept = true
	for i := range users {
		u := &users[i]
		f.People = append(f.People, Person{
			Name: u.Name, Admin: atLeast(u.Role, roles[u.ID], models.RoleAdmin), AllApps: u.Role >= models.RoleAdmin, SecondFactor: have[u.ID],
		})
	}
	return nil
}

// Pages that are read of a list, and entries of each: of the first thousand people and tokens
// is told, which is more than anybody mends at once.
const (
	mostPages = 10
	pageSize  = 100
)

// all reads a list page by page.
func all[T any](read func(store.Page) ([]T, store.PageInfo, error), position func(*T) string) ([]T, error) {
	var rows []T
	p := store.Page{First: pageSize}
	for range mostPages {
		page, info, err := read(p)
		if err != nil {
			return nil, err
		}
		rows = append(rows, page...)
		if !info.HasNext || len(page) == 0 {
			break
		}
		p.After = position(&page[len(page)-1])
	}
	return rows, nil
}

// atLeast says whether a role is held in all apps or in one.
func atLeast(everywhere models.Role, apps []models.AppRole, least models.Role) bool {
	return everywhere >= least || slices.ContainsFunc(apps, func(r models.AppRole) bool { return r.Role >= least })
}

func (s *Service) tokens(ctx context.Context, f *Facts) error {
	tokens, err := all(func(p store.Page) ([]models.APIToken, store.PageInfo, error) {
		return s.Ledger.Tokens(ctx, store.TokenFilter{Active: new(true), At: f.At}, p)
	}, func(t *models.APIToken) string { return t.ID })
	if err != nil {
		return err
	}
	ids := make([]string, len(tokens))
	for i := range tokens {
		ids[i] = tokens[i].ID
	}
	roles, err := s.Ledger.AppRoles(ctx, ids)
	if err != nil {
		return err
	}
	for i := range tokens {
		t := &tokens[i]
		f.Tokens = append(f.Tokens, Token{
			Name: t.Name, Changes: atLeast(t.Role, roles[t.ID], models.RoleOperator), CreatedAt: t.CreatedAt, ExpiresAt: t.ExpiresAt, LastUsedAt: t.LastUsedAt,
		})
	}
	return nil
}

func (s *Service) appKeys(ctx context.Context, f *Facts) error {
	apps, err := s.Ledger.Apps(ctx)
	if err != nil {
		return err
	}
	names, ids := map[string]string{}, make([]string, len(apps))
	for i := range apps {
		ids[i] = apps[i].ID
		names[apps[i].ID] = apps[i].Name
	}
	keys, err := s.Ledger.AppKeys(ctx, ids)
	if err != nil {
		return err
	}
	for i := range keys {
		if k := &keys[i]; k.RevokedAt == nil {
			f.AppKeys = append(f.AppKeys, AppKey{App: names[k.AppID], Prefix: k.Prefix, CreatedAt: k.CreatedAt, LastUsedAt: k.LastUsedAt})
		}
	}
	return nil
}

func (s *Service) clocks(ctx context.Context, f *Facts) error {
	servers, err := s.Ledger.Servers(ctx, f.At.Add(-seenWithin))
	if err != nil {
		return err
	}
	for i := range servers {
		f.Clocks = append(f.Clocks, Clock{Name: servers[i].Name, Offset: time.Duration(servers[i].ClockOffsetMS) * time.Millisecond})
	}
	return nil
}
