package calendar

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/schedule"
)

func ics(events ...string) string {
	return "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VEVENT\r\n" + strings.Join(events, "\r\nEND:VEVENT\r\nBEGIN:VEVENT\r\n") + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n"
}

// read lists what a text has as "date kind name".
func read(t *testing.T, text string) []string {
	t.Helper()
	days, err := parseICS(text, 2026)
	if err != nil {
		return []string{err.Error()}
	}
	list := []string{}
	for _, d := range days {
		list = append(list, strings.TrimSpace(fmt.Sprintf("%s %s %s", d.Date, d.Kind, d.Name)))
	}
	return list
}

func TestICS(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		want []string
	}{
		"a day":               {ics("DTSTART;VALUE=DATE:20261001\r\nSUMMARY:National Day"), []string{"2026-10-01 REST National Day"}},
		"the end is excluded": {ics("DTSTART;VALUE=DATE:20261001\r\nDTEND;VALUE=DATE:20261003"), []string{"2026-10-01 REST", "2026-10-02 REST"}},
		"the same end":        {ics("DTSTART:20261001\r\nDTEND:20261001"), []string{"2026-10-01 REST"}},
		"a duration":          {ics("DTSTART;VALUE=DATE:20261230\r\nDURATION:P3D"), []string{"2026-12-30 REST", "2026-12-31 REST", "2027-01-01 REST"}},
		"folded and escaped":  {ics("DTSTART;VALUE=DATE:20261001\r\nSUMMARY:National\\, \r\n Day\\; of\\nChina"), []string{"2026-10-01 REST National, Day; of China"}},
		"with line feeds":     {strings.ReplaceAll(ics("DTSTART;VALUE=DATE:20261001\r\nSUMMARY:x"), "\r", ""), []string{"2026-10-01 REST x"}},
		"quoted parameters":   {ics("SUMMARY;ALTREP=\"http://x:y\":name\r\nDTSTART;VALUE=DATE:20261001"), []string{"2026-10-01 REST name"}},
		"a time of day":       {ics("DTSTART:20261001T080000Z\r\nSUMMARY:meeting"), []string{}},
		"cancelled":           {ics("DTSTART;VALUE=DATE:20261001\r\nSTATUS:CANCELLED"), []string{}},
		"an alarm within": {
			ics("DTSTART;VALUE=DATE:20261001\r\nBEGIN:VALARM\r\nSUMMARY:wake\r\nDURATION:PT5M\r\nEND:VALARM\r\nSUMMARY:x"), []string{"2026-10-01 REST x"},
		},
		"Apple's make-up day":   {ics("DTSTART;VALUE=DATE:20261010\r\nSUMMARY:国庆节\r\nX-APPLE-SPECIAL-DAY:ALTERNATE-WORKDAY"), []string{"2026-10-10 WORK 国庆节"}},
		"a Chinese make-up day": {ics("DTSTART;VALUE=DATE:20261010\r\nSUMMARY:国庆节（班）"), []string{"2026-10-10 WORK 国庆节（班）"}},
		"every year": {
			ics("DTSTART;VALUE=DATE:20000101\r\nRRULE:FREQ=YEARLY\r\nEXDATE;VALUE=DATE:20280101,20290101"),
			[]string{"2025-01-01 REST", "2026-01-01 REST", "2027-01-01 REST", "2030-01-01 REST", "2031-01-01 REST"},
		},
		"the fourth Thursday": {
			ics("DTSTART;VALUE=DATE:20251127\r\nRRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH;UNTIL=20271231"),
			[]string{"2025-11-27 REST", "2026-11-26 REST", "2027-11-25 REST"},
		},
		"the last Monday": {
			ics("DTSTART;VALUE=DATE:20260525\r\nRRULE:FREQ=YEARLY;BYMONTH=5;BYDAY=-1MO;COUNT=2"), []string{"2026-05-25 REST", "2027-05-31 REST"},
		},
		"a leap day":       {ics("DTSTART;VALUE=DATE:20240229\r\nRRULE:FREQ=YEARLY"), []string{"2028-02-29 REST"}},
		"every two years":  {ics("DTSTART;VALUE=DATE:20250101\r\nRRULE:FREQ=YEARLY;INTERVAL=2;COUNT=2"), []string{"2025-01-01 REST", "2027-01-01 REST"}},
		"every month":      {ics("DTSTART;VALUE=DATE:20260101\r\nRRULE:FREQ=MONTHLY\r\nSUMMARY:pay"), []string{`The event "pay" in line 3: the repetition "FREQ=MONTHLY" is not understood, only yearly ones are; write its dates out.`}},
		"no start":         {ics("SUMMARY:x"), []string{`The event "x" in line 3: DTSTART is no date from 1970-01-01 to 2199-12-31.`}},
		"an end before it": {ics("DTSTART:20260102\r\nDTEND:20260101"), []string{`The event "" in line 3: DTEND is before DTSTART.`}},
	} {
		if diff := cmp.Diff(tt.want, read(t, tt.text)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestList(t *testing.T) {
	t.Parallel()
	text := "\ufeff# holidays\n2026-10-01..2026-10-02 国庆节\n2026-10-10\twork 补班\n2026-10-11 REST\n\n2026-10-12 workshop day # x\r\n"
	got, err := parseList(text)
	want := []models.CalendarDay{
		{Date: "2026-10-01", Kind: models.DayRest, Name: "国庆节"},
		{Date: "2026-10-02", Kind: models.DayRest, Name: "国庆节"},
		{Date: "2026-10-10", Kind: models.DayWork, Name: "补班"},
		{Date: "2026-10-11", Kind: models.DayRest},
		{Date: "2026-10-12", Kind: models.DayRest, Name: "workshop day"},
	}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// Whatever the text, what is read can be stored, and the work is bounded.
func FuzzImport(f *testing.F) {
	f.Add(ics("DTSTART;VALUE=DATE:20261001\r\nDTEND;VALUE=DATE:20261003\r\nSUMMARY:x\r\nRRULE:FREQ=YEARLY;BYDAY=-1MO;BYMONTH=5"))
	f.Add("2026-10-01..2026-10-07 National Day\n2026-10-10 work x")
	f.Add("BEGIN:VEVENT\nDTSTART:99999999\nDURATION:P99999W\nRRULE:FREQ=YEARLY;INTERVAL=0;COUNT=-1\nEND:VEVENT")
	f.Fuzz(func(t *testing.T, text string) {
		for _, format := range []Format{FormatICS, FormatList} {
			in := Import{Format: format, Text: text}
			days, err := in.read(start)
			if err != nil {
				continue
			}
			for i, d := range days {
				if schedule.CheckDate(d.Date) != nil || i > 0 && d.Date <= days[i-1].Date {
					t.Fatalf("day %d is %+v", i, d)
				}
			}
			if len(days) <= schedule.MaxCalendarDays {
				c := models.Calendar{Name: "x"}
				if err := setDays(&c, days).Err(); err != nil {
					t.Fatalf("what was read cannot be stored: %v", err)
				}
			}
		}
	})
}
