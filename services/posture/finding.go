// Package posture says what is weak in an installation: pure rules over facts that are
// gathered beside them. The console's page of security and "belfry doctor" show the same
// list.
package posture

import (
	"cmp"
	"slices"
)

// Severity says how much a weakness matters.
type Severity string

// Severities, worst first.
const (
	High   Severity = "HIGH"   // who can reach the installation can probably use it now
	Medium Severity = "MEDIUM" // one more mistake, or one thief, and it can be used
	Low    Severity = "LOW"    // good order that is missing
)

var ranks = map[Severity]int{High: 0, Medium: 1, Low: 2}

// Code names a weakness; it never changes.
type Code string

// Codes of weaknesses.
const (
	NoTLS              Code = "NO_TLS"
	CertificateEnds    Code = "CERTIFICATE_ENDS"
	SecretKeyOld       Code = "SECRET_KEY_OLD"
	SecretKeyUnknown   Code = "SECRET_KEY_UNKNOWN"
	TokenWithoutEnd    Code = "TOKEN_WITHOUT_END"
	TokenUnused        Code = "TOKEN_UNUSED"
	AppKeyUnused       Code = "APP_KEY_UNUSED"
	AppKeyOld          Code = "APP_KEY_OLD"
	AdminSingle        Code = "ADMIN_SINGLE"
	AdminShared        Code = "ADMIN_SHARED"
	AdminOneFactor     Code = "ADMIN_ONE_FACTOR"
	IntrospectionOpen  Code = "INTROSPECTION_OPEN"
	ClockOff           Code = "CLOCK_OFF"
	RedisNoPassword    Code = "REDIS_NO_PASSWORD"
	RedisNoTLS         Code = "REDIS_NO_TLS"
	DatabaseNoTLS      Code = "DATABASE_NO_TLS"
	DatabaseNoPassword Code = "DATABASE_NO_PASSWORD"
	DatabaseRoot       Code = "DATABASE_ROOT"
	AllowListWide      Code = "ALLOW_LIST_WIDE"
	MaskingOff         Code = "MASKING_OFF"
)

// Codes are all of them.
var Codes = []Code{
	NoTLS, CertificateEnds, SecretKeyOld, SecretKeyUnknown, TokenWithoutEnd, TokenUnused, AppKeyUnused, AppKeyOld, AdminSingle, AdminShared,
	AdminOneFactor, IntrospectionOpen, ClockOff, RedisNoPassword, RedisNoTLS, DatabaseNoTLS, DatabaseNoPassword, DatabaseRoot, AllowListWide, MaskingOff,
}

// Finding is one weakness.
type Finding struct {
	Code     Code
	Severity Severity
	What     string   // a sentence
	Remedy   string   // a sentence that says what to do
	Subjects []string // names of what it is about, in order, at most mostSubjects; may be empty
	Count    int      // of all subjects
}

// mostSubjects bounds the names of one finding.
const mostSubjects = 20

// about fills in the subjects of a finding.
func (f Finding) about(names []string) Finding {
	slices.Sort(names)
	f.Count = len(names)
	f.Subjects = names[:min(len(names), mostSubjects)]
	return f
}

// Findings are the weaknesses that the facts show, worst first and then by code.
func Findings(f *Facts) []Finding {
	var all []Finding
	for _, rule := range []func(*Facts) []Finding{reached, secretKeys, tokens, appKeys, people, clocks, redis, database, settings} {
		all = append(all, rule(f)...)
	}
	slices.SortFunc(all, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(ranks[a.Severity], ranks[b.Severity]), cmp.Compare(a.Code, b.Code))
	})
	return all
}
