package channel

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/message"
	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/fault"
)

// webhook is a receiver of anybody's making, after Standard Webhooks 1.0.0. Settings: url,
// secrets, headers.
var webhook = kind{
	info: Info{
		PerMinute: 600, Burst: 60, SizeLimit: 8000, SizeUnit: message.Bytes,
		Note: "Signed after Standard Webhooks 1.0.0; a request has 20 KB at most and leaves problems out beyond that.",
	},
	format: message.Plain, check: webhookCheck, request: webhookRequest, judge: webhookJudge,
}

const (
	webhookRequestLimit = 20_000 // bytes
	secretPrefix        = "whsec_"
	minSecret           = 24 // bytes
	maxSecret           = 64
	maxSecrets          = 5
	maxHeaders          = 20
)

// webhookBody is what a receiver gets; docs/alerts.md describes it.
type webhookBody struct {
	Type      string      `json:"type"`      // belfry.problem, belfry.recovery …
	Timestamp string      `json:"timestamp"` // when the message was written
	Data      webhookData `json:"data"`
}

type webhookData struct {
	ID         string             `json:"id"`
	Kind       string             `json:"kind"`
	Severity   string             `json:"severity"`
	Zone       string             `json:"zone,omitempty"`
	RuleID     string             `json:"ruleId,omitempty"`
	RuleName   string             `json:"ruleName,omitempty"`
	GroupKey   string             `json:"groupKey,omitempty"`
	Subject    string             `json:"subject"`
	Text       string             `json:"text"`
	Note       string             `json:"note,omitempty"`
	Total      int                `json:"total"`
	Suppressed int                `json:"suppressed"`
	Problems   []webhookProblem   `json:"problems"`
	Truncated  int                `json:"truncatedProblems"` // problems of total that are not in the list
	Mentions   []string           `json:"mentions"`
	Report     *models.ReportData `json:"report,omitempty"`
}

type webhookProblem struct {
	IncidentID  string           `json:"incidentId"`
	Title       string           `json:"title"`
	Event       string           `json:"event"`
	State       string           `json:"state"`
	Severity    string           `json:"severity"`
	Subject     string           `json:"subject"`
	JobID       string           `json:"jobId,omitempty"`
	JobName     string           `json:"jobName,omitempty"`
	AppName     string           `json:"appName,omitempty"`
	GroupName   string           `json:"groupName,omitempty"`
	NodeName    string           `json:"nodeName,omitempty"`
	FirstAt     time.Time        `json:"firstAt"`
	LastAt      time.Time        `json:"lastAt"`
	ResolvedAt  *time.Time       `json:"resolvedAt,omitempty"`
	Count       int              `json:"count"`
	TaskID      string           `json:"taskId,omitempty"`
	ScheduledAt *time.Time       `json:"scheduledAt,omitempty"`
	Error       string           `json:"error,omitempty"`
	Attempts    []webhookAttempt `json:"attempts,omitempty"`
	TakenOver   bool             `json:"takenOver"`
	RetryAt     *time.Time       `json:"retryAt,omitempty"`
	FailedQueue bool             `json:"failedQueue"`
	Detail      string           `json:"detail,omitempty"`
}

type webhookAttempt struct {
	Number     int        `json:"number"`
	Node       string     `json:"node,omitempty"`
	State      string     `json:"state"`
	Error      string     `json:"error,omitempty"`
	StartedAt  *time.Time `json:"startedAt,omitempty"`
	DurationMS int64      `json:"durationMs"`
}

func webhookRequest(s *Settings, out *Outgoing, at time.Time) (*call, error) {
	body, err := webhookBytes(out)
	if err != nil {
		return nil, err
	}
	header := http.Header{}
	for name, value := range s.Secret.Headers {
		header.Set(name, value)
	}
	timestamp := strconv.FormatInt(at.Unix(), 10) // of this try
	header.Set("Webhook-Id", out.Message.ID)
	header.Set("Webhook-Timestamp", timestamp)
	var signatures []string
	for _, key := range s.Secret.Secrets {
		signature, err := webhookSign(key, out.Message.ID, timestamp, body)
		if err != nil {
			return nil, err
		}
		signatures = append(signatures, signature)
	}
	if len(signatures) > 0 {
		header.Set("Webhook-Signature", strings.Join(signatures, " "))
	}
	return &call{url: s.Secret.URL, body: body, header: header}, nil
}

// webhookSign signs id, timestamp in seconds and body.
func webhookSign(text, id, timestamp string, body []byte) (string, error) {
	key, err := secretBytes(text)
	if err != nil {
		return "", err
	}
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil)), nil
}

func secretBytes(text string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(text, secretPrefix))
	if err != nil || !strings.HasPrefix(text, secretPrefix) {
		return nil, fmt.Errorf("a secret is not whsec_ and base64")
	}
	return key, nil
}

