package message

import (
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// Sample is a message to preview templates with: two problems of a night.
func Sample(kind models.MessageKind) models.Message {
	at := time.Date(2026, 3, 8, 2, 14, 5, 0, time.UTC)
	before := func(d time.Duration) *time.Time { return new(at.Add(-d)) }
	m := models.Message{
		ID: "01KK5Q3M1D0000000000000000", Kind: kind, Severity: models.SeverityCritical, At: at, Zone: "Europe/Berlin",
		RuleID: "01KK5Q3M1D0000000000000001", RuleName: "Nights", Total: 2, Suppressed: 3,
		Mentions: []models.Contact{{UserID: "01KK5Q3M1D0000000000000002", Name: "ann", Email: "ann@example.com", Mobile: "+8613800000000", FeishuID: "ou_1", WecomID: "ann", SlackID: "U024BE7LH", TelegramID: "42", DiscordID: "80351110224678912"}},
		Problems: []models.Problem{{
			IncidentID: "01KK5Q3M1D0000000000000003", Title: "nightly-billing failed", Event: models.AlertRetriesExhausted, State: models.IncidentOpen,
			Severity: models.SeverityCritical, Subject: "job:01KK5Q3M1D0000000000000004", JobID: "01KK5Q3M1D0000000000000004", JobName: "nightly-billing", AppName: "shop", GroupName: "billing",
			FirstAt: at.Add(-14 * time.Minute), LastAt: at.Add(-5 * time.Second), Count: 3, TaskID: "01KK5Q3M1D0000000000000005", ScheduledAt: before(14 * time.Minute),
			Error: "connecting to <db-1>: connection refused [errno 111] & no *other* host", FailedQueue: true, TakenOver: true,
			Attempts: []models.AttemptLine{
				{Number: 3, Node: "billing-b", State: "FAILED", Error: "connection refused", StartedAt: before(65 * time.Second), Duration: 60 * time.Second},
				{Number: 2, Node: "billing-a", State: "LOST", StartedAt: before(8 * time.Minute), Duration: 5 * time.Minute},
			},
		}, {
			IncidentID: "01KK5Q3M1D0000000000000006", Title: "archive runs too long", Event: models.AlertRunTooLong, State: models.IncidentAcknowledged, Severity: models.SeverityWarning,
			Subject: "job:01KK5Q3M1D0000000000000007", JobID: "01KK5Q3M1D0000000000000007", JobName: "archive", NodeName: "billing-a", GroupName: "billing", AppName: "shop",
			FirstAt: at.Add(-9 * time.Minute), LastAt: at.Add(-9 * time.Minute), Count: 1, TaskID: "01KK5Q3M1D0000000000000008", ScheduledAt: before(25 * time.Minute),
			About: models.AlertDetail{RunningMS: (25 * time.Minute).Milliseconds(), BoundMS: (15 * time.Minute).Milliseconds(), P95MS: (5 * time.Minute).Milliseconds()},
		}},
	}
	switch kind {
	case models.MessageRecovery:
		for i := range m.Problems {
			m.Problems[i].State, m.Problems[i].ResolvedAt = models.IncidentResolved, &at
		}
	case models.MessageSilenceEnds, models.MessageChannelTest, models.MessageChannelDisabled:
		m.Problems, m.Total, m.Severity, m.Suppressed = nil, 0, models.SeverityInfo, 0
		if kind == models.MessageSilenceEnds {
			m.Silence = &models.SilenceNote{Author: "ann", Reason: "move of the database", EndsAt: at.Add(16 * time.Minute)}
		}
		m.Note = map[models.MessageKind]string{
			models.MessageSilenceEnds: "The silence of nightly-billing (move of the database) ends at 02:30.",
			models.MessageChannelTest: "ann", models.MessageChannelDisabled: `The channel "ops" was switched off: its receiver answered 410 Gone.`,
		}[kind]
	case models.MessageReport:
		m.Problems, m.Total, m.Severity, m.Suppressed, m.Report = nil, 0, models.SeverityInfo, 0, sampleReport(at)
	default: // the problems as they are
	}
	return m
}

func sampleReport(at time.Time) *models.ReportData {
	line := models.ReportLine{JobID: "01KK5Q3M1D0000000000000004", JobName: "nightly-billing", AppName: "shop", TaskID: "01KK5Q3M1D0000000000000005", Count: 2, Error: "connection refused"}
	running := models.ReportLine{JobName: "archive", AppName: "shop", TaskID: "01KK5Q3M1D0000000000000008", Count: 1, At: &at}
	return &models.ReportData{
		Name: "night", From: at.Add(-24 * time.Hour), To: at,
		Figures:  models.ReportFigures{Ran: 1204, Succeeded: 1200, Failed: 2, Recovered: 7, TakenOver: 1, Late: 3, Missed: 1, Running: 1, Slower: 1},
		Week:     models.ReportFigures{Ran: 1190, Succeeded: 1189, Failed: 1, Recovered: 4},
		Failures: []models.ReportLine{line}, Missed: []models.ReportLine{{JobName: "poll", AppName: "shop", Count: 1}}, Running: []models.ReportLine{running},
		Slow:       []models.ReportLine{{JobName: "import", AppName: "shop", Count: 3, Duration: 90 * time.Second, Usual: 40 * time.Second}},
		FailedJobs: 1, MissedJobs: 1,
	}
}
