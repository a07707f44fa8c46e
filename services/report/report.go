// Package report makes morning reports: what ran, failed, recovered, was taken over, was
// late or missed, runs still or is slower than usual, compared with the week before. It
// reads the ledger's sums and writes notifications; sending those is services/alert's.
package report

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/clock"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/lifecycle"
	"github.com/belfry-scheduler/belfry/services/schedule"
	"github.com/belfry-scheduler/belfry/services/store"
)

// partition is the one whose owner sends reports, as it does all alert work.
const partition = 0

// Owner says which partitions this server may act for.
type Owner interface {
	Partitions() map[int]int64 // partition → epoch
	Lost(partitions ...int)
}

// Notifier tells, after the commit, that something waits to be sent. It is a hint and may
// be lost; it must return quickly.
type Notifier interface {
	NotificationsQueued(ctx context.Context)
	NotificationsChanged(ctx context.Context, ids []string)
}

// Config is what the service needs.
type Config struct {
	Store    *store.Store
	Owner    Owner
	Clock    clock.Clock
	Logger   *slog.Logger
	Notifier Notifier
}

// Service keeps the schedules of reports and sends what is due.
type Service struct {
	Config
	loop *lifecycle.Loop
}

const (
	every   = 10 * time.Second // between two looks at the schedules, some dozens of rows
	timeout = 2 * time.Minute  // for putting one report together
)

// New makes the service.
func New(c Config) (*Service, error) {
	s := &Service{Config: c}
	var err error
	s.loop, err = lifecycle.NewLoop(lifecycle.LoopConfig{Name: "reports", Run: s.Pass, Every: every, Logger: c.Logger})
	if err != nil {
		return nil, fmt.Errorf("making the loop of reports: %w", err)
	}
	return s, nil
}

// Start begins to send reports.
func (s *Service) Start(ctx context.Context) error { return s.loop.Start(ctx) }

// Stop ends that.
func (s *Service) Stop(ctx context.Context) error { return s.loop.Stop(ctx) }

// Health tells how the loop fares.
func (s *Service) Health() []lifecycle.LoopHealth { return s.loop.Health() }

// Wake makes the owner look at once.
func (s *Service) Wake() { s.loop.Wake() }

// Pass sends every report that is due, and answers how long it may rest.
func (s *Service) Pass(ctx context.Context) (time.Duration, error) {
	epoch, ours := s.Owner.Partitions()[partition]
	if !ours {
		return every, nil
	}
	all, err := s.Store.Reports(ctx)
	if err != nil {
		return 0, err
	}
	rest := every
	for i := range all {
		r := &all[i]
		if r.NextAt == nil {
			continue
		}
		if wait := r.NextAt.Sub(s.Clock.Now()); wait > 0 {
			rest = min(rest, wait)
			continue
		}
		if err := s.send(ctx, store.Fence{partition: epoch}, r); err != nil {
			return 0, s.failed(err)
		}
	}
	return rest, nil
}

func (s *Service) failed(err error) error {
	err = store.GiveWay(err, s.Owner.Lost)
	if errors.Is(err, store.ErrReportMoved) {
		return nil
	}
	return err
}

// send writes the report that is due and moves its schedule on. After an outage only the
// latest that was missed is sent.
func (s *Service) send(ctx context.Context, fence store.Fence, r *models.ReportSchedule) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	now := s.Clock.Now()
	at := latest(r, *r.NextAt, now)
	rows, err := s.notifications(ctx, r, at, r.AtTime, now)
	if err != nil {
		return err
	}
	if err := s.Store.SendReport(ctx, fence, *r, next(r, at), now, rows); err != nil {
		return err
	}
	s.tell(ctx, rows)
	return nil
}

func (s *Service) tell(ctx context.Context, rows []models.Notification) {
	ids := make([]string, len(rows))
	for i := range rows {
		ids[i] = rows[i].ID
	}
	s.Notifier.NotificationsChanged(ctx, ids)
	s.Notifier.NotificationsQueued(ctx)
}

