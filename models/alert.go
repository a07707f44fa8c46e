package models

import "time"

// Bounds of rules, incidents and silences.
const (
	MaxAlertRules      = 500
	MaxConditions      = 20  // of one rule
	MaxSeverityWindows = 10  // of one rule
	MaxRoutes          = 10  // of one rule
	MaxRouteTargets    = 20  // channels, and people, of one route or escalation
	MaxDigests         = 12  // a day, of one route
	MaxSilences        = 500 // that have not ended
	MaxIncidentEvents  = 100 // entries EVENT that an incident keeps; later ones are counted
	MaxIncidentEntries = 500 // entries of any kind that an incident keeps
	MaxFlips           = 20  // instants of opening that an incident remembers
	MaxPending         = 50_000
)

// AlertScopeKind says what a rule or a silence is about.
type AlertScopeKind uint8

// Scope kinds. The numbers stand in the ledger: never renumber.
const (
	ScopeAll AlertScopeKind = iota + 1
	ScopeApp
	ScopeGroup
	ScopeLabels
	ScopeJob
)

// IncidentState is the state of an incident.
type IncidentState uint8

// Incident states. The numbers stand in the ledger: never renumber.
const (
	IncidentOpen IncidentState = iota + 1
	IncidentAcknowledged
	IncidentResolved
)

// AlertNotice is an occasion on which a rule tells people.
type AlertNotice uint8

// Notices. The first three are what a rule chooses from; the numbers stand in the
// ledger: never renumber.
const (
	NoticeOpened AlertNotice = iota + 1
	NoticeRepeated
	NoticeRecovered
	NoticeEscalated
	NoticeFlapping
)

// IncidentEntryKind is the kind of an entry of an incident's timeline.
type IncidentEntryKind uint8

// Entry kinds. The numbers stand in the ledger: never renumber.
const (
	EntryOpened IncidentEntryKind = iota + 1
	EntryEvent
	EntryAcknowledged
	EntryUnacknowledged
	EntryEscalated
	EntryNotified
	EntrySuppressed
	EntrySilenced
	EntryFlapping
	EntryRecovered
	EntryResolved
	EntryReopened
	EntryComment
)

// SilenceKind is the kind of a silence.
type SilenceKind uint8

// Silence kinds. The numbers stand in the ledger: never renumber.
const (
	SilencePlain SilenceKind = iota + 1
	SilenceMaintenance
)

var (
	scopeKindNames     = []string{"", "ALL", "APP", "GROUP", "LABELS", "JOB"}
	incidentStateNames = []string{"", "OPEN", "ACKNOWLEDGED", "RESOLVED"}
	noticeNames        = []string{"", "OPENED", "REPEATED", "RECOVERED", "ESCALATED", "FLAPPING"}
	entryKindNames     = []string{
		"", "OPENED", "EVENT", "ACKNOWLEDGED", "UNACKNOWLEDGED", "ESCALATED", "NOTIFIED", "SUPPRESSED", "SILENCED",
		"FLAPPING", "RECOVERED", "RESOLVED", "REOPENED", "COMMENT",
	}
	silenceKindNames = []string{"", "SILENCE", "MAINTENANCE"}
)

func (v AlertScopeKind) String() string    { return name(scopeKindNames, uint8(v)) }
func (v IncidentState) String() string     { return name(incidentStateNames, uint8(v)) }
func (v AlertNotice) String() string       { return name(noticeNames, uint8(v)) }
func (v IncidentEntryKind) String() string { return name(entryKindNames, uint8(v)) }
func (v SilenceKind) String() string       { return name(silenceKindNames, uint8(v)) }

// ParseAlertScopeKind reads a scope kind's name as the API writes it.
func ParseAlertScopeKind(s string) (AlertScopeKind, bool) {
	return parse[AlertScopeKind](scopeKindNames, s)
}

// ParseIncidentState reads an incident state's name as the API writes it.
func ParseIncidentState(s string) (IncidentState, bool) {
	return parse[IncidentState](incidentStateNames, s)
}

// ParseAlertNotice reads a notice's name as the API writes it; only those that a rule
// chooses from.
func ParseAlertNotice(s string) (AlertNotice, bool) {
	return parse[AlertNotice](noticeNames[:NoticeRecovered+1], s)
}

// ParseIncidentEntryKind reads an entry kind's name as the API writes it.
func ParseIncidentEntryKind(s string) (IncidentEntryKind, bool) {
	return parse[IncidentEntryKind](entryKindNames, s)
}

