package message

import "github.com/belfry-scheduler/belfry/models"

var chinese = words{
	severities: map[models.Severity]string{models.SeverityInfo: "提示", models.SeverityWarning: "警告", models.SeverityCritical: "严重"},
	events: map[models.AlertEventKind]string{
		models.AlertAttemptFailed: "一次尝试失败", models.AlertRetriesExhausted: "失败，已无重试机会", models.AlertRecovered: "已恢复",
		models.AlertTimedOut: "执行超时", models.AlertLost: "执行节点失联", models.AlertPoison: "多次拖垮执行进程，已搁置",
		models.AlertParked: "未执行即被搁置", models.AlertFireMissed: "未按计划执行", models.AlertFireLate: "延迟启动",
		models.AlertScheduleStopped: "调度已停止", models.AlertRunTooLong: "运行时间过长", models.AlertNotFinishedBy: "未按时完成",
		models.AlertNodeOffline: "节点离线", models.AlertGroupEmpty: "节点组没有节点", models.AlertQueueBacklog: "队列积压",
		models.AlertServerLost: "服务器失联", models.AlertRedisDegraded: "Redis 异常", models.AlertDatabaseDegraded: "数据库异常",
	},
	states:   map[string]string{"OPEN": "未处理", "ACKNOWLEDGED": "已确认", "RESOLVED": "已解决", "SUCCEEDED": "成功", "FAILED": "失败", "CANCELLED": "已取消", "LOST": "失联", "TIMED_OUT": "超时", "RUNNING": "运行中"},
	units:    [5]string{" 天", " 小时", " 分", " 秒", " 毫秒"},
	once:     "1 次",
	often:    "%d 次",
	disabled: "渠道 %c 已被停用。%w",
	merged:   "%a 至 %b 的 %n 条消息因渠道不可用或积压合并为本条。",
	details: details{
		overBound: "已运行 %r|，上限为 %b|。", overUsual: "已运行 %r，100 次执行中有 95 次不超过 %u。",
		late: "已延迟 %l。", lateLine: "%n 个任务延迟|，最久的已延迟 %l|。", missed: "错过 %n 次触发。|%w",
		unfinished: "应在 %t 前完成。", backlog: "%n 个任务到期未执行|（上限 %d）|，最久的已等待 %l|（上限 %b）|。",
		silent: "已 %l 没有消息。", atLeast: "至少 %n",
		reasons: map[string]string{
			models.ReasonNoRetry: "处理器要求不再重试。", models.ReasonAtMostOnce: "执行节点失联，且该作业不允许重复执行。",
			models.ReasonPoison: "执行进程已三次因它终止。", models.ReasonNodeAway: "指定的节点不在线。",
			models.ReasonChildrenFailed: "部分子任务失败。", models.ReasonNoWorker: "没有可执行它的节点。",
			models.ReasonMisfireSkipped: "当时没有服务器在线。", models.ReasonMisfireCoalesced: "当时没有服务器在线，已补执行一次。",
			models.ReasonMisfireLimit: "当时没有服务器在线，错过的次数过多，不再补执行。",
		},
	},
	shared:   chineseShared,
	subjects: chineseSubjects,
	bodies: map[models.MessageKind]string{
		models.MessageProblem: `{{template "problems" .}}{{template "foot" .}}`,
		models.MessageDigest: `{{if .Note}}{{.Note}}

{{end}}{{template "list" .}}{{template "foot" .}}`,
		models.MessageEscalation: `{{bold "至今无人确认。"}}

{{template "problems" .}}{{template "foot" .}}`,
		models.MessageRecovery: `{{range .Problems}}{{bold (name .)}}：已恢复{{with .ResolvedAt}}（{{time .}}）{{end}}{{if .ResolvedAt}}，持续 {{between .FirstAt .ResolvedAt}}{{end}}，共 {{times .Count}}
{{link "告警" (incidentURL .IncidentID)}}

{{end}}{{template "more" .}}{{template "foot" .}}`,
		models.MessageFlapping: `{{bold "问题反复出现又恢复。"}}稳定之前只通知一次。

{{template "problems" .}}{{template "foot" .}}`,
		models.MessageSilenceEnds: `{{with .Silence}}{{.Author}} 的{{if .Maintenance}}维护窗口{{else}}屏蔽{{end}}（{{.Reason}}）将于 {{time .EndsAt}} 结束。
届时仍未恢复的问题会发出通知。
{{link "屏蔽" (consoleURL "/alerts/silences")}}{{else}}{{.Note}}{{end}}
{{template "foot" .}}`,
		models.MessageReport: `{{template "report" .}}{{template "foot" .}}`,
		models.MessageChannelTest: `这是一条测试消息，此渠道工作正常。
{{with .Note}}由 {{.}} 发起。{{end}}
{{template "foot" .}}`,
		models.MessageChannelDisabled: `{{.Note}}
在有人修复并重新启用之前，不会再通过它发送任何消息。
{{link "渠道" (consoleURL "/alerts/channels")}}
{{template "foot" .}}`,
	},
}

