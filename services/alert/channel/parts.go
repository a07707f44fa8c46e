package channel

import (
	"encoding/json"
	"strconv"
	"strings"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/alert/message"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/outbound"
)

// within makes a text of a body and what stands around it, with the body cut so that the
// whole keeps to a kind's limit.
func within(k *kind, body, foot string, around func(body string) string) string {
	unit := k.info.SizeUnit
	whole := around(body)
	if unit.Size(whole) <= k.info.SizeLimit {
		return whole
	}
	frame := unit.Size(around(""))
	cut, _ := message.Shorten(body, foot, k.info.SizeLimit-frame, unit, k.format)
	return around(cut)
}

// mentions are the texts of those people that a service can name.
func mentions(people []models.Contact, of func(models.Contact) string) []string {
	all := []string{} // JSON: a list, and not null
	for _, c := range people {
		if text := of(c); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// atEnd puts mentions on a line of their own at the end.
func atEnd(body string, mentions []string) string {
	if len(mentions) == 0 {
		return body
	}
	return body + "\n" + strings.Join(mentions, " ")
}

// addressed checks the address that most kinds are set to.
func addressed(s *Settings) fault.List {
	var wrong fault.List
	wrong.Add(outbound.CheckURL("url", s.Secret.URL))
	return wrong
}

// colour is a message's colour as a number.
func colour(m *models.Message) int64 {
	n, _ := strconv.ParseInt(strings.TrimPrefix(message.Color(m), "#"), 16, 64) // a constant of ours
	return n
}

// coded is what DingTalk and WeCom answer, with status 200 whatever happened.
type coded struct {
	Code    *int   `json:"errcode"`
	Message string `json:"errmsg"`
}

// readCoded reads such an answer; ok says whether it is one.
func readCoded(a *answer) (c coded, ok bool) {
	return c, json.Unmarshal(a.body, &c) == nil && c.Code != nil
}

// unreadable is the result of an answer that is none of the service's own.
func unreadable(a *answer) Result {
	if a.status >= 200 && a.status < 300 {
		return Result{Class: Temporary, Error: "the receiver answered 200, but not as this service does: is the address right?"}
	}
	return byStatus(a, nil, nil)
}

// failedWith is a result that tells the service's own code.
func failedWith(class Class, code int, text string) Result {
	return Result{Class: class, Error: "the receiver answered error " + strconv.Itoa(code) + ": " + text}
}
