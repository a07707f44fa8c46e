package audit

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// Format is the form of an export.
type Format string

// Formats.
const (
	CSV       Format = "csv"
	JSONLines Format = "jsonl" // an object a line
)

// exportPage is how many rows are in memory at a time.
const exportPage = 500

// Line is a row of an export. Empty values are left out of JSON lines.
type Line struct {
	ID        string          `json:"id"`
	At        string          `json:"at"` // RFC 3339 in UTC
	Actor     string          `json:"actor"`
	ActorKind string          `json:"actorKind"`
	Action    string          `json:"action"`
	Kind      string          `json:"kind"`
	Object    string          `json:"object,omitempty"`
	Name      string          `json:"name,omitempty"`
	App       string          `json:"app,omitempty"` // id
	Address   string          `json:"address,omitempty"`
	Agent     string          `json:"agent,omitempty"`
	RequestID string          `json:"requestId,omitempty"`
	Before    json.RawMessage `json:"before,omitempty"`
	After     json.RawMessage `json:"after,omitempty"`
	Detail    json.RawMessage `json:"detail,omitempty"`
}

// header are the columns of a CSV export.
var header = []string{"id", "at", "actor", "actorKind", "action", "kind", "object", "name", "app", "address", "agent", "requestId", "before", "after", "detail"}

// Export writes the rows of a filter out, newest first, page by page, and calls flush after
// each page; memory is bound by a page. That it was done stands in the trail, under actor.
// Faults: UNSUPPORTED (format), INVALID; what comes before the first byte is a fault.
func (s *Service) Export(ctx context.Context, actor string, w io.Writer, format Format, f Filter, flush func() error) error {
	var write func([]models.Audit) error
	switch format {
	case CSV:
		write = csvWriter(w)
	case JSONLines:
		write = lineWriter(w)
	default:
		return fault.New(fault.Unsupported, "There is no export format %q: use csv or jsonl.", string(format))
	}
	now := s.cfg.Clock.Now()
	detail, _ := json.Marshal(described(&f, format)) // plain values always marshal
	row := models.Audit{ID: models.NewID(now), At: now, Actor: actor, Action: "audit.export", Kind: "audit", AppID: f.AppID, Detail: detail}
	if err := s.cfg.Ledger.InsertAudit(ctx, row); err != nil {
		return err
	}
	for after := ""; ; {
		rows, info, err := s.cfg.Ledger.AuditPage(ctx, f, Page{First: exportPage, After: after})
		if err != nil {
			return err
		}
		if err := write(rows); err != nil {
			return fmt.Errorf("writing an export of the audit log: %w", err)
		}
		if err := flush(); err != nil {
			return err
		}
		switch {
		case !info.HasNext:
			return nil
		case info.Stopped != "":
			after = info.Stopped
		default:
			after = rows[len(rows)-1].ID
		}
	}
}

func described(f *Filter, format Format) map[string]any {
	said := map[string]any{"format": format}
	for name, value := range map[string]string{"actor": f.Actor, "kind": f.Kind, "object": f.Object, "action": f.Action, "app": f.AppID, "search": f.Search} {
		if value != "" {
			said[name] = value
		}
	}
	for name, at := range map[string]*time.Time{"from": f.From, "to": f.To} {
		if at != nil {
			said[name] = at.UTC().Format(time.RFC3339)
		}
	}
	return said
}

func lineOf(a *models.Audit) Line {
	return Line{
		ID: a.ID, At: a.At.UTC().Format(time.RFC3339Nano), Actor: a.Actor, ActorKind: string(a.ActorKind), Action: a.Action, Kind: a.Kind,
		Object: a.Object, Name: a.ObjectName, App: a.AppID, Address: a.Address, Agent: a.Agent, RequestID: a.RequestID,
		Before: a.StateBefore, After: a.StateAfter, Detail: a.Detail,
	}
}

func lineWriter(w io.Writer) func([]models.Audit) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return func(rows []models.Audit) error {
		for i := range rows {
			if err := encoder.Encode(lineOf(&rows[i])); err != nil {
				return err
			}
		}
		return nil
	}
}

func csvWriter(w io.Writer) func([]models.Audit) error {
	out, begun := csv.NewWriter(w), false
	out.UseCRLF = true // RFC 4180
	return func(rows []models.Audit) error {
		if !begun {
			begun = true
			if err := out.Write(header); err != nil {
				return err
			}
		}
		for i := range rows {
			l := lineOf(&rows[i])
			cells := []string{
				l.ID, l.At, l.Actor, l.ActorKind, l.Action, l.Kind, l.Object, l.Name, l.App, l.Address, l.Agent, l.RequestID,
				string(l.Before), string(l.After), string(l.Detail),
			}
			for c := range cells {
				cells[c] = harmless(cells[c])
			}
			if err := out.Write(cells); err != nil {
				return err
			}
		}
		out.Flush()
		return out.Error()
	}
}

// harmless keeps a spreadsheet from taking a cell for a formula: people choose the names
// that end up here. The apostrophe in front is how spreadsheets mark a text. A character
// that they skip before a formula is looked past.
func harmless(cell string) string {
	if trimmed := strings.TrimLeft(cell, " \t\r\n\u00a0\ufeff"); trimmed != cell && trimmed != "" || trimmed != "" && strings.ContainsRune("=+-@\uff1d\uff0b\uff0d\uff20|%", firstRune(trimmed)) {
		return "'" + cell
	}
	return cell
}

func firstRune(text string) rune {
	for _, r := range text {
		return r
	}
	return 0
}
