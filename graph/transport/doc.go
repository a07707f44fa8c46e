// Package transport carries GraphQL operations over HTTP: POST, server-sent
// events and WebSocket (graphql-transport-ws). It knows nothing of the schema.
//
// It replaces the executor's own transports because those cannot notice a reader
// that has stopped reading, close a socket with the protocol's codes when a
// session ends, or refuse an oversized body as such.
package transport

import (
	"context"
	"time"
)

// Bounds of one connection.
const (
	MaxBody       = 1 << 20 // bytes of a request's body or of a WebSocket message
	MaxOperations = 100     // operations at once on one WebSocket
	MaxStreams    = 20_000  // WebSockets and event streams at once
)

// Bounds of one caller on one server, at once. A person with many tabs, or a tool, has a
// few; what is far above that is a mistake or malice, and must not take the places of
// others.
const (
	MaxCallerStreams       = 200   // WebSockets and event streams
	MaxCallerSubscriptions = 1_000 // on all of them together
	// MaxAddressStreams are streams from one address on which nobody has signed in yet.
	// Behind a proxy all clients have one address: they are in it for the blink of an eye.
	MaxAddressStreams = 200
)

// Pace is how patient streams are. All are needed.
type Pace struct {
	Init    time.Duration // how long connection_init is awaited
	Ping    time.Duration // between two signs of life; a client that shows none for so long is gone
	Recheck time.Duration // between two looks at whether the caller may go on
	Write   time.Duration // a reader that takes longer for one message is dropped
}

// Standard is the pace of every server.
var Standard = Pace{Init: 10 * time.Second, Ping: 15 * time.Second, Recheck: 2 * time.Second, Write: 10 * time.Second}

// Recheck answers nil while the caller behind ctx may go on; an error ends the
// caller's stream.
type Recheck func(ctx context.Context) error
