package models

import (
	"encoding/json"
	"time"
)

// CalendarRule says what becomes of a job's fires on rest days of its calendar.
type CalendarRule uint8

// Calendar rules. The numbers stand in the ledger: never renumber.
const (
	CalendarSkip CalendarRule = iota + 1
	CalendarNextWorkingDay
	CalendarPreviousWorkingDay
)

var calendarRuleNames = []string{"", "SKIP", "NEXT_WORKING_DAY", "PREVIOUS_WORKING_DAY"}

func (v CalendarRule) String() string { return name(calendarRuleNames, uint8(v)) }

// ParseCalendarRule reads a calendar rule's name as the API writes it.
func ParseCalendarRule(s string) (CalendarRule, bool) {
	return parse[CalendarRule](calendarRuleNames, s)
}

// Calendar says on which days and at which times of day jobs rest. Table calendars.
type Calendar struct {
	ID             string
	AppID          string
	Name           string // unique within the app
	Description    string
	RestDays       int             // bit w: weekday w, 0 = Sunday
	Days           json.RawMessage // list of CalendarDay by date, at most 2,000; nil: none, or not read
	QuietWindows   json.RawMessage // list of QuietWindow; nil: none
	Version        int             // counts edits from 1
	AppliedVersion int             // the version by which the next fires of all its jobs have been computed
	CreatedAt      time.Time       `gorm:"autoCreateTime:false"`
	UpdatedAt      time.Time       `gorm:"autoUpdateTime:false"`
}

// Kinds of a dated day of a calendar.
const (
	DayRest = "REST" // a holiday
	DayWork = "WORK" // a working day that makes up for one; wins over the weekday
)

// CalendarDay is a dated day of a calendar.
type CalendarDay struct {
	Date string `json:"date"` // 2026-10-01
	Kind string `json:"kind"` // DayRest or DayWork
	Name string `json:"name,omitempty"`
}

// Rules of a quiet window.
const (
	QuietSkip  = "SKIP"  // fires within it do not happen
	QuietDelay = "DELAY" // they are put off to its end
)

// QuietWindow is a time of day, in a job's zone, in which nothing fires.
type QuietWindow struct {
	Days int    `json:"days,omitempty"` // bit w: begins on weekday w, 0 = Sunday; none: every day
	From string `json:"from"`           // 22:00
	To   string `json:"to"`             // 06:00; not after From: on the next day
	Rule string `json:"rule"`           // QuietSkip or QuietDelay
}
