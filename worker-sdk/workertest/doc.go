// Package workertest tests handlers and services that embed a worker, without a
// Belfry server.
//
// Run runs one handler once, with the SDK's own executor, and returns what it did.
// Server is a server in memory that speaks the worker protocol: a worker and a
// client connect to it as to a real one, and it can lose replies, repeat them or
// break connections. Both work inside a testing/synctest bubble, where time limits,
// snoozes and back-offs pass at once.
package workertest
