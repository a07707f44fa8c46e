package web

import (
	"net/http"
	"net/url"
	"strings"
)

// origins decides whether a browser's request comes from a page of ours.
type origins struct {
	public string // scheme://host of the public address; empty when unknown
}

// same says whether the Origin header names this server: the address that the
// request was sent to, or the public one. A missing header is not same, and a page that came
// without TLS is none of a server that speaks it.
func (o origins) same(r *http.Request) bool {
	origin := strings.ToLower(r.Header.Get("Origin"))
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return false
	}
	if r.TLS != nil && u.Scheme != "https" {
		return false
	}
	return u.Host == strings.ToLower(r.Host) || origin == o.public
}

// foreign says whether a browser tells that another site's page sent r.
func (o origins) foreign(r *http.Request) bool {
	if r.Header.Get("Origin") != "" && !o.same(r) {
		return true
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		return true
	default:
		return false
	}
}
