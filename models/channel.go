package models

import (
	"encoding/json"
	"time"
)

// ChannelKind is a kind of channel.
type ChannelKind uint8

// Channel kinds. The numbers stand in the ledger: never renumber.
const (
	ChannelDingTalk ChannelKind = iota + 1
	ChannelFeishu
	ChannelWeCom
	ChannelSlack
	ChannelTeams
	ChannelTelegram
	ChannelDiscord
	ChannelWebhook
	ChannelEmail
)

var channelKindNames = []string{"", "DINGTALK", "FEISHU", "WECOM", "SLACK", "TEAMS", "TELEGRAM", "DISCORD", "WEBHOOK", "EMAIL"}

func (v ChannelKind) String() string { return name(channelKindNames, uint8(v)) }

// ParseChannelKind reads a channel kind's name as the API writes it.
func ParseChannelKind(s string) (ChannelKind, bool) { return parse[ChannelKind](channelKindNames, s) }

// ChannelKinds lists all kinds of channels.
func ChannelKinds() []ChannelKind {
	var all []ChannelKind
	for v := ChannelDingTalk; v <= ChannelEmail; v++ {
		all = append(all, v)
	}
	return all
}

// AlertChannel is a way to tell people. Table alert_channels.
type AlertChannel struct {
	ID             string
	Name           string // unique
	Kind           ChannelKind
	Enabled        bool
	DisabledReason string // why it was switched off by itself; empty: by a person, or it is on
	Language       string // en or zh-CN
	// Settings are those that may be shown; Sealed are the secret ones, encrypted
	// with the server's key (services/seal), empty without any.
	Settings  json.RawMessage
	Sealed    string
	PerMinute int             // messages a minute in the long run
	Burst     int             // messages at once
	MaxAgeMS  int64           // older messages are dropped, and counted
	Templates json.RawMessage // list of ChannelTemplate; nil: none
	// Dropped counts messages that were dropped since the last one that went out,
	// which tells the number.
	Dropped    int64
	LastSentAt *time.Time
	LastError  string // of the last try; empty when it went well
	Version    int    // counts edits from 1
	CreatedBy  string
	CreatedAt  time.Time `gorm:"autoCreateTime:false"`
	UpdatedAt  time.Time `gorm:"autoUpdateTime:false"`
}

// MaxAge is the age beyond which the channel's messages are dropped.
func (c *AlertChannel) MaxAge() time.Duration { return time.Duration(c.MaxAgeMS) * time.Millisecond }

// ChannelTemplate replaces the default texts of one kind of message.
type ChannelTemplate struct {
	Kind    MessageKind `json:"kind"`
	Subject string      `json:"subject,omitempty"` // empty: the default
	Body    string      `json:"body,omitempty"`    // empty: the default
}
