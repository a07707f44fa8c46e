package message

import (
	"fmt"
	"html/template"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// functions are those of templates; docs/alerts.md lists them.
func (d *data) functions(f Format, g *guard) map[string]any {
	mark := func(text string) any {
		if f == pageHTML {
			return template.HTML(text) //nolint:gosec // made by Format, which escapes what it is given
		}
		return Markup(text)
	}
	all := map[string]any{
		"step": g.step, "footMark": func() Markup {
			if f == pageHTML {
				return ""
			}
			return footMark
		},
		"esc":  func(v any) Markup { return escaped(f, v) },
		"bold": func(v any) any { return mark(f.bold(textOf(v))) },
		"code": func(v any) any { return mark(f.code(textOf(v))) },
		"link": func(text, url any) any { return mark(f.link(textOf(text), textOf(url))) },
	}
	maps.Copy(all, d.values())
	maps.Copy(all, common)
	return all
}

// values are functions that make texts of a message's values.
func (d *data) values() map[string]any {
	return map[string]any{
		"time":  func(v any) (string, error) { return d.time(v, "2006-01-02 15:04:05 MST") },
		"clock": func(v any) (string, error) { return d.time(v, "15:04:05") },
		"date":  func(v any) (string, error) { return d.time(v, "2006-01-02") },
		"duration": func(v any) (string, error) {
			span, err := span(v)
			return d.words.duration(span), err
		},
		"since": func(v any) (string, error) {
			at, err := instant(v)
			return d.words.duration(d.message.At.Sub(at)), err
		},
		"between": func(from, to any) (string, error) {
			a, err := instant(from)
			if err != nil {
				return "", err
			}
			b, err := instant(to)
			return d.words.duration(b.Sub(a)), err
		},
		"zone": func() string { return d.zone.String() },

		"severity": func(v models.Severity) string { return or(d.words.severities[v], v.String()) },
		"event":    func(v models.AlertEventKind) string { return or(d.words.events[v], v.String()) },
		"state":    func(v any) string { return or(d.words.states[fmt.Sprint(v)], fmt.Sprint(v)) },
		"is":       func(v any, names ...string) bool { return slices.Contains(names, fmt.Sprint(v)) },
		"name":     d.name,
		"times":    func(n any) string { return d.words.times(number(n)) },
		"dropped":  func() int64 { return d.options.Dropped },

		"taskURL":     func(id string) string { return d.url("/tasks/", id) },
		"incidentURL": func(id string) string { return d.url("/incidents/", id) },
		"jobURL":      func(id string) string { return d.url("/jobs/", id) },
		"consoleURL":  func(path string) string { return d.url(path, "/") },
		"reportURL":   d.reportURL,
	}
}

// common are functions that need no message.
var common = map[string]any{
	"add": func(a, b any) int64 { return number(a) + number(b) },
	"sub": func(a, b any) int64 { return number(a) - number(b) },
	"cut": func(n int, text any) string {
		cut, _ := Cut(textOf(text), n, Runes, Plain)
		return cut
	},
	"line":  func(text any) string { return inline(textOf(text)) },
	"upper": func(text any) string { return strings.ToUpper(textOf(text)) },
	"join":  func(list []string, with string) string { return strings.Join(list, with) },

	// Go's own, which could be made to use up memory.
	"printf":   printf,
	"print":    func(v ...any) (string, error) { return short(fmt.Sprint(v...)) },
	"println":  func(v ...any) (string, error) { return short(fmt.Sprintln(v...)) },
	"html":     func(v ...any) (string, error) { return short(template.HTMLEscaper(v...)) },
	"js":       func(v ...any) (string, error) { return short(template.JSEscaper(v...)) },
	"urlquery": func(v ...any) (string, error) { return short(template.URLQueryEscaper(v...)) },
}

// escaped is a value in a format; what is markup already stays.
func escaped(f Format, v any) Markup {
	if m, ok := v.(Markup); ok {
		return m
	}
	return Markup(f.Escape(textOf(v)))
}

func textOf(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case Markup:
		return string(v)
	case *time.Time:
		if v == nil {
			return ""
		}
		return v.UTC().Format(time.RFC3339)
	case time.Time:
		return v.UTC().Format(time.RFC3339)
	case nil:
		return ""
	default:
		return fmt.Sprint(v)
	}
}

// instant takes what a template gives for one.
func instant(v any) (time.Time, error) {
	switch v := v.(type) {
	case time.Time:
		return v, nil
	case *time.Time:
		if v != nil {
			return *v, nil
		}
		return time.Time{}, fmt.Errorf("there is no time here; ask with if first")
	default:
		return time.Time{}, fmt.Errorf("%v is no time", v)
	}
}

func span(v any) (time.Duration, error) {
	if d, ok := v.(time.Duration); ok {
		return d, nil
	}
	return 0, fmt.Errorf("%v is no length of time", v)
}

func (d *data) time(v any, layout string) (string, error) {
	at, err := instant(v)
	if err != nil {
		return "", err
	}
	return at.In(d.zone).Format(layout), nil
}

func number(v any) int64 {
	switch v := v.(type) {
	case int:
		return int64(v)
	case int64:
		return v
	default:
		return 0
	}
}

// name is what a problem is about: the job, or the node, the group, or its title.
func (d *data) name(p models.Problem) string {
	name := or(p.JobName, or(p.NodeName, or(p.GroupName, or(p.Title, p.Subject))))
	if p.AppName != "" && name != p.AppName {
		return p.AppName + " / " + name
	}
	return name
}

// url is an address in the console; empty when that has none.
func (d *data) url(path, id string) string {
	if d.options.BaseURL == "" || id == "" {
		return ""
	}
	if id == "/" { // the path alone
		return d.options.BaseURL + path
	}
	return d.options.BaseURL + path + id
}

// reportURL is the page that shows the same report: of its app, until its end.
func (d *data) reportURL(r *models.ReportData) string {
	to := r.To.In(d.zone)
	query := url.Values{"day": {to.Format(time.DateOnly)}, "at": {to.Format("15:04")}, "zone": {d.zone.String()}}
	if r.AppID != "" {
		query.Set("app", r.AppID)
	}
	return d.url("/reports", "?"+query.Encode())
}

var wide = regexp.MustCompile(`%[^a-zA-Z%]*(\*|[0-9]{4,})`)

func printf(format string, v ...any) (string, error) {
	if wide.MatchString(format) {
		return "", fmt.Errorf("printf may not pad to more than 999 characters")
	}
	return short(fmt.Sprintf(format, v...))
}

// short is a text unless it is so long that repeating this would use up memory.
func short(text string) (string, error) {
	if len(text) > maxOutput {
		return "", errOutput
	}
	return text, nil
}

// Color is the colour of a message, as #rrggbb: red, amber and blue by severity, green
// for what is over.
func Color(m *models.Message) string {
	switch {
	case m.Kind == models.MessageRecovery:
		return "#2e7d32"
	case m.Severity == models.SeverityCritical:
		return "#c62828"
	case m.Severity == models.SeverityWarning:
		return "#ef8f00"
	default:
		return "#1565c0"
	}
}
