package schedule

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
)

// ZoneError says why a time zone name is refused and what to write instead.
type ZoneError struct {
	Name    string // as given
	Message string // a sentence without final stop
}

// Error implements error.
func (e *ZoneError) Error() string { return e.Message }

// zones keeps every zone loaded, by name, so that a million jobs in one zone
// share its tables. Only names of the zone database get in, about 600.
var zones sync.Map

var zoneName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+){0,2}$`)

// notZones are names that the loader finds on some systems and that are no
// zones of the database: the machine's own zone, and copies with other rules.
var notZones = regexp.MustCompile(`^(Local|localtime|Factory|posixrules|(posix|right)/.*)$`)

// LoadZone returns the time zone of an IANA name such as Europe/Berlin. The
// empty name is UTC. The machine's own zone (Local), paths, abbreviations and
// bare offsets are refused. The error is a *ZoneError.
func LoadZone(name string) (*time.Location, error) {
	if name == "" || name == "UTC" {
		return time.UTC, nil
	}
	if zone, ok := zones.Load(name); ok {
		return zone.(*time.Location), nil
	}
	if !zoneName.MatchString(name) || notZones.MatchString(name) {
		return nil, zoneError(name)
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return nil, zoneError(name)
	}
	kept, known := zones.LoadOrStore(name, zone)
	zone = kept.(*time.Location)
	if !known {
		spans.Store(zone, &zoneSpans{zone: zone})
	}
	return zone, nil
}

func zoneError(name string) error {
	shown := name
	if len(shown) > 64 {
		shown = shown[:64] + "…"
	}
	message := fmt.Sprintf("time zone %q is not in the IANA database; write a name such as Europe/Berlin, America/New_York or UTC", shown)
	if name == "Local" || name == "localtime" {
		message = fmt.Sprintf("time zone %q would depend on the machine; write the IANA name of the zone that is meant, such as Europe/Berlin", name)
	} else if better := suggestZone(name); better != "" {
		message = fmt.Sprintf("time zone %q is not in the IANA database; did you mean %s?", shown, better)
	}
	return &ZoneError{Name: name, Message: message}
}

// wellMeant maps names people often write, in lower case, to the zone they
// mean. Abbreviations that stand for several zones are left out.
var wellMeant = map[string]string{
	"asia/beijing": "Asia/Shanghai", "beijing": "Asia/Shanghai", "china standard time": "Asia/Shanghai",
	"asia/shenzhen": "Asia/Shanghai", "asia/guangzhou": "Asia/Shanghai", "prc standard time": "Asia/Shanghai",
	"asia/delhi": "Asia/Kolkata", "asia/mumbai": "Asia/Kolkata", "asia/bangalore": "Asia/Kolkata", "india standard time": "Asia/Kolkata",
	"tokyo standard time": "Asia/Tokyo", "jst": "Asia/Tokyo", "korea standard time": "Asia/Seoul",
	"europe/munich": "Europe/Berlin", "europe/frankfurt": "Europe/Berlin", "w. europe standard time": "Europe/Berlin",
	"cest": "Europe/Berlin", "europe/geneva": "Europe/Zurich", "gmt standard time": "Europe/London",
	"america/san_francisco": "America/Los_Angeles", "america/seattle": "America/Los_Angeles", "pst": "America/Los_Angeles",
	"pdt": "America/Los_Angeles", "pacific standard time": "America/Los_Angeles", "mountain standard time": "America/Denver",
	"edt": "America/New_York", "eastern standard time": "America/New_York", "america/boston": "America/New_York",
	"america/washington": "America/New_York", "central standard time": "America/Chicago",
	"z": "UTC", "gmt+0": "UTC", "utc+0": "UTC", "utc0": "UTC",
}

var offsetName = regexp.MustCompile(`^(?i:utc|gmt)?([+-])0?([0-9]|1[0-4])(:?00)?$`)

// suggestZone guesses which zone a refused name means; empty if it cannot.
func suggestZone(name string) string {
	lower := strings.ToLower(strings.TrimSpace(name))
	if better, ok := wellMeant[lower]; ok {
		return better
	}
	if m := offsetName.FindStringSubmatch(lower); m != nil && m[2] != "0" {
		sign := map[string]string{"+": "-", "-": "+"}[m[1]]
		return "Etc/GMT" + sign + m[2] + " (its sign is reversed) or, better, the zone of a city"
	}
	for _, guess := range []string{strings.ToUpper(lower), titleWords(lower)} {
		if guess != name && zoneName.MatchString(guess) && !notZones.MatchString(guess) {
			if _, err := time.LoadLocation(guess); err == nil {
				return guess
			}
		}
	}
	return ""
}

// titleWords writes each word as zone names do: america/new york becomes
// America/New_York.
func titleWords(lower string) string {
	out := []byte(strings.ReplaceAll(lower, " ", "_"))
	for i, b := range out {
		if b >= 'a' && b <= 'z' && (i == 0 || strings.IndexByte("/_-", out[i-1]) >= 0) {
			out[i] = b - 'a' + 'A'
		}
	}
	return string(out)
}
