package jobfile

import (
	"time"

	"github.com/belfry-scheduler/belfry/services/check"
)

// kind is a kind of value in a job file.
type kind int

const (
	object kind = iota
	list
	line       // a text of one line
	prose      // a text of several lines
	expression // of cron
	zone       // an IANA name
	name       // of an app or group
	instant    // RFC 3339
	span       // a length of time
	whole      // a whole number
	share      // a number from 0 to 1
	truth      // true or false
	word       // one of some words
	labels     // an object of texts
	anything   // any JSON
)

// shape describes a value: what is allowed, and what it means, for people.
type shape struct {
	kind    kind
	about   string
	fields  []field  // of an object
	one     bool     // exactly one of the fields
	of      *shape   // of a list's entries
	words   []string // of a word
	low     int      // of a whole number; least entries of a list or labels
	high    int      // of a whole number; most entries; most characters of a text
	from    time.Duration
	to      time.Duration
	instead string // the value that an absent field stands for, for people
}

// field is a field of an object.
type field struct {
	name   string
	needed bool
	shape  shape
}

const version = 1 // of the format

// Limits that the server has too; a test compares the two by applying files.
const (
	mostName     = 128
	mostText     = 2000
	mostUpstream = 100
	mostLabels   = 32
	mostJobs     = 10_000 // of one document
)

var (
	year  = check.Year
	day   = 24 * time.Hour
	short = time.Second
)

// format is the whole format.
var format = shape{kind: object, about: "The jobs of one app. A file may hold several such documents, set apart by lines of three dashes.", fields: []field{
	{"version", true, shape{kind: whole, low: version, high: version, about: "Version of this format: 1."}},
	{"app", true, shape{kind: name, about: "The app that owns the jobs. It must exist."}},
	{"group", false, shape{kind: name, about: "Node group of the jobs that name none themselves.", instead: "default"}},
	{"jobs", true, shape{kind: list, high: mostJobs, about: "The jobs.", of: &jobFormat}},
}}

var jobFormat = shape{kind: object, about: "One job. Absent fields have their defaults.", fields: []field{
	{"name", true, shape{kind: line, high: mostName, about: "Unique within the app. A file knows a job by its name: another name is another job."}},
	{"group", false, shape{kind: name, about: "Node group of the app that runs the job.", instead: "the document's group"}},
	{"handler", true, shape{kind: line, high: mostName, about: "Name of the handler that workers register; command and http are those of belfry agent."}},
	{"description", false, shape{kind: prose, high: mostText, about: "What it is for, for people."}},
	{"labels", false, shape{kind: labels, high: mostLabels, about: "Free labels: texts by name."}},
	{"trigger", true, triggerFormat},
	{"parameters", false, shape{kind: anything, about: "What is handed to the handler: any value, as JSON at most 256 KiB."}},
	{"enabled", false, shape{kind: truth, about: "Whether the trigger is active. When it is absent, a job that a person has paused stays paused.", instead: "as it is; true for a new job"}},
	{"priority", false, shape{kind: word, words: []string{"LOW", "NORMAL", "HIGH", "CRITICAL"}, about: "Which of several due tasks of a group goes first.", instead: "NORMAL"}},
	{"timeout", false, shape{kind: span, from: short, to: year, about: "Time limit of one attempt.", instead: "1h"}},
	{"retry", false, retryFormat},
	{"concurrency", false, shape{kind: word, words: []string{"ALLOW", "SKIP", "QUEUE", "REPLACE"}, about: "What happens when the job is due while it still runs.", instead: "ALLOW"}},
	{"maxRunning", false, shape{kind: whole, low: 1, high: 100_000, about: "Most of its tasks that run at once.", instead: "no limit"}},
	{"misfire", false, misfireFormat},
	{"delivery", false, shape{kind: word, words: []string{"AT_LEAST_ONCE", "AT_MOST_ONCE"}, about: "What happens to an attempt whose node was lost: it is run again, or waits for a person.", instead: "AT_LEAST_ONCE"}},
	{"routing", false, routingFormat},
	{"sharding", false, shape{kind: object, about: "Split each task into shards.", fields: []field{
		{"shards", true, shape{kind: whole, low: 2, high: 1000, about: "How many."}},
	}}},
}}

var zoneField = field{"zone", false, shape{kind: zone, about: "IANA time zone, for example Europe/Berlin.", instead: "UTC"}}

