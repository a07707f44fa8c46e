package message

import "github.com/belfry-scheduler/belfry/models"

var english = words{
	severities: map[models.Severity]string{models.SeverityInfo: "Info", models.SeverityWarning: "Warning", models.SeverityCritical: "CRITICAL"},
	events: map[models.AlertEventKind]string{
		models.AlertAttemptFailed: "an attempt failed", models.AlertRetriesExhausted: "failed, no try left", models.AlertRecovered: "works again",
		models.AlertTimedOut: "ran into its time limit", models.AlertLost: "lost with its node", models.AlertPoison: "kills its worker, put aside",
		models.AlertParked: "put aside without an attempt", models.AlertFireMissed: "did not run", models.AlertFireLate: "is late",
		models.AlertScheduleStopped: "its schedule has stopped", models.AlertRunTooLong: "runs too long", models.AlertNotFinishedBy: "not finished in time",
		models.AlertNodeOffline: "node is offline", models.AlertGroupEmpty: "no node is left", models.AlertQueueBacklog: "queue is too long",
		models.AlertServerLost: "server is lost", models.AlertRedisDegraded: "Redis is in trouble", models.AlertDatabaseDegraded: "database is in trouble",
	},
	states:   map[string]string{"OPEN": "open", "ACKNOWLEDGED": "acknowledged", "RESOLVED": "resolved", "SUCCEEDED": "succeeded", "FAILED": "failed", "CANCELLED": "cancelled", "LOST": "lost", "TIMED_OUT": "timed out", "RUNNING": "running"},
	units:    [5]string{" d", " h", " min", " s", " ms"},
	once:     "once",
	often:    "%d times",
	disabled: "The channel %c was switched off. %w",
	merged:   "%n messages from %a to %b are told as one, because this channel could not be reached or was behind.",
	details: details{
		overBound: "It has been running for %r|; the bound is %b|.", overUsual: "It has been running for %r; 95 of 100 runs take at most %u.",
		late: "It is %l late.", lateLine: "%n tasks are late|, the oldest by %l|.", missed: "Fires that were missed: %n.| %w",
		unfinished: "It was to be finished by %t.", backlog: "%n tasks are due| (the bound is %d)|, the oldest for %l| (the bound is %b)|.",
		silent: "It has not been heard of for %l.", atLeast: "at least %n",
		reasons: map[string]string{
			models.ReasonNoRetry: "The handler asked for no further try.", models.ReasonAtMostOnce: "Its node was lost, and the job must not run twice.",
			models.ReasonPoison: "Its process died under it three times.", models.ReasonNodeAway: "The node that it is pinned to was away.",
			models.ReasonChildrenFailed: "Some of the tasks that it was spread over failed.", models.ReasonNoWorker: "No worker was there that could run it.",
			models.ReasonMisfireSkipped: "No server was there in time.", models.ReasonMisfireCoalesced: "No server was there in time; one run makes up for them.",
			models.ReasonMisfireLimit: "No server was there in time, and there were too many to make up for.",
		},
	},
	shared:   englishShared,
	subjects: englishSubjects,
	bodies: map[models.MessageKind]string{
		models.MessageProblem: `{{template "problems" .}}{{template "foot" .}}`,
		models.MessageDigest: `{{if .Note}}{{.Note}}

{{end}}{{template "list" .}}{{template "foot" .}}`,
		models.MessageEscalation: `{{bold "Nobody has acknowledged this yet."}}

{{template "problems" .}}{{template "foot" .}}`,
		models.MessageRecovery: `{{range .Problems}}{{bold (name .)}}: over{{with .ResolvedAt}} since {{time .}}{{end}}.{{if .ResolvedAt}} It lasted {{between .FirstAt .ResolvedAt}},{{end}} {{times .Count}}.
{{link "Incident" (incidentURL .IncidentID)}}

{{end}}{{template "more" .}}{{template "foot" .}}`,
		models.MessageFlapping: `{{bold "It comes and goes."}} It is told once until it has settled.

{{template "problems" .}}{{template "foot" .}}`,
		models.MessageSilenceEnds: `{{with .Silence}}{{if .Maintenance}}The maintenance window{{else}}The silence{{end}} of {{.Author}} ({{.Reason}}) ends at {{time .EndsAt}}.
What still goes on is told then.
{{link "Silences" (consoleURL "/alerts/silences")}}{{else}}{{.Note}}{{end}}
{{template "foot" .}}`,
		models.MessageReport: `{{template "report" .}}{{template "foot" .}}`,
		models.MessageChannelTest: `This is a test of this channel. It works.
{{with .Note}}Asked for by {{.}}.{{end}}
{{template "foot" .}}`,
		models.MessageChannelDisabled: `{{.Note}}
Nothing is sent by it until a person has mended it and switched it on again.
{{link "Channels" (consoleURL "/alerts/channels")}}
{{template "foot" .}}`,
	},
}

