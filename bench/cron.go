package main

import (
	"context"
	"fmt"
	"testing"
	"time"

	netresearch "github.com/netresearch/go-cron"
	robfig "github.com/robfig/cron/v3"

	"github.com/belfry-scheduler/belfry/services/schedule"
)

// compared are expressions that all three read, and read alike.
var compared = []string{
	"* * * * *", "*/5 * * * *", "0 * * * *", "30 2 * * *", "0 0 * * *",
	"*/15 9-17 * * 1-5", "0 9 * * 1", "15 10 * * 5", "0 0 1 * *", "0 0 15 * *",
	"0 0 1 1 *", "0 0 29 2 *", "0 12 1 */3 *", "5,35 8,20 * * *", "0 22 * * 1-5",
	"23 0-20/2 * * *", "5 4 * * 6", "0 0 1,15 * *", "*/7 3 * * *", "59 23 31 12 *",
}

// measureCron times the next fire of each expression, in a zone with clock changes,
// stepping from fire to fire.
func measureCron(context.Context, options) error {
	zone, err := schedule.LoadZone("America/New_York")
	if err != nil {
		return err
	}
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	local := start.In(zone)
	strict := robfig.NewParser(robfig.Minute | robfig.Hour | robfig.Dom | robfig.Month | robfig.Dow)
	var own, of1, of2 float64
	var allocations int64
	for _, expression := range compared {
		cron, err := schedule.ParseCron(expression, "")
		if err != nil {
			return err
		}
		b1, err := strict.Parse(expression)
		if err != nil {
			return err
		}
		b2, err := netresearch.ParseStandard(expression)
		if err != nil {
			return err
		}
		mine := walk(start, func(at time.Time) time.Time { next, _ := cron.Next(at, zone); return next })
		own += perFire(mine)
		allocations += mine.AllocsPerOp()
		of1 += perFire(walk(local, b1.Next))
		of2 += perFire(walk(local, b2.Next))
	}
	n := float64(len(compared))
	fmt.Printf("belfry %.0f ns (%d allocations), robfig/cron %.0f ns, netresearch/go-cron %.0f ns\n", own/n, allocations, of1/n, of2/n)
	fmt.Printf("ratio to robfig/cron %.2f, to netresearch/go-cron %.2f\n", own/of1, own/of2)
	return nil
}

func perFire(r testing.BenchmarkResult) float64 { return float64(r.T.Nanoseconds()) / float64(r.N) }

func walk(start time.Time, next func(time.Time) time.Time) testing.BenchmarkResult {
	return testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		at := start
		for b.Loop() {
			if at = next(at); at.IsZero() || at.Year() > 2400 {
				at = start
			}
		}
	})
}
