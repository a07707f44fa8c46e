package worker

import (
	"bytes"
	"os"
	"runtime/metrics"
	"strconv"
)

// load measures what a heartbeat tells about machine and process. It is used by
// one goroutine.
type load struct {
	busy, total uint64 // of the machine, at the last reading
	sample      [2]metrics.Sample
}

// read returns the machine's load since the last call, 0 to 1, and the memory that
// this process has from the system, in bytes; 0 where they are not known.
func (l *load) read() (cpu float64, memory int64) {
	l.sample[0].Name = "/memory/classes/total:bytes"
	l.sample[1].Name = "/memory/classes/heap/released:bytes"
	metrics.Read(l.sample[:])
	if l.sample[0].Value.Kind() == metrics.KindUint64 && l.sample[1].Value.Kind() == metrics.KindUint64 {
		memory = int64(l.sample[0].Value.Uint64() - l.sample[1].Value.Uint64())
	}
	stat, err := os.ReadFile("/proc/stat") // Linux only
	if err != nil {
		return 0, memory
	}
	busy, total, ok := parseStat(stat)
	if ok && l.total > 0 && total > l.total {
		cpu = float64(busy-min(busy, l.busy)) / float64(total-l.total)
	}
	if ok {
		l.busy, l.total = busy, total
	}
	return min(cpu, 1), memory
}

// parseStat reads the first line of /proc/stat: "cpu" and ticks spent as user,
// nice, system, idle, iowait, irq, softirq, steal.
func parseStat(stat []byte) (busy, total uint64, ok bool) {
	line, _, _ := bytes.Cut(stat, []byte("\n"))
	fields := bytes.Fields(line)
	if len(fields) < 6 || string(fields[0]) != "cpu" {
		return 0, 0, false
	}
	for i, field := range fields[1:min(len(fields), 9)] {
		ticks, err := strconv.ParseUint(string(field), 10, 64)
		if err != nil {
			return 0, 0, false
		}
		total += ticks
		if i != 3 && i != 4 { // idle and waiting for a disk
			busy += ticks
		}
	}
	return busy, total, true
}
