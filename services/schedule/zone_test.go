package schedule

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestLoadZone(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "America/Port-au-Prince", "Etc/GMT+5", "Etc/GMT-14", "GMT", "EST5EDT", "US/Pacific", "Asia/Calcutta", "GMT-0", "Zulu",
	} {
		zone, err := LoadZone(name)
		if err != nil || zone.String() != name {
			t.Errorf("LoadZone(%q) = %v, %v", name, zone, err)
		}
		if again, _ := LoadZone(name); again != zone {
			t.Errorf("LoadZone(%q) loads twice", name)
		}
	}
	if zone, err := LoadZone(""); err != nil || zone != time.UTC {
		t.Errorf("the empty zone is %v, %v", zone, err)
	}
}

func TestZonesAreRefusedWithARemedy(t *testing.T) {
	t.Parallel()
	for name, remedy := range map[string]string{
		"Local":                  "depend on the machine",
		"localtime":              "depend on the machine",
		"Asia/Beijing":           "did you mean Asia/Shanghai?",
		"Pacific Standard Time":  "did you mean America/Los_Angeles?",
		"europe/berlin":          "did you mean Europe/Berlin?",
		"america/new york":       "did you mean America/New_York?",
		"utc":                    "did you mean UTC?",
		" UTC":                   "did you mean UTC?",
		"UTC+8":                  "did you mean Etc/GMT-8",
		"-05:00":                 "did you mean Etc/GMT+5",
		"Mars/Olympus":           "such as Europe/Berlin",
		"../../etc/passwd":       "such as Europe/Berlin",
		"/etc/localtime":         "such as Europe/Berlin",
		"Europe/../Berlin":       "such as Europe/Berlin",
		`Europe\Berlin`:          "such as Europe/Berlin",
		"posix/Europe/Berlin":    "such as Europe/Berlin",
		"right/Europe/Berlin":    "such as Europe/Berlin",
		"posixrules":             "such as Europe/Berlin",
		"Factory":                "such as Europe/Berlin",
		"zone.tab":               "such as Europe/Berlin",
		"a\x00b":                 "such as Europe/Berlin",
		strings.Repeat("x", 1e6): "xxx…",
	} {
		zone, err := LoadZone(name)
		zoneError, ok := errors.AsType[*ZoneError](err)
		if !ok || zone != nil || !strings.Contains(zoneError.Message, remedy) || len(zoneError.Message) > 250 {
			t.Errorf("LoadZone(%.40q) = %v, %.200v; want %q", name, zone, err, remedy)
		}
	}
}
