package imports

import (
	"strings"
	"testing"
	"time"
)

const quartzFile = `<?xml version="1.0" encoding="UTF-8"?>
<job-scheduling-data xmlns="http://www.quartz-scheduler.org/xml/JobSchedulingData" version="2.0">
  <pre-processing-commands><delete-jobs-in-group>*</delete-jobs-in-group></pre-processing-commands>
  <processing-directives><overwrite-existing-data>true</overwrite-existing-data></processing-directives>
  <schedule>
    <job>
      <name>report</name>
      <group>billing</group>
      <description>Daily
        report</description>
      <job-class>com.acme.jobs.ReportJob</job-class>
      <durability>true</durability>
      <recover>true</recover>
      <job-data-map>
        <entry><key>customer</key><value>all</value></entry>
        <entry><key>format</key><value>pdf</value></entry>
      </job-data-map>
    </job>
    <job><name>sync</name><job-class>com.acme.jobs.Sync$Inner</job-class></job>
    <job><name>byHand</name><job-type>Acme.Jobs.ByHand, Acme.Jobs</job-type><durable>true</durable></job>
    <trigger>
      <cron>
        <name>workdays</name><group>t</group>
        <job-name>report</job-name><job-group>billing</job-group>
        <priority>9</priority>
        <calendar-name>holidays</calendar-name>
        <job-data-map><entry><key>format</key><value>csv</value></entry></job-data-map>
        <misfire-instruction>MISFIRE_INSTRUCTION_DO_NOTHING</misfire-instruction>
        <cron-expression>0 0 10 ? * 2-6</cron-expression>
        <time-zone>Asia/Shanghai</time-zone>
      </cron>
    </trigger>
    <trigger>
      <cron>
        <name>monthEnd</name><job-name>report</job-name><job-group>billing</job-group>
        <end-time>2030-01-01T00:00:00</end-time>
        <cron-expression>0 30 23 L * ?</cron-expression>
      </cron>
    </trigger>
    <trigger>
      <simple>
        <name>often</name><job-name>sync</job-name>
        <start-time>2026-01-01T00:00:30</start-time>
        <repeat-count>-1</repeat-count><repeat-interval>90000</repeat-interval>
      </simple>
    </trigger>
    <trigger><simple><name>ten</name><job-name>sync</job-name><repeat-count>10</repeat-count><repeat-interval>1000</repeat-interval></simple></trigger>
    <trigger><cron><name>lost</name><job-name>nobody</job-name><cron-expression>0 0 0 * * ?</cron-expression></cron></trigger>
  </schedule>
</job-scheduling-data>`

func TestQuartz(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	r := Quartz([]byte(quartzFile), []byte("# q\norg.quartz.jobStore.misfireThreshold = 90000\norg.quartz.threadPool.threadCount: 10\n"), Options{Source: "jobs.xml", App: "ops", Zone: "Europe/Berlin", Now: now})
	if r.Jobs() != 4 {
		t.Fatalf("%d jobs: %v", r.Jobs(), r.Notes)
	}
	jobs := r.Documents[0].Jobs
	for i, want := range []struct{ name, handler, parameters, policy, delivery, priority, fires string }{
		{"billing.report workdays", "ReportJob", `{"customer":"all","format":"csv"}`, "SKIP", "", "HIGH", "06-01T02:00:00 06-02T02:00:00 06-03T02:00:00 06-04T02:00:00 06-05T02:00:00 06-08T02:00:00"},
		{"billing.report monthEnd", "ReportJob", `{"customer":"all","format":"pdf"}`, "FIRE_ONCE", "", "", "06-30T21:30:00 07-31T21:30:00 08-31T21:30:00 09-30T21:30:00 10-31T22:30:00 11-30T22:30:00"},
		{"sync often", "Sync$Inner", "", "SKIP", "AT_MOST_ONCE", "", "06-01T00:00:00 06-01T00:01:30 06-01T00:03:00 06-01T00:04:30 06-01T00:06:00 06-01T00:07:30"},
		{"byHand", "ByHand", "", "", "AT_MOST_ONCE", "", ""},
	} {
		j := jobs[i]
		policy := ""
		if j.Misfire != nil {
			policy = j.Misfire.Policy
			if j.Misfire.Grace != "1m30s" {
				t.Errorf("%s: grace %s", j.Name, j.Misfire.Grace)
			}
		}
		after := now.Add(-time.Second).Format(time.RFC3339)
		if j.Name != want.name || j.Handler != want.handler || string(j.Parameters) != want.parameters || policy != want.policy || j.Delivery != want.delivery || j.Priority != want.priority {
			t.Errorf("%+v, want %+v", j, want)
		}
		if got := firesOf(t, j.Trigger, after, 6); i != 2 && got != want.fires {
			t.Errorf("%s fires %s, want %s", j.Name, got, want.fires)
		}
	}
	// The grid of a simple trigger begins at its start: 00:00:30 in Berlin, every 90 s.
	if got := firesOf(t, jobs[2].Trigger, "2026-01-01T00:00:00Z", 2); got != "01-01T00:00:30 01-01T00:02:00" {
		t.Errorf("the grid: %s", got)
	}
	for _, part := range []string{"calendar holidays", "repeats 10 times", `Its job "DEFAULT.nobody" is not in the file`, "10 threads", "@DisallowConcurrentExecution"} {
		if !strings.Contains(strings.ReplaceAll(lostText(r), `"holidays"`, "holidays"), part) {
			t.Errorf("no %q in\n%s", part, lostText(r))
		}
	}
}

