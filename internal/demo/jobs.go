// Package demo fills a fresh installation with jobs that show what Belfry does,
// and runs their handlers in the same process.
package demo

import (
	"encoding/json"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/job"
)

// Names of what the demo makes.
const (
	AppName   = "demo"
	GroupName = "default"
	actor     = "demo"
)

func cron(expression, zone string) job.TriggerInput {
	return job.TriggerInput{Cron: &job.CronInput{Expression: expression, Zone: &zone}}
}

func every(d time.Duration) job.TriggerInput {
	return job.TriggerInput{FixedRate: &job.FixedRateInput{Every: d}}
}

// retries is a rule with exponential back-off from a second on.
func retries(attempts int) *job.RetryInput {
	return &job.RetryInput{MaxAttempts: attempts, Backoff: new(models.BackoffExponential), Delay: time.Second, MaxDelay: new(time.Minute)}
}

// jobs are the demo's jobs in the order in which they are made; upstream jobs are
// named and come before those that wait for them.
func jobs() []job.Input {
	return append(salesJobs(), []job.Input{
		{
			Name: "refresh-prices", Handler: "RefreshPrices", Trigger: cron("*/10 * * * * ?", "UTC"),
			Description: new("Every ten seconds; ends well at once."),
			Labels:      json.RawMessage(`{"team":"shop"}`),
		},
		{
			Name: "import-orders", Handler: "ImportOrders", Trigger: every(30 * time.Second), Retry: retries(4),
			Description: new("Its first two tries fail; the third recovers."),
			Parameters:  json.RawMessage(`{"source":"warehouse-2"}`),
			Labels:      json.RawMessage(`{"team":"shop"}`),
		},
		{
			Name: "build-report", Handler: "BuildReport", Trigger: every(2 * time.Minute), Concurrency: new(models.ConcurrencySkip),
			Description: new("Runs for three quarters of a minute with progress and a live log; keeps a checkpoint."),
			Parameters:  json.RawMessage(`{"pages":45}`), Retry: retries(3),
			Labels: json.RawMessage(`{"team":"finance"}`),
		},
		{
			Name: "export-archive", Handler: "ExportArchive", Trigger: every(time.Minute), Timeout: new(5 * time.Second),
			Description: new("Hangs until its time limit of five seconds ends it; tried twice."),
			Retry:       retries(2), Labels: json.RawMessage(`{"team":"finance"}`),
		},
		{
			Name: "sync-customers", Handler: "SyncCustomers", Trigger: every(5 * time.Minute),
			Description: new("The other side refuses for good: goes to the failed queue without another try."),
			Retry:       retries(5), Labels: json.RawMessage(`{"team":"crm"}`),
		},
		{
			Name: "reindex-search", Handler: "ReindexSearch", Trigger: every(40 * time.Second), Concurrency: new(models.ConcurrencyReplace),
			Description: new("Sometimes takes longer than its period: the newer run replaces the older one."),
			Labels:      json.RawMessage(`{"team":"shop"}`),
		},
		{
			Name: "poll-inbox", Handler: "PollInbox", Trigger: job.TriggerInput{FixedDelay: &job.FixedDelayInput{Delay: 15 * time.Second}},
			Description: new("Fifteen seconds after its last run has ended."),
			Labels:      json.RawMessage(`{"team":"support"}`),
		},
		{
			Name: "nightly-closing", Handler: "RefreshPrices", Trigger: cron("30 2 * * *", "Europe/Berlin"), Priority: new(models.PriorityHigh),
			Description: new("02:30 in Berlin: see in its preview what the clock changes do to it."),
			Labels:      json.RawMessage(`{"team":"finance"}`),
		},
		{
			Name: "send-greeting", Handler: "SendGreeting", Trigger: job.TriggerInput{Manual: new(true)},
			Description: new("Only by hand: press Run now and edit the parameters."),
			Parameters:  json.RawMessage(`{"name":"Ada","language":"en"}`),
			Labels:      json.RawMessage(`{"team":"support"}`),
		},
	}...)
}
