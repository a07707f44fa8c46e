package alert

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/desk"
	"github.com/belfry-scheduler/belfry/services/check"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/timetable"
)

// RuleInput is a whole rule as people enter it.
type RuleInput struct {
	Version     *int // of the row edited; nil: not checked
	Name        string
	Description string
	Enabled     bool
	Spec        models.AlertSpec
}

const (
	maxRuleName    = 64   // characters
	maxDescription = 2000 // characters
)

// apply checks a rule and puts it in; it says everything that is wrong.
func (s *Service) apply(ctx context.Context, in *RuleInput, r *models.AlertRule) error {
	var wrong fault.List
	wrong.Add(check.Line("name", in.Name, maxRuleName))
	wrong.Add(check.Text("description", in.Description, maxDescription))
	spec := in.Spec
	wrong = append(wrong, checkSpec(&spec)...)
	more, err := s.checkTargets(ctx, &spec)
	if err != nil {
		return err
	}
	wrong = append(wrong, more...)
	more, err = s.resolveScope(ctx, "scope", &spec.Scope)
	if err != nil {
		return err
	}
	wrong = append(wrong, more...)
	r.Name, r.Description, r.Enabled, r.Spec = in.Name, in.Description, in.Enabled, spec
	if len(wrong) == 0 {
		_, err = desk.Compile(*r) // what is checked always compiles
	}
	return errors.Join(wrong.Err(), err)
}

// checkSpec checks what needs no look at the ledger.
func checkSpec(spec *models.AlertSpec) (wrong fault.List) {
	if _, err := time.LoadLocation(spec.Zone); err != nil || spec.Zone == "" || spec.Zone == "Local" {
		wrong.Add(fault.At("zone", fault.Invalid, "zone is %s; it must be UTC or an IANA name such as Europe/Berlin.", check.Quote(spec.Zone)))
	}
	wrong.Add(amount("conditions", len(spec.Conditions), 1, models.MaxConditions))
	for i := range spec.Conditions {
		wrong = append(wrong, checkCondition(fmt.Sprintf("conditions.%d.", i), &spec.Conditions[i], spec.Scope.Kind)...)
	}
	wrong.Add(amount("windows", len(spec.Windows), 0, models.MaxSeverityWindows))
	for i, w := range spec.Windows {
		wrong = append(wrong, checkTimes(fmt.Sprintf("windows.%d.", i), map[string]string{"from": w.From, "to": w.To})...)
	}
	wrong.Add(amount("routes", len(spec.Routes), 0, models.MaxRoutes))
	for i := range spec.Routes {
		wrong = append(wrong, checkRoute(fmt.Sprintf("routes.%d.", i), &spec.Routes[i])...)
	}
	if e := spec.Escalation; e != nil {
		wrong.Add(check.Span("escalation.after", ms(e.AfterMS), time.Minute, 7*24*time.Hour))
	}
	wrong = append(wrong, checkPace(spec)...)
	return wrong
}

func ms(n int64) time.Duration { return time.Duration(n) * time.Millisecond }

// checkPace checks how often people are told.
func checkPace(spec *models.AlertSpec) (wrong fault.List) {
	wrong.Add(check.Span("groupWait", ms(spec.GroupWaitMS), 0, time.Hour))
	wrong.Add(check.Span("groupInterval", ms(spec.GroupIntervalMS), 0, 24*time.Hour))
	if spec.RepeatMS != 0 {
		wrong.Add(check.Span("repeatEvery", ms(spec.RepeatMS), time.Minute, 30*24*time.Hour))
	}
	if spec.MaxPerHour != 0 {
		wrong.Add(check.Number("maxPerHour", spec.MaxPerHour, 1, 1000))
	}
	spec.Notices = slices.Compact(slices.Sorted(slices.Values(spec.Notices)))
	tells := func(n models.AlertNotice) bool { return slices.Contains(spec.Notices, n) }
	switch {
	case len(spec.Notices) == 0:
		wrong.Add(fault.At("notices", fault.Required, "notices is empty; name OPENED, REPEATED or RECOVERED, or switch the rule off."))
	case spec.RepeatMS != 0 && !tells(models.NoticeRepeated):
		wrong.Add(fault.At("notices", fault.Invalid, "notices lacks REPEATED although repeatEvery is %s; add it, or leave repeatEvery out.", ms(spec.RepeatMS)))
	case tells(models.NoticeRepeated) && !tells(models.NoticeOpened):
		wrong.Add(fault.At("notices", fault.Invalid, "notices has REPEATED without OPENED; what was not told cannot be repeated."))
	}
	return wrong
}

// amount checks how many entries a list has.
func amount(path string, n, low, high int) *fault.Error {
	if n < low {
		return fault.At(path, fault.Required, "%s has %d entries; give at least %d.", path, n, low)
	}
	if n > high {
		return fault.At(path, fault.Invalid, "%s has %d entries; keep it within %d.", path, n, high)
	}
	return nil
}