var triggerFormat = shape{kind: object, one: true, about: "When the job fires: exactly one of these.", fields: []field{
	{"cron", false, shape{kind: object, about: "By a cron expression.", fields: []field{
		{"expression", true, shape{kind: expression, about: "Five fields (Unix: 0 and 7 are Sunday), six or seven (Quartz: second first, 1 is Sunday), or a macro such as @daily. Put it in quotes."}},
		zoneField,
		{"startAt", false, shape{kind: instant, about: "No fire before this instant."}},
		{"endAt", false, shape{kind: instant, about: "No fire after this instant."}},
		{"jitter", false, shape{kind: span, to: day, about: "Each fire is put off by a stable part of this.", instead: "0s"}},
		{"calendar", false, shape{kind: line, high: mostName, about: "Name of a calendar of the app."}},
		{"onRestDay", false, shape{kind: word, words: []string{"SKIP", "NEXT_WORKING_DAY", "PREVIOUS_WORKING_DAY"}, about: "What becomes of fires on rest days of the calendar.", instead: "SKIP"}},
	}}},
	{"fixedRate", false, shape{kind: object, about: "On a grid of equal steps.", fields: []field{
		{"every", true, shape{kind: span, from: short, to: year, about: "The step."}},
		{"startAt", false, shape{kind: instant, about: "Anchor of the grid.", instead: "the Unix epoch"}},
	}}},
	{"fixedDelay", false, shape{kind: object, about: "Some time after the last run ended.", fields: []field{
		{"delay", true, shape{kind: span, from: short, to: year, about: "How long after."}},
	}}},
	{"dependency", false, dependencyFormat},
	{"manual", false, shape{kind: truth, about: "true: only by a person, the API or an SDK."}},
}}

var dependencyFormat = shape{kind: object, about: "When other jobs have ended.", fields: []field{
	{"upstream", true, shape{kind: list, low: 1, high: mostUpstream, about: "The jobs to wait for.", of: &shape{kind: object, about: "A job to wait for.", fields: []field{
		{"job", true, shape{kind: line, high: mostName, about: "Its name."}},
		{"app", false, shape{kind: name, about: "Its app.", instead: "the document's app"}},
		{"on", false, shape{kind: word, words: []string{"SUCCESS", "FAILURE", "COMPLETION"}, about: "Which end of it counts.", instead: "SUCCESS"}},
	}}}},
	{"mode", false, shape{kind: word, words: []string{"ALL", "ANY"}, about: "Whether each of them must have ended, or one.", instead: "ALL"}},
	{"window", false, shape{kind: word, words: []string{"RUN", "HOUR", "DAY", "WEEK", "MONTH"}, about: "Which of their tasks belong together.", instead: "RUN"}},
	zoneField,
}}

var retryFormat = shape{kind: object, about: "Rules for trying again.", instead: "one attempt", fields: []field{
	{"maxAttempts", true, shape{kind: whole, low: 1, high: 1000, about: "Tries in all, the first included."}},
	{"backoff", false, shape{kind: word, words: []string{"FIXED", "EXPONENTIAL"}, about: "How the wait grows.", instead: "FIXED"}},
	{"delay", false, shape{kind: span, to: day, about: "Wait before the second try.", instead: "10s"}},
	{"maxDelay", false, shape{kind: span, to: 7 * day, about: "Longest wait.", instead: "1h, or delay if that is longer"}},
	{"jitter", false, shape{kind: share, about: "Share of the wait, 0 to 1, that is drawn by chance.", instead: "0"}},
}}

var misfireFormat = shape{kind: object, about: "What happens to fires that could not happen in time.", fields: []field{
	{"policy", false, shape{kind: word, words: []string{"SKIP", "FIRE_ONCE", "FIRE_ALL"}, about: "What happens to them.", instead: "FIRE_ONCE"}},
	{"grace", false, shape{kind: span, from: short, to: year, about: "A fire is missed when it is later than this.", instead: "15s for SKIP, 60s otherwise"}},
	{"limit", false, shape{kind: whole, low: 1, high: 1000, about: "Most that run under FIRE_ALL.", instead: "100"}},
}}

var routingFormat = shape{kind: object, about: "How tasks are spread over nodes.", instead: "as the group", fields: []field{
	{"strategy", true, shape{kind: word, words: []string{
		"LEAST_LOADED", "ROUND_ROBIN", "RANDOM", "CONSISTENT_HASH", "STICKY", "PINNED", "LABELS", "BROADCAST",
	}, about: "The strategy."}},
	{"key", false, shape{kind: line, high: 200, about: "CONSISTENT_HASH: a JSON pointer into the parameters, for example /order/id."}},
	{"node", false, shape{kind: line, high: mostName, about: "PINNED: the node's name."}},
	{"fallback", false, shape{kind: word, words: []string{"WAIT", "ANY", "FAIL"}, about: "PINNED: what happens while the node is not online.", instead: "WAIT"}},
	{"fallbackAfter", false, shape{kind: span, to: day, about: "PINNED with ANY or FAIL: how long the node is waited for.", instead: "30s"}},
	{"labels", false, shape{kind: labels, low: 1, high: 10, about: "LABELS: those that a node must have."}},
}}

// named is the field with this name.
func (s *shape) named(name string) (field, bool) {
	for _, f := range s.fields {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}
