package main

import "time"

// faults, those that show most first.
var faults = []fault{
	{id: "F01", what: "kill -9 of the leading server between two steps", short: true, span: 45 * time.Second, servers: 3, enqueues: 8, run: killAtPoints},
	{id: "F04", what: "a worker stands still and comes back", short: true, span: 32 * time.Second, enqueues: 8, run: pauseWorkers},
	{id: "F07", what: "commit unknown", short: true, span: 25 * time.Second, enqueues: 20, run: cutCommits},
	{id: "F18", what: "everything delivered up to three times, reordered", short: true, span: 22 * time.Second, enqueues: 20, run: repeatEverything},
	{id: "F21", what: "servers start at once on an empty database", short: true, span: 15 * time.Second, bare: true, run: startTogether},
	{id: "F31", what: "broken rows of jobs", short: true, span: 15 * time.Second, enqueues: 5, run: poisonJobs},
	{id: "F02", what: "kill -9 of each server in turn", span: 40 * time.Second, servers: 3, enqueues: 8, run: killInTurn},
	{id: "F03", what: "kill -9 of a worker that runs attempts", span: 30 * time.Second, workers: 3, enqueues: 8, run: killWorkers},
	{id: "F05", what: "the leading server stands still in mid-pass, past its lease", span: 75 * time.Second, servers: 3, enqueues: 8, run: zombieLeaders},
	{id: "F06", what: "the database restarts, in order and by kill -9", span: 45 * time.Second, enqueues: 8, run: restartDatabase},
	{id: "F08", what: "Redis is emptied, killed, and away", span: 45 * time.Second, enqueues: 8, run: breakRedis},
	{id: "F09", what: "the locks' keys vanish or are given to a stranger", span: 40 * time.Second, enqueues: 8, run: stealLocks},
	{id: "F10", what: "a server is cut off from database and Redis, not from workers", span: 45 * time.Second, enqueues: 8, run: cutServer},
	{id: "F11", what: "one-way cuts that never heal: a server's ears, a worker's voice", span: 45 * time.Second, servers: 3, enqueues: 8, run: cutOneWay},
	{id: "F14", what: "a slow database", span: 40 * time.Second, enqueues: 4, run: slowDatabase},
	{id: "F16", what: "deadlocks in 5 % of all transactions, lost answers in 2 %", span: 25 * time.Second, enqueues: 20, run: deadlocks},
	{id: "F22", what: "workers and servers stop in order, one after the other", span: 45 * time.Second, enqueues: 8, run: rollingStops},
	{id: "F19", what: "answers to reports and frames to workers are lost", span: 30 * time.Second, enqueues: 8, run: loseAnswers},
	{id: "F20", what: "a server dies within a batch", span: 40 * time.Second, servers: 3, workers: 3, enqueues: 4, run: dieInBatches},
	{id: "F24", what: "bursts", span: 28 * time.Second, enqueues: 2, run: bursts},
	{id: "F25", what: "no worker, and one that refuses everything", span: 32 * time.Second, enqueues: 4, run: noWorkers},
	{id: "F26", what: "bad queries", span: 40 * time.Second, enqueues: 4, run: queries},
	{id: "F27", what: "sockets that do not read, that vanish, whose token ends", span: 60 * time.Second, enqueues: 4, run: sockets},
	{id: "F28", what: "floods of logs", span: 45 * time.Second, enqueues: 4, run: floodLogs},
	{id: "F30", what: "a hostile worker", span: 20 * time.Second, enqueues: 8, run: hostile},
	{id: "F32", what: "cancellations at any moment", span: 25 * time.Second, enqueues: 2, cancels: true, run: cancelRaces},
}