// checkTimes checks times of day by the names of their fields.
func checkTimes(path string, times map[string]string) (wrong fault.List) {
	for _, field := range []string{"from", "to", "by"} {
		text, given := times[field]
		if !given {
			continue
		}
		if _, err := timetable.MinuteOfDay(text); err != nil {
			wrong.Add(fault.At(path+field, fault.Invalid, "%s%s: %s.", path, field, err.Error()))
		}
	}
	return wrong
}

func checkRoute(path string, r *models.AlertRoute) (wrong fault.List) {
	r.Severities = slices.Compact(slices.Sorted(slices.Values(r.Severities)))
	wrong.Add(amount(path+"severities", len(r.Severities), 1, 3))
	wrong.Add(amount(path+"digestAt", len(r.DigestAt), 0, models.MaxDigests))
	for i, text := range r.DigestAt {
		if _, err := timetable.MinuteOfDay(text); err != nil {
			at := fmt.Sprintf("%sdigestAt.%d", path, i)
			wrong.Add(fault.At(at, fault.Invalid, "%s: %s.", at, err.Error()))
		}
	}
	return wrong
}

// checkTargets checks that the channels and people of a rule are there.
func (s *Service) checkTargets(ctx context.Context, spec *models.AlertSpec) (wrong fault.List, err error) {
	type target struct {
		path             string
		channels, people *[]string
	}
	var all []target
	for i := range spec.Routes[:min(len(spec.Routes), models.MaxRoutes)] {
		all = append(all, target{fmt.Sprintf("routes.%d.", i), &spec.Routes[i].Channels, &spec.Routes[i].People})
	}
	if e := spec.Escalation; e != nil {
		all = append(all, target{"escalation.", &e.Channels, &e.People})
	}
	for _, t := range all {
		for _, list := range []struct {
			field, what string
			ids         *[]string
			known       func(context.Context, []string) (map[string]bool, error)
		}{{"channels", "channel", t.channels, s.channelsKnown}, {"people", "person", t.people, s.peopleKnown}} {
			path := t.path + list.field
			if bad := amount(path, len(*list.ids), 0, models.MaxRouteTargets); bad != nil {
				wrong.Add(bad)
				continue
			}
			known, err := list.known(ctx, *list.ids)
			if err != nil {
				return nil, err
			}
			for i, id := range *list.ids {
				if !known[id] {
					at := fmt.Sprintf("%s.%d", path, i)
					wrong.Add(fault.At(at, fault.NotFound, "%s: there is no %s %s; choose one of the list.", at, list.what, check.Quote(id)))
				}
			}
		}
	}
	return wrong, nil
}

func (s *Service) channelsKnown(ctx context.Context, ids []string) (map[string]bool, error) {
	rows, err := s.store.ChannelsByIDs(ctx, ids)
	known := map[string]bool{}
	for i := range rows {
		known[rows[i].ID] = true
	}
	return known, err
}

func (s *Service) peopleKnown(ctx context.Context, ids []string) (map[string]bool, error) {
	known := map[string]bool{}
	if len(ids) == 0 {
		return known, nil
	}
	rows, err := s.store.Contacts(ctx, ids)
	for i := range rows {
		known[rows[i].UserID] = true
	}
	return known, err
}

// resolveScope checks a scope and notes the app that it lies in.
func (s *Service) resolveScope(ctx context.Context, path string, scope *models.AlertScope) (fault.List, error) {
	kept := models.AlertScope{Kind: scope.Kind}
	var err error
	field, id := "", ""
	switch scope.Kind {
	case models.ScopeAll:
	case models.ScopeApp:
		field, id = "app", scope.AppID
		if id != "" {
			_, err = s.store.App(ctx, id)
			kept.AppID = id
		}
	case models.ScopeGroup:
		field, id = "group", scope.GroupID
		if id != "" {
			var g models.NodeGroup
			g, err = s.store.Group(ctx, id)
			kept.GroupID, kept.AppID = id, g.AppID
		}
	case models.ScopeJob:
		field, id = "job", scope.JobID
		if id != "" {
			var j models.Job
			if j, err = s.store.Job(ctx, id); err == nil && j.LiveName == nil {
				return fault.List{fault.At(path+".job", fault.NotFound, "The job %q was deleted; choose another.", j.Name)}, nil
			}
			kept.JobID, kept.AppID = id, j.AppID
		}
	case models.ScopeLabels:
		kept.Labels = scope.Labels
		if len(scope.Labels) == 0 {
			return fault.List{fault.At(path+".labels", fault.Required, `%s.labels is missing; write for example {"team": "billing"}.`, path)}, nil
		}
	default:
		return fault.List{fault.At(path+".kind", fault.Required, "%s.kind is missing; it must be ALL, APP, GROUP, LABELS or JOB.", path)}, nil
	}
	*scope = kept
	switch {
	case field != "" && id == "":
		return fault.List{fault.At(path+"."+field, fault.Required, "%s.%s is missing; a scope of the kind %s needs it.", path, field, kept.Kind)}, nil
	case fault.Is(err, fault.NotFound):
		return fault.List{fault.At(path+"."+field, fault.NotFound, "%s.%s: there is no %s %s; choose one of the list.", path, field, field, check.Quote(id))}, nil
	}
	return nil, err
}
