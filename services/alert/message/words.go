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
	disabled   string // with channel %c and reason %w
	merged     string // with %n messages from %a to %b
	details    details
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

// MergedNote says that several messages, written from one instant to another, are told
// as one. The zone is an IANA name.
func MergedNote(language string, n int, from, to time.Time, zone string) string {
	m := models.Message{Zone: zone}
	d := newData(&m, &Options{Language: language})
	const layout = "2006-01-02 15:04"
	a, b := from.In(d.zone).Format(layout), to.In(d.zone).Format(layout)
	return strings.NewReplacer("%n", strconv.Itoa(n), "%a", a, "%b", b).Replace(d.words.merged)
}

// TooOld is why a message was dropped.
func TooOld(age time.Duration) string {
	return "It could not be sent within " + english.duration(age) + " and was dropped."
}

// DisabledNote says that a channel was switched off.
func DisabledNote(language, channel, why string) string {
	return strings.NewReplacer("%c", channel, "%w", why).Replace(wordsOf(language).disabled)
}
