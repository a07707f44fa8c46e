package message

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/belfry-scheduler/belfry/models"
)

// What is special about a problem is a sentence of the language; a part that nothing is
// known of is left out, and a code that people do not know is shown to nobody.
func TestDetails(t *testing.T) {
	t.Parallel()
	until := time.Date(2026, 3, 29, 4, 30, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		event     models.AlertEventKind
		about     models.AlertDetail
		en, zh    string
		otherwise string
	}{
		"bound":           {event: models.AlertRunTooLong, about: models.AlertDetail{RunningMS: 90_000, BoundMS: 60_000}, en: "It has been running for 1 min 30 s; the bound is 1 min.", zh: "已运行 1 分 30 秒，上限为 1 分。"},
		"usual":           {event: models.AlertRunTooLong, about: models.AlertDetail{RunningMS: 90_000, BoundMS: 60_000, P95MS: 30_000}, en: "It has been running for 1 min 30 s; 95 of 100 runs take at most 30 s.", zh: "已运行 1 分 30 秒，100 次执行中有 95 次不超过 30 秒。"},
		"late":            {event: models.AlertFireLate, about: models.AlertDetail{LateMS: 600_000}, en: "It is 10 min late.", zh: "已延迟 10 分。"},
		"a late line":     {event: models.AlertFireLate, about: models.AlertDetail{LateMS: 600_000, Count: 2000, AtLeast: true}, en: "at least 2000 tasks are late, the oldest by 10 min.", zh: "至少 2000 个任务延迟，最久的已延迟 10 分。"},
		"missed":          {event: models.AlertFireMissed, about: models.AlertDetail{Count: 3, Reason: models.ReasonNoWorker}, en: "Fires that were missed: 3. No worker was there that could run it.", zh: "错过 3 次触发。没有可执行它的节点。"},
		"missed, why not": {event: models.AlertFireMissed, about: models.AlertDetail{Count: 3, Reason: "SOMETHING_NEW"}, en: "Fires that were missed: 3.", zh: "错过 3 次触发。"},
		"unfinished":      {event: models.AlertNotFinishedBy, about: models.AlertDetail{Until: &until, LateMS: 3000}, en: "It was to be finished by 2026-03-29 06:30 CEST.", zh: "应在 2026-03-29 06:30 CEST 前完成。"},
		"backlog, depth":  {event: models.AlertQueueBacklog, about: models.AlertDetail{Count: 900, Depth: 500, LateMS: 60_000}, en: "900 tasks are due (the bound is 500), the oldest for 1 min.", zh: "900 个任务到期未执行（上限 500），最久的已等待 1 分。"},
		"backlog, age":    {event: models.AlertQueueBacklog, about: models.AlertDetail{Count: 9, LateMS: 7_200_000, BoundMS: 3_600_000}, en: "9 tasks are due, the oldest for 2 h (the bound is 1 h).", zh: "9 个任务到期未执行，最久的已等待 2 小时（上限 1 小时）。"},
		"server":          {event: models.AlertServerLost, about: models.AlertDetail{LateMS: 9_000}, en: "It has not been heard of for 9 s.", zh: "已 9 秒 没有消息。"},
		"why no retry":    {event: models.AlertRetriesExhausted, about: models.AlertDetail{Reason: models.ReasonAtMostOnce}, en: "Its node was lost, and the job must not run twice.", zh: "执行节点失联，且该作业不允许重复执行。"},
		"sentences":       {event: models.AlertRedisDegraded, about: models.AlertDetail{Sentences: []string{"belfry-1: Redis is away.", "belfry-2: Redis is away."}}, en: "belfry-1: Redis is away. belfry-2: Redis is away.", zh: "belfry-1: Redis is away. belfry-2: Redis is away."},
		"a code":          {event: models.AlertAttemptFailed, about: models.AlertDetail{Reason: models.ReasonRetriesExhausted}},
		"an old message":  {event: models.AlertAttemptFailed, otherwise: "As it was said.", en: "As it was said.", zh: "As it was said."},
	} {
		m := models.Message{Zone: "Europe/Berlin", Problems: []models.Problem{{Event: tt.event, About: tt.about, Detail: tt.otherwise}}}
		for language, want := range map[string]string{English: tt.en, Chinese: tt.zh} {
			text, err := Render(m, Options{Language: language, Body: "{{range .Problems}}{{.Detail}}{{end}}"})
			if err != nil || text.Body != want {
				t.Errorf("%s in %s: %q, not %q (%v)", name, language, text.Body, want, err)
			}
		}
		if m.Problems[0].Detail != tt.otherwise {
			t.Errorf("%s: rendering changed the message itself", name)
		}
		if Describe(&m); m.Problems[0].Detail != tt.en {
			t.Errorf("%s: described as %q, not %q", name, m.Problems[0].Detail, tt.en)
		}
	}
}

// A message that was written before there was more to know is told as it was.
func TestOldMessagesAreReadable(t *testing.T) {
	t.Parallel()
	var m models.Message
	old := `{"ID":"x","Kind":6,"Severity":1,"At":"2026-03-08T02:14:05Z","Note":"The silence of ann (move) ends at 02:30.","Problems":null}`
	if err := json.Unmarshal([]byte(old), &m); err != nil {
		t.Fatal(err)
	}
	text, err := Render(m, Options{Language: Chinese})
	if err != nil || !strings.Contains(text.Body, m.Note) {
		t.Errorf("%v\n%s", err, text.Body)
	}
}

// The address in a report opens the report that was told, not today's.
func TestAddressOfTheReport(t *testing.T) {
	t.Parallel()
	m := Sample(models.MessageReport)
	m.Zone, m.Report.To, m.Report.AppID = "Asia/Shanghai", time.Date(2026, 3, 8, 0, 30, 0, 0, time.UTC), "01KK5Q3M1D000000000000000A"
	text, err := Render(m, Options{BaseURL: "https://belfry.example.com"})
	want := "https://belfry.example.com/reports?app=01KK5Q3M1D000000000000000A&at=08%3A30&day=2026-03-08&zone=Asia%2FShanghai"
	if err != nil || !strings.Contains(text.Body, want+"\n") {
		t.Errorf("%v: there is no %s in\n%s", err, want, text.Body)
	}
}
