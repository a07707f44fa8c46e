package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// processStat has the fields of /proc/PID/stat that follow the program's name.
func processStat(pid int) []string {
	stat, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
	if err != nil {
		return nil // it has ended
	}
	return strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
}

// ticks sums some fields of a process, in seconds; a tick is 10 ms.
func ticks(stat []string, fields ...int) (seconds float64) {
	for _, i := range fields {
		if i < len(stat) {
			n, _ := strconv.ParseFloat(stat[i], 64) // the kernel writes numbers
			seconds += n / 100
		}
	}
	return seconds
}

// Fields of /proc/PID/stat, counted from the state.
const (
	statParent   = 1
	statUser     = 11
	statSystem   = 12
	statGoneUser = 13 // of children that have ended
	statGoneSys  = 14
)

// cpuSeconds is the processor time a running process has used.
func cpuSeconds(pid int) float64 { return ticks(processStat(pid), statUser, statSystem) }

// cpuOfTree is that of a process and its children, those that have ended included.
func cpuOfTree(pid int) float64 {
	sum := ticks(processStat(pid), statUser, statSystem, statGoneUser, statGoneSys)
	all, _ := filepath.Glob("/proc/[0-9]*") // the pattern is well formed
	for _, path := range all {
		child, err := strconv.Atoi(filepath.Base(path))
		if err != nil {
			continue
		}
		if stat := processStat(child); len(stat) > statParent && stat[statParent] == strconv.Itoa(pid) {
			sum += ticks(stat, statUser, statSystem)
		}
	}
	return sum
}

// residentMiB is the memory a running process holds.
func residentMiB(pid int) float64 {
	raw, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "statm"))
	if err != nil {
		return 0
	}
	pages, _ := strconv.ParseFloat(strings.Fields(string(raw))[1], 64)
	return pages * float64(os.Getpagesize()) / (1 << 20)
}