var chineseSubjects = map[models.MessageKind]string{
	models.MessageProblem:         `{{severity .Severity}}：{{range $i, $p := .Problems}}{{if eq $i 0}}{{name $p}} {{event $p.Event}}{{end}}{{end}}{{if gt .Total 1}}，另有 {{sub .Total 1}} 个问题{{end}}`,
	models.MessageDigest:          `{{severity .Severity}}：共 {{.Total}} 个问题{{with .RuleName}}（{{.}}）{{end}}`,
	models.MessageEscalation:      `{{severity .Severity}}，无人确认：{{range $i, $p := .Problems}}{{if eq $i 0}}{{name $p}} {{event $p.Event}}{{end}}{{end}}{{if gt .Total 1}}，另有 {{sub .Total 1}} 个问题{{end}}`,
	models.MessageRecovery:        `已恢复：{{range $i, $p := .Problems}}{{if eq $i 0}}{{name $p}}{{end}}{{end}}{{if gt .Total 1}} 等 {{.Total}} 个问题{{end}}`,
	models.MessageFlapping:        `{{severity .Severity}}，反复出现：{{range $i, $p := .Problems}}{{if eq $i 0}}{{name $p}}{{end}}{{end}}`,
	models.MessageSilenceEnds:     `屏蔽即将结束`,
	models.MessageReport:          `晨报{{with .Report}}{{with .Name}} {{.}}{{end}}：执行 {{.Figures.Ran}}，失败 {{.Figures.Failed}}{{with .Figures.Missed}}，错过 {{.}}{{end}}{{end}}`,
	models.MessageChannelTest:     `Belfry：测试`,
	models.MessageChannelDisabled: `一个渠道已被停用`,
}

const chineseShared = `{{define "problem"}}{{bold (name .)}}：{{event .Event}}（{{severity .Severity}}{{if is .State "ACKNOWLEDGED"}}，已确认{{end}}）
始于 {{time .FirstAt}}（已持续 {{since .FirstAt}}），共 {{times .Count}}{{if gt .Count 1}}，最近 {{time .LastAt}}{{end}}
{{with .ScheduledAt}}计划时间：{{time .}}
{{end}}{{with .Detail}}{{line .}}
{{end}}{{with .Error}}错误：{{code .}}
{{end}}{{range .Attempts}}第 {{.Number}} 次{{with .Node}}，节点 {{.}}{{end}}：{{state .State}}{{with .StartedAt}}，开始 {{clock .}}{{end}}{{if .Duration}}，用时 {{duration .Duration}}{{end}}{{with .Error}}：{{code (cut 200 .)}}{{end}}
{{end}}{{if .TakenOver}}已由其他节点接管。
{{end}}{{with .RetryAt}}将于 {{time .}} 重试。
{{end}}{{if .FailedQueue}}在失败队列中等待人工处理。
{{end}}{{with .NodeName}}节点：{{.}}
{{end}}{{with taskURL .TaskID}}{{link "任务" .}}
{{end}}{{with incidentURL .IncidentID}}{{link "确认或屏蔽" .}}
{{end}}
{{end}}{{define "problems"}}{{range $i, $p := .Problems}}{{if lt $i 5}}{{template "problem" $p}}{{else}}{{template "item" $p}}{{end}}{{end}}{{template "more" .}}{{end}}{{define "list"}}{{range .Problems}}{{template "item" .}}{{end}}{{template "more" .}}{{end}}{{define "item"}}{{bold (name .)}}：{{event .Event}}（{{severity .Severity}}），{{times .Count}}，{{time .FirstAt}}{{if .ResolvedAt}}，已恢复{{end}}
{{with .Error}}{{code (cut 160 .)}}
{{end}}{{with incidentURL .IncidentID}}{{link "告警" .}}
{{end}}{{end}}{{define "more"}}{{if gt .Total (len .Problems)}}……另有 {{sub .Total (len .Problems)}} 个问题。
{{end}}{{end}}{{define "foot"}}{{footMark}}
{{range $i, $c := .Mentions}}{{if $i}}、{{else}}请关注：{{end}}{{$c.Name}}{{end}}{{if .Mentions}}
{{end}}{{if .Suppressed}}此前有 {{.Suppressed}} 条消息未发送。
{{end}}{{if dropped}}渠道不可用期间有 {{dropped}} 条消息因过期被丢弃。
{{end}}{{with .RuleName}}规则：{{.}}
{{end}}{{time .At}} · {{zone}} · {{.ID}}
{{end}}{{define "report"}}{{with .Report}}{{bold (or .AppName "全部应用")}}，{{time .From}} 至 {{time .To}}
{{with .Figures}}执行 {{.Ran}}，成功 {{.Succeeded}}，失败 {{bold .Failed}}
重试后成功 {{.Recovered}}，被接管 {{.TakenOver}}，延迟 {{.Late}}，错过 {{.Missed}}，运行中 {{.Running}}，比平时慢 {{.Slower}}
{{end}}{{with .Week}}前七天日均：执行 {{.Ran}}，失败 {{.Failed}}，重试后成功 {{.Recovered}}，被接管 {{.TakenOver}}，延迟 {{.Late}}，错过 {{.Missed}}
{{end}}{{if .Failures}}
{{bold "失败"}}
{{range .Failures}}{{.AppName}} / {{.JobName}}，{{times .Count}}{{with .Error}}：{{code (cut 120 .)}}{{end}}{{with taskURL .TaskID}} {{link "任务" .}}{{end}}
{{end}}{{end}}{{if .Missed}}
{{bold "错过"}}
{{range .Missed}}{{.AppName}} / {{.JobName}}，{{times .Count}}
{{end}}{{end}}{{if .Running}}
{{bold "仍在运行"}}
{{range .Running}}{{.AppName}} / {{.JobName}}{{with .At}}，始于 {{time .}}{{end}}{{with taskURL .TaskID}} {{link "任务" .}}{{end}}
{{end}}{{end}}{{if .Slow}}
{{bold "比平时慢"}}
{{range .Slow}}{{.AppName}} / {{.JobName}}：{{duration .Duration}}，平时 {{duration .Usual}}
{{end}}{{end}}{{link "查看报告" (reportURL .)}}
{{end}}{{end}}`
