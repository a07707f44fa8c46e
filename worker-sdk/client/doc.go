// Package client enqueues tasks on a Belfry server, cancels them and waits for
// them. It needs no worker in the same process.
//
//	c, err := client.New(client.Config{Server: url, App: "order-worker", Key: key})
//	if err != nil { … }
//	id, err := c.Enqueue(ctx, "CloseOrder", CloseOrder{Order: 17},
//		client.In(30*time.Minute), client.UniqueKey("order-17"), client.Priority(client.High))
//
// Every call is repeated, at the next server of the list, until a server answers or
// Config.RetryFor has passed. That creates nothing twice: each task carries a
// request id that stays the same over the repeats. Inside of a handler use the client
// that worker.Worker.Client returns, and RequestIDFrom, so that a further attempt
// enqueues nothing twice either.
package client
