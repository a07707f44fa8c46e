// Package workertest tests handlers and services that embed a worker, without a
// Belfry server.
//
// Run (RunResult for handlers with a result) runs one handler once, with the SDK's own
// executor, and returns what it did: its error, result, log lines, progress and
// checkpoint, and whether it asked for a snooze, for another pause or for no retry.
// Options set what the task has, put Middleware around the handler, and stop it after a
// while for any cause (TimeLimit, StopAfter).
//
// Server is a server in memory that speaks the worker protocol: workers and clients
// connect to it as to a real one (Config, ClientConfig), and it can lose replies, repeat
// them, break connections (Inject, Disconnect), be away (Down, Up), lose a process
// (CutOff) and give an attempt to another (TakeOver).
//
// The clock of both is package time's: inside a testing/synctest bubble it is fake, and
// time limits, snoozes, back-offs and missed heartbeats pass at once.
package workertest
