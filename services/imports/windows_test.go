package imports

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/google/go-cmp/cmp"
)

const windowsFile = `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.4" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo>
    <Author>ACME\ops</Author>
    <Description>Exports the orders – täglich</Description>
    <URI>\Acme\Export orders</URI>
  </RegistrationInfo>
  <Triggers>
    <CalendarTrigger>
      <StartBoundary>2024-01-01T06:30:00</StartBoundary>
      <Enabled>true</Enabled>
      <RandomDelay>PT5M</RandomDelay>
      <ScheduleByWeek><WeeksInterval>1</WeeksInterval><DaysOfWeek><Monday /><Friday /></DaysOfWeek></ScheduleByWeek>
    </CalendarTrigger>
    <BootTrigger><Enabled>true</Enabled></BootTrigger>
  </Triggers>
  <Principals><Principal id="Author"><UserId>S-1-5-18</UserId><RunLevel>HighestAvailable</RunLevel></Principal></Principals>
  <Settings>
    <MultipleInstancesPolicy>StopExisting</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>true</DisallowStartIfOnBatteries>
    <StartWhenAvailable>true</StartWhenAvailable>
    <WakeToRun>true</WakeToRun>
    <ExecutionTimeLimit>PT1H30M</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>3</Count></RestartOnFailure>
    <Enabled>false</Enabled>
  </Settings>
  <Actions Context="Author">
    <Exec><Command>"C:\Program Files\Acme\export.exe"</Command><Arguments>/out "D:\data\in box\\" -v</Arguments><WorkingDirectory>C:\Acme</WorkingDirectory></Exec>
    <Exec><Command>%ComSpec%</Command><Arguments>/c del %TEMP%\x</Arguments></Exec>
    <ComHandler><ClassId>{0}</ClassId></ComHandler>
  </Actions>
</Task>`

// utf16le is text as Task Scheduler exports it.
func utf16le(text string) []byte {
	out := []byte{0xff, 0xfe}
	for _, unit := range utf16.Encode([]rune(text)) {
		out = binary.LittleEndian.AppendUint16(out, unit)
	}
	return out
}

func TestWindowsTask(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	for _, source := range [][]byte{[]byte(windowsFile), utf16le(windowsFile), utf16le(windowsFile)[2:]} {
		r := WindowsTask(source, Options{Source: "x.xml", App: "ops", Zone: "Europe/Berlin", Now: now})
		if r.Jobs() != 2 {
			t.Fatalf("%v", r.Notes)
		}
		j := r.Documents[0].Jobs[0]
		if j.Name != "Export orders" || j.Description != "Exports the orders – täglich" || j.Timeout != "1h30m0s" || j.Concurrency != "REPLACE" || j.Retry.MaxAttempts != 4 || j.Retry.Delay != "1m0s" || *j.Enabled || j.Misfire.Policy != "FIRE_ONCE" || j.Trigger.Cron.Jitter != "5m0s" {
			t.Errorf("%+v", j)
		}
		if want := `{"command":["C:\\Program Files\\Acme\\export.exe","/out","D:\\data\\in box\\","-v"],"dir":"C:\\Acme"}`; string(j.Parameters) != want {
			t.Errorf("%s", j.Parameters)
		}
		if got := firesOf(t, j.Trigger, "2026-06-01T00:00:00Z", 3); got != "06-01T04:30:00 06-05T04:30:00 06-08T04:30:00" {
			t.Errorf("fires %s", got)
		}
		second := r.Documents[0].Jobs[1]
		if second.Name != "Export orders action 2" || second.Trigger.Dependency.Upstream[0].Job != "Export orders" || second.Trigger.Dependency.Upstream[0].On != "COMPLETION" {
			t.Errorf("%+v", second)
		}
		for _, part := range []string{"when the machine starts", "comhandler", "%VARIABLES%", "WakeToRun", "S-1-5-18 with the highest rights"} {
			if !strings.Contains(lostText(r), part) {
				t.Errorf("no %q in\n%s", part, lostText(r))
			}
		}
	}
}

