// Package web is the HTTP front: it listens, routes, finds out who asks, and puts
// around every answer what all answers need (ids, headers, limits, recovery). It
// answers sign-in, health and metrics itself; the API, the worker protocol and
// the console are handlers that it is given.
package web