// ParseSilenceKind reads a silence kind's name as the API writes it.
func ParseSilenceKind(s string) (SilenceKind, bool) { return parse[SilenceKind](silenceKindNames, s) }

// AlertScope is what a rule or a silence is about.
type AlertScope struct {
	Kind    AlertScopeKind    `json:"kind"`
	AppID   string            `json:"app,omitempty"`    // APP, and of the others where it is known
	GroupID string            `json:"group,omitempty"`  // GROUP
	JobID   string            `json:"job,omitempty"`    // JOB
	Labels  map[string]string `json:"labels,omitempty"` // LABELS: those that a job must have
}

// AlertCondition is one thing that opens an incident.
type AlertCondition struct {
	Event    AlertEventKind `json:"event"`
	Count    int            `json:"count"`              // so many …
	Of       int            `json:"of,omitempty"`       // … of the last Of ends of the job; 0: any
	Rate     float64        `json:"rate,omitempty"`     // 0–1: failed ends of the job within the window
	WindowMS int64          `json:"windowMs,omitempty"` // of Rate, or of Count when Of is 0
	LongerMS int64          `json:"longerMs,omitempty"` // RUN_TOO_LONG, FIRE_LATE, NODE_OFFLINE, …: longer than
	Factor   float64        `json:"factor,omitempty"`   // RUN_TOO_LONG: times the job's own p95
	By       string         `json:"by,omitempty"`       // NOT_FINISHED_BY: 06:30, local
	Depth    int64          `json:"depth,omitempty"`    // QUEUE_BACKLOG: more tasks are due
	AgeMS    int64          `json:"ageMs,omitempty"`    // QUEUE_BACKLOG: the oldest is due for longer
}

// Window is the length of the window.
func (c *AlertCondition) Window() time.Duration { return time.Duration(c.WindowMS) * time.Millisecond }

// SeverityWindow is a time of day, in the rule's zone, that has a severity of its own.
type SeverityWindow struct {
	Days     int      `json:"days,omitempty"` // bit w: begins on weekday w, 0 = Sunday; none: every day
	From     string   `json:"from"`           // 22:00
	To       string   `json:"to"`             // 08:00; not after From: on the next day
	Severity Severity `json:"severity"`
}

// AlertRoute says whom to tell of problems of some severities.
type AlertRoute struct {
	Severities []Severity `json:"severities"`
	Channels   []string   `json:"channels,omitempty"` // none: every channel that is enabled
	People     []string   `json:"people,omitempty"`   // users who are mentioned
	DigestAt   []string   `json:"digestAt,omitempty"` // 12:00; none: at once
}

// AlertEscalation is what happens when nobody acknowledges.
type AlertEscalation struct {
	AfterMS  int64    `json:"afterMs"`
	Channels []string `json:"channels,omitempty"` // none: every channel that is enabled
	People   []string `json:"people,omitempty"`
}

// AlertSpec is what a rule says.
type AlertSpec struct {
	Scope           AlertScope       `json:"scope"`
	Conditions      []AlertCondition `json:"conditions"`
	Zone            string           `json:"zone"`
	Severity        Severity         `json:"severity"` // outside the windows
	Windows         []SeverityWindow `json:"windows,omitempty"`
	Routes          []AlertRoute     `json:"routes,omitempty"`
	Escalation      *AlertEscalation `json:"escalation,omitempty"`
	RepeatMS        int64            `json:"repeatMs,omitempty"`   // 0: never
	MaxPerHour      int              `json:"maxPerHour,omitempty"` // messages an hour to each channel; 0: any
	GroupWaitMS     int64            `json:"groupWaitMs"`
	GroupIntervalMS int64            `json:"groupIntervalMs"`
	Notices         []AlertNotice    `json:"notices"`
}

// AlertRule says what is a problem and whom to tell. Table alert_rules.
type AlertRule struct {
	ID          string
	Name        string // unique
	Description string
	Enabled     bool
	Spec        AlertSpec `gorm:"serializer:json"`
	Version     int       // counts edits from 1
	CreatedBy   string
	CreatedAt   time.Time `gorm:"autoCreateTime:false"`
	UpdatedAt   time.Time `gorm:"autoUpdateTime:false"`
}

// DefaultAlertRule is the id of the rule that a fresh installation has.
const DefaultAlertRule = "00000000000000000000000001"