// notifications are the report's messages, one a channel, about the day up to an instant;
// it began at a local time of the day before, or at that of the instant when that is empty.
func (s *Service) notifications(ctx context.Context, r *models.ReportSchedule, at time.Time, begin string, now time.Time) ([]models.Notification, error) {
	zone, err := schedule.LoadZone(r.Zone)
	if err != nil {
		return nil, fmt.Errorf("reading the zone of report %s: %w", r.ID, err)
	}
	local := at.In(zone)
	if planned, err := time.Parse("15:04", begin); err == nil {
		local = planned
	}
	from, to := span(at, local.Hour(), local.Minute(), zone)
	data, err := s.read(ctx, orEmpty(r.AppID), from, to)
	if err != nil {
		return nil, err
	}
	data.Name = r.Name
	people, err := s.Store.Contacts(ctx, append([]string{}, listOf(r.People)...))
	if err != nil {
		return nil, err
	}
	var rows []models.Notification
	for _, channel := range listOf(r.Channels) {
		m := models.Message{
			ID: models.NewID(now), Kind: models.MessageReport, Severity: models.SeverityInfo, At: now, Zone: r.Zone, Mentions: people, Report: data,
		}
		raw, err := json.Marshal(m)
		if err != nil {
			return nil, fmt.Errorf("writing a report: %w", err)
		}
		rows = append(rows, models.Notification{
			ID: m.ID, ChannelID: channel, Kind: m.Kind, Severity: m.Severity, GroupKey: "report:" + r.ID, Message: raw, CreatedAt: now,
		})
	}
	return rows, nil
}

// Look puts a report together for a day (2026-03-08; empty: today), as it would be sent at a local time of it (08:30;
// empty: 08:00) in a zone. Faults: NOT_FOUND (app), INVALID (zone, day, at).
func (s *Service) Look(ctx context.Context, appID, day, at, zoneName string) (*models.ReportData, error) {
	zone, err := schedule.LoadZone(zoneName)
	if err != nil {
		return nil, fault.At("zone", fault.Invalid, "zone is %q; it must be an IANA name such as Europe/Berlin.", zoneName)
	}
	if appID != "" {
		if _, err := s.Store.App(ctx, appID); err != nil {
			return nil, fault.Prefix("app", err)
		}
	}
	date := s.Clock.Now().In(zone)
	if day != "" {
		if date, err = time.Parse(time.DateOnly, day); err != nil {
			return nil, fault.At("day", fault.Invalid, "day is %q; write a date such as 2026-03-08.", day)
		}
	}
	if at == "" {
		at = lookAt
	}
	local, err := time.Parse("15:04", at)
	if err != nil || !timeOfDay.MatchString(at) {
		return nil, fault.At("at", fault.Invalid, "at is %s; write a time of day such as 08:30.", check.Quote(at))
	}
	from, to := span(instantOn(date, local.Hour(), local.Minute(), zone), local.Hour(), local.Minute(), zone)
	return s.read(ctx, appID, from, to)
}

// lookAt is the local time until which a report goes that is only looked at.
const lookAt = "08:00"

// SendNow sends a schedule's report of the 24 hours until now. Fault: NOT_FOUND.
func (s *Service) SendNow(ctx context.Context, actor, id string) (models.ReportSchedule, error) {
	r, err := s.Store.Report(ctx, id)
	if err != nil {
		return r, err
	}
	now := s.Clock.Now()
	rows, err := s.notifications(ctx, &r, now, "", now)
	if err != nil {
		return r, err
	}
	if err := s.Store.QueueNotifications(ctx, nil, rows); err != nil {
		return r, err
	}
	if err := s.Store.InsertAudit(ctx, record(now, actor, "report.send", id)); err != nil {
		return r, err
	}
	s.tell(ctx, rows)
	return r, nil
}

func orEmpty(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// listOf reads a list of ids; what is none is empty.
func listOf(raw json.RawMessage) []string {
	var list []string
	if len(raw) == 0 || json.Unmarshal(raw, &list) != nil {
		return nil
	}
	return list
}
