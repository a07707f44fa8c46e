package models

import "time"

// Severity is how bad something is; higher is worse.
type Severity uint8

// Severities. The numbers stand in the ledger: never renumber.
const (
	SeverityInfo Severity = iota + 1
	SeverityWarning
	SeverityCritical
)

// MessageKind is what a message to people is about.
type MessageKind uint8

// Kinds of messages. The numbers stand in the ledger: never renumber.
const (
	MessageProblem         MessageKind = iota + 1 // a problem was opened, or is repeated
	MessageDigest                                 // several problems, told at set times
	MessageEscalation                             // nobody acknowledged in time
	MessageRecovery                               // problems are over
	MessageFlapping                               // a problem comes and goes; it is told once
	MessageSilenceEnds                            // a silence is about to end
	MessageReport                                 // the morning report
	MessageChannelTest                            // somebody pressed the test button
	MessageChannelDisabled                        // another channel was switched off by its receiver
)

var (
	severityNames    = []string{"", "INFO", "WARNING", "CRITICAL"}
	messageKindNames = []string{"", "PROBLEM", "DIGEST", "ESCALATION", "RECOVERY", "FLAPPING", "SILENCE_ENDS", "REPORT", "CHANNEL_TEST", "CHANNEL_DISABLED"}
)

func (v Severity) String() string    { return name(severityNames, uint8(v)) }
func (v MessageKind) String() string { return name(messageKindNames, uint8(v)) }

// ParseSeverity reads a severity's name as the API writes it.
func ParseSeverity(s string) (Severity, bool) { return parse[Severity](severityNames, s) }

// ParseMessageKind reads a message kind's name as the API writes it.
func ParseMessageKind(s string) (MessageKind, bool) { return parse[MessageKind](messageKindNames, s) }

// MessageKinds lists all kinds of messages.
func MessageKinds() []MessageKind {
	var all []MessageKind
	for v := MessageProblem; v <= MessageChannelDisabled; v++ {
		all = append(all, v)
	}
	return all
}

// Bounds of a message. Whoever makes one keeps to them; AddNotifications cuts texts
// that are longer.
const (
	MaxMessageProblems = 50   // problems in one message
	MaxProblemAttempts = 5    // attempts shown of one problem
	MaxProblemError    = 1000 // characters of an error
)

// Message is what a notification tells, frozen when it is written: a later change of
// a job changes no message on its way. It is the data of templates, documented in
// docs/alerts.md; fields are added and never renamed.
type Message struct {
	ID         string // of the notification: the same on every try
	Kind       MessageKind
	Severity   Severity
	At         time.Time // when it was written, UTC
	Zone       string    // IANA name in which times are shown; empty: UTC
	RuleID     string
	RuleName   string
	Total      int       // problems there are; Problems holds the first of them
	Suppressed int       // messages not sent since the last one
	Problems   []Problem // at most MaxMessageProblems, worst first
	Note       string    // a sentence for the kinds that tell no problem
	Mentions   []Contact // people it is for
	Report     *ReportData
	Silence    *SilenceNote // of SILENCE_ENDS
}

// SilenceNote is the silence or maintenance window that a message is about.
type SilenceNote struct {
	Maintenance bool
	Author      string
	Reason      string
	EndsAt      time.Time
}

// Problem is one incident in a message.
type Problem struct {
	IncidentID  string
	Title       string
	Event       AlertEventKind
	State       IncidentState
	Severity    Severity
	Subject     string // job, node, group, server, redis, database
	JobID       string
	JobName     string
	AppName     string
	GroupName   string
	NodeName    string
	FirstAt     time.Time
	LastAt      time.Time
	ResolvedAt  *time.Time
	Count       int // events so far
	TaskID      string
	ScheduledAt *time.Time
	Error       string        // at most MaxProblemError characters
	Attempts    []AttemptLine // newest first, at most MaxProblemAttempts
	TakenOver   bool          // another node runs, or ran, it again
	RetryAt     *time.Time    // the next try, by itself
	FailedQueue bool          // it waits for a person
	Detail      string        // one line with what is special about it, in the channel's language
	About       AlertDetail   // what Detail is made of
}

// AttemptLine is one attempt of a task in a message.
type AttemptLine struct {
	Number    int
	Node      string
	State     string // as the API names it
	Error     string
	StartedAt *time.Time
	Duration  time.Duration
}

// Contact is how a person is reached. Empty: not that way. Table contacts holds
// those of accounts.
type Contact struct {
	UserID     string    `gorm:"primaryKey" json:",omitempty"`
	Name       string    `gorm:"->;-:migration" json:",omitempty"` // of the account
	Email      string    `json:",omitempty"`
	Mobile     string    `json:",omitempty"` // for DingTalk and WeCom
	FeishuID   string    `json:",omitempty"`
	WecomID    string    `json:",omitempty"`
	SlackID    string    `json:",omitempty"`
	TelegramID string    `json:",omitempty"`
	DiscordID  string    `json:",omitempty"`
	UpdatedAt  time.Time `gorm:"autoUpdateTime:false" json:"-"`
}