var englishSubjects = map[models.MessageKind]string{
	models.MessageProblem:         `{{severity .Severity}}: {{range $i, $p := .Problems}}{{if eq $i 0}}{{name $p}}: {{event $p.Event}}{{end}}{{end}}{{if gt .Total 1}} and {{sub .Total 1}} more{{end}}`,
	models.MessageDigest:          `{{severity .Severity}}: {{.Total}} {{if eq .Total 1}}problem{{else}}problems{{end}}{{with .RuleName}} ({{.}}){{end}}`,
	models.MessageEscalation:      `{{severity .Severity}}, not acknowledged: {{range $i, $p := .Problems}}{{if eq $i 0}}{{name $p}}: {{event $p.Event}}{{end}}{{end}}{{if gt .Total 1}} and {{sub .Total 1}} more{{end}}`,
	models.MessageRecovery:        `Over: {{range $i, $p := .Problems}}{{if eq $i 0}}{{name $p}}{{end}}{{end}}{{if gt .Total 1}} and {{sub .Total 1}} more{{end}}`,
	models.MessageFlapping:        `{{severity .Severity}}, comes and goes: {{range $i, $p := .Problems}}{{if eq $i 0}}{{name $p}}{{end}}{{end}}`,
	models.MessageSilenceEnds:     `A silence is about to end`,
	models.MessageReport:          `Report{{with .Report}}{{with .Name}} {{.}}{{end}}: {{.Figures.Ran}} ran, {{.Figures.Failed}} failed{{with .Figures.Missed}}, {{.}} missed{{end}}{{end}}`,
	models.MessageChannelTest:     `Belfry: test`,
	models.MessageChannelDisabled: `A channel was switched off`,
}

const englishShared = `{{define "problem"}}{{bold (name .)}}: {{event .Event}} ({{severity .Severity}}{{if is .State "ACKNOWLEDGED"}}, acknowledged{{end}})
Since {{time .FirstAt}} ({{since .FirstAt}}), {{times .Count}}{{if gt .Count 1}}, last {{time .LastAt}}{{end}}
{{with .ScheduledAt}}Run of {{time .}}
{{end}}{{with .Detail}}{{line .}}
{{end}}{{with .Error}}Error: {{code .}}
{{end}}{{range .Attempts}}Attempt {{.Number}}{{with .Node}} on {{.}}{{end}}: {{state .State}}{{with .StartedAt}}, began {{clock .}}{{end}}{{if .Duration}}, took {{duration .Duration}}{{end}}{{with .Error}}: {{code (cut 200 .)}}{{end}}
{{end}}{{if .TakenOver}}Another node has taken it over.
{{end}}{{with .RetryAt}}It is tried again at {{time .}}.
{{end}}{{if .FailedQueue}}It waits in the failed queue for a person.
{{end}}{{with .NodeName}}Node: {{.}}
{{end}}{{with taskURL .TaskID}}{{link "Task" .}}
{{end}}{{with incidentURL .IncidentID}}{{link "Acknowledge or silence" .}}
{{end}}
{{end}}{{define "problems"}}{{range $i, $p := .Problems}}{{if lt $i 5}}{{template "problem" $p}}{{else}}{{template "item" $p}}{{end}}{{end}}{{template "more" .}}{{end}}{{define "list"}}{{range .Problems}}{{template "item" .}}{{end}}{{template "more" .}}{{end}}{{define "item"}}{{bold (name .)}}: {{event .Event}} ({{severity .Severity}}), {{times .Count}}, {{time .FirstAt}}{{if .ResolvedAt}}, over{{end}}
{{with .Error}}{{code (cut 160 .)}}
{{end}}{{with incidentURL .IncidentID}}{{link "Incident" .}}
{{end}}{{end}}{{define "more"}}{{if gt .Total (len .Problems)}}… and {{sub .Total (len .Problems)}} more.
{{end}}{{end}}{{define "foot"}}{{footMark}}
{{range $i, $c := .Mentions}}{{if $i}}, {{else}}For {{end}}{{$c.Name}}{{end}}{{if .Mentions}}
{{end}}{{if .Suppressed}}{{.Suppressed}} messages before this one were not sent.
{{end}}{{if dropped}}{{dropped}} messages became too old while this channel could not be reached, and were dropped.
{{end}}{{with .RuleName}}Rule: {{.}}
{{end}}{{time .At}} · {{zone}} · {{.ID}}
{{end}}{{define "report"}}{{with .Report}}{{bold (or .AppName "All apps")}}, {{time .From}} to {{time .To}}
{{with .Figures}}Ran: {{.Ran}}, succeeded: {{.Succeeded}}, failed: {{bold .Failed}}
Recovered: {{.Recovered}}, taken over: {{.TakenOver}}, late: {{.Late}}, missed: {{.Missed}}, running: {{.Running}}, slower than usual: {{.Slower}}
{{end}}{{with .Week}}A day of the week before: ran {{.Ran}}, failed {{.Failed}}, recovered {{.Recovered}}, taken over {{.TakenOver}}, late {{.Late}}, missed {{.Missed}}
{{end}}{{if .Failures}}
{{bold "Failed"}}
{{range .Failures}}{{.AppName}} / {{.JobName}}, {{times .Count}}{{with .Error}}: {{code (cut 120 .)}}{{end}}{{with taskURL .TaskID}} {{link "Task" .}}{{end}}
{{end}}{{end}}{{if .Missed}}
{{bold "Missed"}}
{{range .Missed}}{{.AppName}} / {{.JobName}}, {{times .Count}}
{{end}}{{end}}{{if .Running}}
{{bold "Still running"}}
{{range .Running}}{{.AppName}} / {{.JobName}}{{with .At}} since {{time .}}{{end}}{{with taskURL .TaskID}} {{link "Task" .}}{{end}}
{{end}}{{end}}{{if .Slow}}
{{bold "Slower than usual"}}
{{range .Slow}}{{.AppName}} / {{.JobName}}: {{duration .Duration}} instead of {{duration .Usual}}
{{end}}{{end}}{{link "The report" (reportURL .)}}
{{end}}{{end}}`
