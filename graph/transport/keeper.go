package transport

import (
	"context"
	"errors"
	"time"

	"github.com/coder/websocket"
)

// keep notices clients that vanished and callers that may no longer listen.
func (c *connection) keep() {
	ping, recheck := time.NewTicker(c.Pace.Ping), time.NewTicker(c.Pace.Recheck)
	defer ping.Stop()
	defer recheck.Stop()
	for {
		select {
		case <-ping.C:
			c.wg.Go(c.ping)
		case <-recheck.C:
			if err := c.Recheck(c.ctx); err != nil {
				c.cancel(unauthorized(err))
				return
			}
		case <-c.ctx.Done():
			return
		}
	}
}

// ping is answered by the client's WebSocket library itself, so it asks nothing
// of the programs that use it. At most one is under way: it takes no longer than
// the interval.
func (c *connection) ping() {
	ctx, cancel := context.WithTimeout(c.ctx, c.Pace.Ping)
	defer cancel()
	if err := c.ws.Ping(ctx); err != nil && c.ctx.Err() == nil {
		c.Logger.DebugContext(c.ctx, "a client answered no ping and is dropped")
		c.cancel(err)
	}
}

// closeWhenDone closes the socket when its context ends, with the code and
// reason of the cause.
func (c *connection) closeWhenDone(ctx context.Context) {
	<-ctx.Done()
	cause := context.Cause(ctx)
	if why, ok := errors.AsType[*closing](cause); ok {
		_ = c.ws.Close(why.code, why.reason)
		return
	}
	if errors.Is(cause, ErrStopping) {
		_ = c.ws.Close(websocket.StatusGoingAway, ErrStopping.Error())
		return
	}
	_ = c.ws.CloseNow()
}