// Incident is one problem from its opening to its end. Table incidents. OpenKey is
// unique and set while it is not resolved: of one problem at most one is open.
type Incident struct {
	ID          string
	RuleID      string // of a rule that may be deleted
	RuleName    string // as it was when the incident was opened
	Event       AlertEventKind
	Condition   AlertCondition `gorm:"serializer:json;column:condition_data"` // that opened it
	Subject     string
	Fingerprint string  // Hash of rule, family of the event kind and subject
	OpenKey     *string // Fingerprint; nil once it is resolved
	Title       string
	Severity    Severity // the worst so far
	State       IncidentState
	Flapping    bool
	SilenceID   *string // that holds its messages back, or did so last

	AppID, GroupID, JobID, NodeID, ServerID *string

	OpenedAt       time.Time // this time, when it was reopened
	LastAt         time.Time
	Count          int64 // events
	EventEntries   int   // entries EVENT written
	Entries        int   // entries written
	AcknowledgedAt *time.Time
	AcknowledgedBy string
	ResolvedAt     *time.Time
	Resolution     string // why it is resolved
	Recovered      bool   // it ended by itself: the same problem opens it again for a while

	LastTaskID  *string
	LastAttempt int
	LastError   string // at most 1,000 characters
	LastDetail  string // JSON of the last event, or empty

	Told       []string    `gorm:"serializer:json"` // channels that know of it
	Flips      []time.Time `gorm:"serializer:json"` // when it was opened, newest last; at most MaxFlips
	EscalateAt *time.Time
	RepeatAt   *time.Time
	CheckAt    *time.Time // when a rate, a silence or the flapping is looked at again
	NextAt     *time.Time // the first of these; nil: nothing is to be done
}

// Duration is how long the problem lasted, or has lasted until now.
func (i *Incident) Duration(now time.Time) time.Duration {
	if i.ResolvedAt != nil {
		now = *i.ResolvedAt
	}
	return max(now.Sub(i.OpenedAt), 0)
}

// IncidentEntry is one line of an incident's timeline. Table incident_entries.
type IncidentEntry struct {
	ID         string // in order of writing
	IncidentID string
	At         time.Time
	Kind       IncidentEntryKind
	Message    string // at most 1,000 characters
	TaskID     *string
	Attempt    int
	NodeID     *string
	Actor      string // who did it; empty: the server
}

// SilenceRecurrence says when a recurring silence holds.
type SilenceRecurrence struct {
	Days int    `json:"days,omitempty"` // bit w: begins on weekday w, 0 = Sunday; none: every day
	From string `json:"from"`           // 22:00
	To   string `json:"to"`             // 06:00; not after From: on the next day
	Zone string `json:"zone"`
}

// Silence holds messages back for a time; incidents are still measured. Table silences.
type Silence struct {
	ID         string
	Kind       SilenceKind
	Scope      AlertScope `gorm:"serializer:json"`
	RuleID     *string    // of this rule alone
	Reason     string
	Author     string
	StartsAt   time.Time
	EndsAt     *time.Time         // nil only when it recurs
	Recurrence *SilenceRecurrence `gorm:"serializer:json"`
	RemindMS   int64              // before each end; 0: never
	RemindedAt *time.Time         // the end for which the reminder was written
	Suppressed int64              // messages held back
	CreatedAt  time.Time          `gorm:"autoCreateTime:false"`
}

// AlertPending is one incident that one channel is to be told of. Table alert_pending.
type AlertPending struct {
	ID         string // in order of writing
	IncidentID string
	RuleID     string
	ChannelID  string
	Notice     AlertNotice
	Severity   Severity
	Digest     bool      // told at a set time
	GroupKey   string    // what may be told together: rule, channel, notice, severity or digest
	DueAt      time.Time // not before
	People     []string  `gorm:"serializer:json"` // who is mentioned
	CreatedAt  time.Time `gorm:"autoCreateTime:false"`
}

// TableName is the table's name; the plural of pending is no word.
func (AlertPending) TableName() string { return "alert_pending" }

// AlertGroup remembers what a channel was told of a rule. Table alert_groups, key
// (RuleID, ChannelID).
type AlertGroup struct {
	RuleID     string               `gorm:"primaryKey"`
	ChannelID  string               `gorm:"primaryKey"`
	Last       map[string]time.Time `gorm:"serializer:json"` // by group key: the last message
	Sent       []time.Time          `gorm:"serializer:json"` // messages of the last hour, while the rule has a cap
	Suppressed int                  // messages not sent since the last one, by the cap
}
