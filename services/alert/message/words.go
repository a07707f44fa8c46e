package message

import (
	"strconv"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// words are the texts of a language.
type words struct {
	severities map[models.Severity]string
	events     map[models.AlertEventKind]string
	states     map[string]string // of incidents and attempts
	units      [5]string         // day, hour, minute, second, millisecond, with the space before
	once       string
	often      string // with %d
	shared     string // templates that the others use
	subjects   map[models.MessageKind]string
	bodies     map[models.MessageKind]string
}

func wordsOf(language string) *words {
	if language == Chinese {
		return &chinese
	}
	return &english
}

func (w *words) subject(kind models.MessageKind) string {
	return or(w.subjects[kind], w.subjects[models.MessageProblem])
}

func (w *words) body(kind models.MessageKind) string {
	return or(w.bodies[kind], w.bodies[models.MessageProblem])
}

// Defaults answers the default templates of a kind of message.
func Defaults(language string, kind models.MessageKind) (subject, body string) {
	w := wordsOf(language)
	return w.subject(kind), w.body(kind)
}

// duration is a length of time in at most two units.
func (w *words) duration(d time.Duration) string {
	d = d.Abs()
	if d < time.Second {
		return strconv.FormatInt(d.Milliseconds(), 10) + w.units[4]
	}
	d = d.Round(time.Second)
	parts := []time.Duration{24 * time.Hour, time.Hour, time.Minute, time.Second}
	for i, unit := range parts {
		if d < unit {
			continue
		}
		text := strconv.FormatInt(int64(d/unit), 10) + w.units[i]
		if i+1 < len(parts) {
			if rest := d % unit / parts[i+1]; rest > 0 {
				text += " " + strconv.FormatInt(int64(rest), 10) + w.units[i+1]
			}
		}
		return text
	}
	return "0" + w.units[3]
}

func (w *words) times(n int64) string {
	if n == 1 {
		return w.once
	}
	return strings.Replace(w.often, "%d", strconv.FormatInt(n, 10), 1)
}