func TestWindowsTriggers(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	const start = "<StartBoundary>2024-01-01T06:30:00</StartBoundary>"
	for _, c := range []struct{ trigger, fires, lost string }{
		{"<CalendarTrigger>" + start + "<ScheduleByDay><DaysInterval>1</DaysInterval></ScheduleByDay></CalendarTrigger>", "06-01T04:30:00 06-02T04:30:00 06-03T04:30:00", ""},
		{"<CalendarTrigger>" + start + "<ScheduleByDay><DaysInterval>3</DaysInterval></ScheduleByDay></CalendarTrigger>", "06-01T05:30:00 06-04T05:30:00 06-07T05:30:00", ""},
		{"<CalendarTrigger>" + start + "<ScheduleByWeek><WeeksInterval>2</WeeksInterval><DaysOfWeek><Monday/></DaysOfWeek></ScheduleByWeek></CalendarTrigger>", "", "Every 2 weeks"},
		{"<CalendarTrigger>" + start + "<ScheduleByMonth><DaysOfMonth><Day>1</Day><Day>Last</Day></DaysOfMonth><Months><June/><July/></Months></ScheduleByMonth></CalendarTrigger>", "06-01T04:30:00 06-30T04:30:00 07-01T04:30:00", ""},
		{"<CalendarTrigger>" + start + "<ScheduleByMonthDayOfWeek><Weeks><Week>2</Week><Week>Last</Week></Weeks><DaysOfWeek><Tuesday/></DaysOfWeek><Months><June/></Months></ScheduleByMonthDayOfWeek></CalendarTrigger>", "06-09T04:30:00 06-30T04:30:00 06-08T04:30:00", ""},
		{"<CalendarTrigger>" + start + "<Repetition><Interval>PT15M</Interval><Duration>PT1H</Duration></Repetition><ScheduleByDay/></CalendarTrigger>", "", "the minutes differ"},
		{"<CalendarTrigger><StartBoundary>2024-01-01T06:00:00</StartBoundary><Repetition><Interval>PT30M</Interval><Duration>PT2H</Duration></Repetition><ScheduleByDay/></CalendarTrigger>", "06-01T04:00:00 06-01T04:30:00 06-01T05:00:00", ""},
		{"<CalendarTrigger>" + start + "<Repetition><Interval>PT1H</Interval><Duration>P1D</Duration></Repetition><ScheduleByDay/></CalendarTrigger>", "06-01T00:30:00 06-01T01:30:00 06-01T02:30:00", ""},
		{"<CalendarTrigger>" + start + "<Repetition><Interval>PT1H</Interval><Duration>P1D</Duration></Repetition><ScheduleByWeek><DaysOfWeek><Monday/></DaysOfWeek></ScheduleByWeek></CalendarTrigger>", "", "beyond midnight"},
		{"<TimeTrigger><StartBoundary>2026-06-05T06:30:00Z</StartBoundary></TimeTrigger>", "06-05T06:30:00", ""},
		{"<TimeTrigger>" + start + "</TimeTrigger>", "", "that time has passed"},
		{"<TimeTrigger><StartBoundary>1999-11-30T00:00:00Z</StartBoundary><Repetition><Interval>PT5M</Interval><StopAtDurationEnd>false</StopAtDurationEnd></Repetition></TimeTrigger>", "06-01T00:05:00 06-01T00:10:00 06-01T00:15:00", ""},
		{"<TimeTrigger>" + start + "<Repetition><Interval>PT5M</Interval><Duration>PT1H</Duration></Repetition></TimeTrigger>", "", "fixed rates have no end"},
		{"<CalendarTrigger><StartBoundary>2024-01-01T06:30:00+08:00</StartBoundary><ScheduleByDay/></CalendarTrigger>", "06-01T22:30:00 06-02T22:30:00 06-03T22:30:00", ""},
		{"<CalendarTrigger><StartBoundary>2026-07-01T06:30:00</StartBoundary><EndBoundary>2026-07-02T23:00:00</EndBoundary><ScheduleByDay/></CalendarTrigger>", "07-01T04:30:00 07-02T04:30:00", ""},
		{"<CalendarTrigger>" + start + "<EndBoundary>2025-01-01T00:00:00</EndBoundary><ScheduleByDay/></CalendarTrigger>", "", "has ended"},
		{"<LogonTrigger/>", "", "logs on"},
		{"<IdleTrigger/>", "", "idle"},
		{"<EventTrigger/>", "", "event log"},
		{"<CalendarTrigger><Enabled>false</Enabled>" + start + "<ScheduleByDay/></CalendarTrigger>", "", ""},
		{"<CalendarTrigger><ScheduleByDay/></CalendarTrigger>", "", "StartBoundary"},
	} {
		source := "<Task><Triggers>" + c.trigger + "</Triggers><Actions><Exec><Command>x</Command></Exec></Actions></Task>"
		r := WindowsTask([]byte(source), Options{Source: `C:\tasks\nightly.xml`, App: "ops", Zone: "Europe/Berlin", Now: now})
		if r.Jobs() != 1 || r.Documents[0].Jobs[0].Name != "nightly" {
			t.Errorf("%s: %v", c.trigger, r.Notes)
			continue
		}
		if got := firesOf(t, r.Documents[0].Jobs[0].Trigger, "2026-06-01T00:00:00Z", 3); got != c.fires {
			t.Errorf("%s\nfires %q, want %q; %v", c.trigger, got, c.fires, r.Notes)
		}
		if !strings.Contains(lostText(r), c.lost) || c.lost == "" && strings.TrimSpace(lostText(r)) != "" {
			t.Errorf("%s\nlost %q, want %q", c.trigger, lostText(r), c.lost)
		}
	}
}

// schtasks /query /xml prints all tasks one behind the other, their names in comments.
func TestManyWindowsTasks(t *testing.T) {
	t.Parallel()
	one := func(name string) string {
		return "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\n<!-- \\Folder\\" + name + " -->\n<Task><Actions><Exec><Command>x</Command></Exec></Actions></Task>\n"
	}
	r := WindowsTask([]byte(one("a")+one("b")+"<Tasks>"+one("c")+"</Tasks>"), Options{App: "ops"})
	var names []string
	for _, j := range r.Documents[0].Jobs {
		names = append(names, j.Name)
	}
	if d := cmp.Diff([]string{"a", "b", "c"}, names); d != "" {
		t.Error(d)
	}
}

func TestWindowsArguments(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		`a b  c`: {"a", "b", "c"}, `"a b" c`: {"a b", "c"}, `a\\b`: {`a\\b`}, `"a\\b"`: {`a\\b`}, `"C:\x y\\" z`: {`C:\x y\`, "z"}, `a\"b c`: {`a"b`, "c"},
		`a""b`: {"ab"}, `"a""b"`: {`a"b`}, `""`: {""}, "": nil, `"open end`: {"open end"}, `-x="1 2"`: {"-x=1 2"},
	} {
		if d := cmp.Diff(want, arguments(line)); d != "" {
			t.Errorf("%s: %s", line, d)
		}
	}
}

func FuzzWindowsTask(f *testing.F) {
	f.Add([]byte(windowsFile))
	f.Add(utf16le(windowsFile))
	f.Fuzz(func(t *testing.T, text []byte) { readable(t, WindowsTask(text, Options{Source: "f", App: "ops"})) })
}
