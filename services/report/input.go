package report

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

// Bounds of a report schedule.
const (
	maxName     = 100
	maxChannels = 20
	maxPeople   = 50
	everyDay    = 0b1111111
)

// Input is what people enter of a report schedule.
type Input struct {
	Name     string
	AppID    *string // nil: all apps
	Zone     string
	At       string // 08:30
	Days     []time.Weekday
	Channels []string
	People   []string
	Enabled  bool
	Version  *int // of the row that was edited; nil: not checked
}

var timeOfDay = regexp.MustCompile(`^([01][0-9]|2[0-3]):[0-5][0-9]$`)

// Schedules answers all schedules by name.
func (s *Service) Schedules(ctx context.Context) ([]models.ReportSchedule, error) {
	return s.Store.Reports(ctx)
}

// Channels and People of a schedule are ids.
func Channels(r *models.ReportSchedule) []string { return listOf(r.Channels) }

// People answers the ids of who is mentioned.
func People(r *models.ReportSchedule) []string { return listOf(r.People) }

// Create makes a schedule. Faults, all those of the input at once: INVALID, REQUIRED,
// NOT_FOUND (app, channels, people), TAKEN (name), LIMIT.
func (s *Service) Create(ctx context.Context, actor string, in Input) (models.ReportSchedule, error) {
	now := s.Clock.Now()
	r := models.ReportSchedule{ID: models.NewID(now), Version: 1, CreatedBy: actor, CreatedAt: now}
	if err := s.apply(ctx, &r, in, now); err != nil {
		return r, err
	}
	if err := s.Store.CreateReport(ctx, r, record(now, actor, "report.create", r.ID)); err != nil {
		return r, err
	}
	s.Wake()
	return r, nil
}

// Update changes a schedule. Faults as of Create, and NOT_FOUND, CONFLICT.
func (s *Service) Update(ctx context.Context, actor, id string, in Input) (models.ReportSchedule, error) {
	r, err := s.Store.UpdateReport(ctx, id, func(r *models.ReportSchedule) (models.Audit, error) {
		if in.Version != nil && *in.Version != r.Version {
			return models.Audit{}, fault.At("version", fault.Conflict, "The report has been changed meanwhile, it is at version %d now; read it again.", r.Version)
		}
		now := s.Clock.Now()
		return record(now, actor, "report.update", id), s.apply(ctx, r, in, now)
	})
	if err == nil {
		s.Wake()
	}
	return r, err
}

// Delete takes a schedule away. Fault: NOT_FOUND.
func (s *Service) Delete(ctx context.Context, actor, id string) (models.ReportSchedule, error) {
	return s.Store.DeleteReport(ctx, id, record(s.Clock.Now(), actor, "report.delete", id))
}

func (s *Service) apply(ctx context.Context, r *models.ReportSchedule, in Input, now time.Time) error {
	var wrong fault.List
	wrong.Add(check.Line("name", in.Name, maxName))
	if _, err := schedule.LoadZone(in.Zone); err != nil || in.Zone == "" {
		wrong.Add(fault.At("zone", fault.Invalid, "zone is %s; it must be UTC or an IANA name such as Europe/Berlin.", check.Quote(in.Zone)))
	}
	if !timeOfDay.MatchString(in.At) {
		wrong.Add(fault.At("at", fault.Invalid, "at is %s; write a time of day such as 08:30.", check.Quote(in.At)))
	}
	if err := s.known(ctx, &wrong, in); err != nil {
		return err
	}
	if err := wrong.Err(); err != nil {
		return err
	}
	r.Name, r.AppID, r.Zone, r.AtTime, r.Enabled, r.UpdatedAt = in.Name, in.AppID, in.Zone, in.At, in.Enabled, now
	r.Days = 0
	for _, d := range in.Days {
		r.Days |= 1 << d
	}
	if r.Days == 0 {
		r.Days = everyDay
	}
	r.Channels, r.People = rawList(in.Channels), rawList(in.People)
	r.NextAt = next(r, now)
	return nil
}

// known checks that channels and people exist.
func (s *Service) known(ctx context.Context, wrong *fault.List, in Input) error {
	if len(in.Channels) == 0 || len(in.Channels) > maxChannels {
		wrong.Add(fault.At("channels", fault.Required, "There are %d channels; there must be 1 to %d.", len(in.Channels), maxChannels))
		return nil
	}
	if len(in.People) > maxPeople {
		wrong.Add(fault.At("people", fault.Limit, "There are %d people; there may be %d.", len(in.People), maxPeople))
		return nil
	}
	channels, err := s.Store.ChannelsByIDs(ctx, in.Channels)
	if err != nil {
		return err
	}
	for _, id := range in.Channels {
		if !slices.ContainsFunc(channels, func(c models.AlertChannel) bool { return c.ID == id }) {
			wrong.Add(fault.At("channels", fault.NotFound, "There is no channel %q; choose one of the list.", id))
		}
	}
	people, err := s.Store.Contacts(ctx, append([]string{}, in.People...))
	if err != nil {
		return err
	}
	for _, id := range in.People {
		if !slices.ContainsFunc(people, func(c models.Contact) bool { return c.UserID == id }) {
			wrong.Add(fault.At("people", fault.NotFound, "There is no account %q; choose one of the list.", id))
		}
	}
	return nil
}

func rawList(list []string) json.RawMessage {
	if len(list) == 0 {
		return nil
	}
	raw, err := json.Marshal(list)
	if err != nil {
		return nil // plain texts always marshal
	}
	return raw
}

func record(now time.Time, actor, action, id string) models.Audit {
	return models.Audit{ID: models.NewID(now), At: now, Actor: actor, Action: action, Kind: "report", Object: id}
}
