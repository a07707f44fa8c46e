package models

import (
	"encoding/json"
	"time"
)

// NotificationState is the state of a notification.
type NotificationState uint8

// Notification states. The numbers stand in the ledger: never renumber.
const (
	NotificationQueued     NotificationState = iota + 1 // it is sent at NextAt or soon after
	NotificationSent                                    // the receiver has taken it
	NotificationFailed                                  // it was given up
	NotificationSuppressed                              // it was never to be sent; Reason says why
	NotificationDropped                                 // it became too old before it could be sent
)

var notificationStateNames = []string{"", "QUEUED", "SENT", "FAILED", "SUPPRESSED", "DROPPED"}

func (v NotificationState) String() string { return name(notificationStateNames, uint8(v)) }

// ParseNotificationState reads a notification state's name as the API writes it.
func ParseNotificationState(s string) (NotificationState, bool) {
	return parse[NotificationState](notificationStateNames, s)
}

// Notification is one message to one channel. Table notifications. Its id is the
// message's id everywhere, the same on every try.
type Notification struct {
	ID          string
	ChannelID   string
	RuleID      *string
	Kind        MessageKind
	Severity    Severity
	State       NotificationState
	GroupKey    string          // what belongs together: e-mails of one key are one thread
	Message     json.RawMessage // a Message
	Problems    int             // problems it tells
	Tries       int
	NextAt      time.Time // of the next try; meaningless unless queued
	CreatedAt   time.Time `gorm:"autoCreateTime:false"`
	QueuedAt    time.Time // when it came into the queue, last: its age counts from here
	SentAt      *time.Time
	Reason      string // why it was, or was not, sent; at most 1,000 characters
	Subject     string // as it was rendered for the last try; empty before
	Body        string
	IncidentIDs []string `gorm:"-"` // table notification_incidents
}

// DeliveryTry is one try to send a notification. Table delivery_tries.
type DeliveryTry struct {
	NotificationID string `gorm:"primaryKey"`
	Number         int    `gorm:"primaryKey;autoIncrement:false"`
	At             time.Time
	DurationMS     int64
	Status         int    // HTTP or SMTP status; 0: there was no answer
	Response       string // at most 2,000 characters; only of receivers outside
	Error          string // at most 1,000 characters; empty: it went well
	NextAt         *time.Time
}
