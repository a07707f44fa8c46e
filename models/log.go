package models

import "encoding/json"

// Levels of log lines.
const (
	LogDebug = "DEBUG"
	LogInfo  = "INFO"
	LogWarn  = "WARN"
	LogError = "ERROR"
)

// LogRank orders the levels: 1 to 4; anything else counts as INFO.
func LogRank(level string) uint8 {
	switch level {
	case LogDebug:
		return 1
	case LogWarn:
		return 3
	case LogError:
		return 4
	}
	return 2
}

// LogChunk is a run of log lines of one attempt. Table task_logs, key (TaskID,
// FirstSeq): a chunk that is sent twice is stored once.
type LogChunk struct {
	TaskID   string `gorm:"primaryKey"`
	FirstSeq int64  `gorm:"primaryKey;autoIncrement:false"` // attempt<<32 | the line's number, so that seq grows over all attempts
	LastSeq  int64
	TopLevel uint8 // highest LogRank of its lines; 0 of a chunk that was stored before this was noted
	Bytes    int
	Lines    json.RawMessage `gorm:"column:line_data"` // array of wire.LogLine
}

// TableName is the table's name.
func (LogChunk) TableName() string { return "task_logs" }

// LogSeq is the position of line n of an attempt within its task's log.
func LogSeq(attempt int, n int64) int64 { return int64(attempt)<<32 | n }

// SplitLogSeq is the opposite of LogSeq.
func SplitLogSeq(seq int64) (attempt int, n int64) { return int(seq >> 32), seq & (1<<32 - 1) }