// webhookBytes writes the body, with as many problems as fit.
func webhookBytes(out *Outgoing) ([]byte, error) {
	b := webhookBody{Type: "belfry." + strings.ToLower(out.Message.Kind.String()), Timestamp: out.Message.At.UTC().Format(time.RFC3339Nano), Data: webhookDataOf(out)}
	for {
		b.Data.Truncated = b.Data.Total - len(b.Data.Problems)
		raw, err := marshal(b)
		if err != nil {
			return nil, fmt.Errorf("writing the request: %w", err)
		}
		n := len(b.Data.Problems)
		switch {
		case len(raw) <= webhookRequestLimit:
			return raw, nil
		case n > 1:
			b.Data.Problems = b.Data.Problems[:max(n*webhookRequestLimit/len(raw), 1)] // fewer, as raw is longer
		case len(b.Data.Text) > 1000:
			b.Data.Text, _ = message.Cut(b.Data.Text, len(b.Data.Text)/2, message.Bytes, message.Plain)
		case n == 1 && b.Data.Problems[0].Attempts != nil:
			b.Data.Problems[0].Attempts = nil
		case n == 1 && len(b.Data.Problems[0].Error) > 1000:
			b.Data.Problems[0].Error, _ = message.Cut(b.Data.Problems[0].Error, 1000, message.Bytes, message.Plain)
		default:
			return raw, nil // the limit is advice; what is left is one problem, or a report
		}
	}
}

func webhookDataOf(out *Outgoing) webhookData {
	m := out.Message
	d := webhookData{
		ID: m.ID, Kind: m.Kind.String(), Severity: m.Severity.String(), Zone: m.Zone, RuleID: m.RuleID, RuleName: m.RuleName,
		GroupKey: out.Notification.GroupKey, Subject: out.Text.Subject, Text: out.Text.Body, Note: m.Note, Total: m.Total, Suppressed: m.Suppressed,
		Problems: []webhookProblem{}, Mentions: mentions(m.Mentions, func(c models.Contact) string { return c.Name }), Report: m.Report,
	}
	for i := range m.Problems {
		p := &m.Problems[i]
		w := webhookProblem{
			IncidentID: p.IncidentID, Title: p.Title, Event: p.Event.String(), State: p.State.String(), Severity: p.Severity.String(), Subject: p.Subject,
			JobID: p.JobID, JobName: p.JobName, AppName: p.AppName, GroupName: p.GroupName, NodeName: p.NodeName, FirstAt: p.FirstAt, LastAt: p.LastAt,
			ResolvedAt: p.ResolvedAt, Count: p.Count, TaskID: p.TaskID, ScheduledAt: p.ScheduledAt, Error: p.Error, TakenOver: p.TakenOver,
			RetryAt: p.RetryAt, FailedQueue: p.FailedQueue, Detail: p.Detail,
		}
		for _, a := range p.Attempts {
			w.Attempts = append(w.Attempts, webhookAttempt{a.Number, a.Node, a.State, a.Error, a.StartedAt, a.Duration.Milliseconds()})
		}
		d.Problems = append(d.Problems, w)
	}
	return d
}

// webhookJudge: any 2xx is success, 410 ends the subscription, the rest is tried again.
func webhookJudge(a *answer) Result { return byStatus(a, []int{http.StatusGone}, nil) }

var (
	headerName  = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$")
	headerValue = regexp.MustCompile(`^[\t\x20-\x7e\x{80}-\x{ff}]{0,1000}$`)
)

func webhookCheck(s *Settings) fault.List {
	wrong := addressed(s)
	if len(s.Secret.Secrets) > maxSecrets {
		wrong.Add(fault.At("secrets", fault.Limit, "There are %d secrets; %d are enough to change keys.", len(s.Secret.Secrets), maxSecrets))
	}
	for _, text := range s.Secret.Secrets {
		if key, err := secretBytes(text); err != nil || len(key) < minSecret || len(key) > maxSecret {
			wrong.Add(fault.At("secrets", fault.Invalid, "A secret is not %s followed by %d to %d random bytes in base64; make one with: echo %s$(openssl rand -base64 32)", secretPrefix, minSecret, maxSecret, secretPrefix))
			break
		}
	}
	if len(s.Secret.Headers) > maxHeaders {
		wrong.Add(fault.At("headers", fault.Limit, "There are %d headers; there may be %d.", len(s.Secret.Headers), maxHeaders))
	}
	for name, value := range s.Secret.Headers {
		switch lower := strings.ToLower(name); {
		case !headerName.MatchString(name) || !headerValue.MatchString(value):
			wrong.Add(fault.At("headers", fault.Invalid, "The header %q, or its value, holds a character that a header cannot have.", name))
		case value == secret.Mask:
			wrong.Add(fault.At("headers", fault.Invalid, "Of the header %q no value is stored that could stay; write it out.", name))
		case strings.HasPrefix(lower, "webhook-") || lower == "host" || lower == "content-type" || lower == "content-length" || lower == "transfer-encoding" || lower == "connection":
			wrong.Add(fault.At("headers", fault.Invalid, "The header %q is set by the server itself.", name))
		}
	}
	return wrong
}