func TestQuartzTriggers(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct{ trigger, fires, lost string }{
		{"<simple><job-name>j</job-name><start-time>2026-06-02T07:30:00</start-time></simple>", "06-02T05:30:00", ""},
		{"<simple><job-name>j</job-name><start-time>2026-05-02T07:30:00</start-time></simple>", "", "that time has passed"},
		{"<simple><job-name>j</job-name><repeat-count>REPEAT_INDEFINITELY</repeat-count><repeat-interval>500</repeat-interval></simple>", "", "fixed rates are 1s to 366 days"},
		{"<calendar-interval><job-name>j</job-name><start-time>2026-01-31T08:00:00</start-time><repeat-interval>1</repeat-interval><repeat-interval-unit>DAY</repeat-interval-unit></calendar-interval>", "06-01T06:00:00 06-02T06:00:00", ""},
		{"<calendar-interval><job-name>j</job-name><start-time>2026-01-30T08:00:00</start-time><repeat-interval>1</repeat-interval><repeat-interval-unit>WEEK</repeat-interval-unit></calendar-interval>", "06-05T06:00:00 06-12T06:00:00", ""},
		{"<calendar-interval><job-name>j</job-name><start-time>2026-02-15T08:00:00</start-time><repeat-interval>3</repeat-interval><repeat-interval-unit>MONTH</repeat-interval-unit></calendar-interval>", "08-15T06:00:00 11-15T07:00:00", ""},
		{"<calendar-interval><job-name>j</job-name><start-time>2026-01-31T08:00:00</start-time><repeat-interval>1</repeat-interval><repeat-interval-unit>MONTH</repeat-interval-unit></calendar-interval>", "", "cannot be said"},
		{"<calendar-interval><job-name>j</job-name><start-time>2026-01-01T00:00:00Z</start-time><repeat-interval>36</repeat-interval><repeat-interval-unit>HOUR</repeat-interval-unit></calendar-interval>", "06-01T12:00:00 06-03T00:00:00", ""},
		{"<cron><job-name>j</job-name><cron-expression>0 33 20 2 1/2 ? *</cron-expression><time-zone>UTC</time-zone></cron>", "07-02T20:33:00 09-02T20:33:00", ""},
		{"<cron><job-name>j</job-name><cron-expression>0 0 10 ? * 1-4,7</cron-expression><time-zone>China Standard Time</time-zone></cron>", "06-01T02:00:00 06-02T02:00:00", ""},
		{"<cron><job-name>j</job-name><cron-expression>0 0 10 ? * 6#3</cron-expression></cron>", "06-19T08:00:00 07-17T08:00:00", ""},
		{"<cron><job-name>j</job-name><cron-expression>0 0 10 15W * ?</cron-expression></cron>", "06-15T08:00:00 07-15T08:00:00", ""},
		{"<cron><job-name>j</job-name><cron-expression>0 0 10 1 * MON</cron-expression></cron>", "", "one of them must be"},
		{"<cron><job-name>j</job-name><cron-expression>0 0 * * *</cron-expression></cron>", "", "fewer fields"},
		{"<cron><job-name>j</job-name><end-time>2020-01-01T00:00:00Z</end-time><cron-expression>0 0 0 * * ?</cron-expression></cron>", "", "It has ended"},
		{"<cron><job-name>j</job-name><start-time>soon</start-time><cron-expression>0 0 0 * * ?</cron-expression></cron>", "", "start-time \"soon\" cannot be read"},
	} {
		source := "<job-scheduling-data><schedule><job><name>j</name><job-class>a.J</job-class></job><trigger>" + c.trigger + "</trigger></schedule></job-scheduling-data>"
		r := Quartz([]byte(source), nil, Options{App: "ops", Zone: "Europe/Berlin", Now: now})
		got := ""
		if r.Jobs() == 1 {
			got = firesOf(t, r.Documents[0].Jobs[0].Trigger, "2026-06-01T00:00:00Z", 2)
		}
		if got != c.fires {
			t.Errorf("%s\nfires %q, want %q; %v", c.trigger, got, c.fires, r.Notes)
		}
		if c.lost != "" && !strings.Contains(lostText(r), c.lost) {
			t.Errorf("%s\nno %q in\n%s", c.trigger, c.lost, lostText(r))
		}
	}
}

func FuzzQuartz(f *testing.F) {
	f.Add(quartzFile, "org.quartz.jobStore.misfireThreshold=1")
	f.Fuzz(func(t *testing.T, text, properties string) {
		readable(t, Quartz([]byte(text), []byte(properties), Options{App: "ops"}))
	})
}
