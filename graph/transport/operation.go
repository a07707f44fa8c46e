package transport

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// operation is one that is under way on a socket.
type operation struct {
	id     string
	cancel context.CancelFunc
}

// subscribe starts an operation.
func (c *connection) subscribe(m message) error {
	params, err := decodeParams(m.Payload)
	if m.ID == "" || err != nil {
		return &closing{closeBadMessage, "Invalid subscribe message"}
	}
	ctx, op, err := c.admit(m.ID)
	if fault.Is(err, fault.Limit) {
		return c.refuse(c.ctx, m.ID, list(err))
	}
	if err != nil {
		return err
	}
	params.Headers = c.headers
	c.wg.Go(func() { c.operate(ctx, op, params) })
	return nil
}

// admit books an operation; release ends it. Errors: the reason to close the
// socket, or LIMIT.
func (c *connection) admit(id string) (context.Context, *operation, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, taken := c.active[id]; taken {
		return nil, nil, &closing{closeDuplicateID, "Subscriber for " + clip(id) + " already exists"}
	}
	if len(c.active) >= MaxOperations {
		return nil, nil, fault.New(fault.Limit, "This socket has %d operations already: end some first.", MaxOperations)
	}
	ctx, cancel := context.WithCancel(c.ctx)
	op := &operation{id: id, cancel: cancel}
	c.active[id] = op
	return ctx, op, nil
}

// release ends an operation and makes its id free. It is done before the client
// is told of the end, since it may use the id again at once.
func (c *connection) release(op *operation) {
	op.cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.active[op.id] == op {
		delete(c.active, op.id)
	}
}

// stop ends the operation with this id; one that is not there has ended already.
func (c *connection) stop(id string) {
	c.mu.Lock()
	op := c.active[id]
	c.mu.Unlock()
	if op != nil {
		c.release(op)
	}
}

// operate runs one operation to its end.
func (c *connection) operate(ctx context.Context, op *operation, params *graphql.RawParams) {
	defer c.release(op)
	params.ReadTime = graphql.TraceTiming{Start: graphql.Now(), End: graphql.Now()}
	oc, errs := c.exec.CreateOperationContext(graphql.StartOperationTrace(ctx), params)
	ctx = graphql.WithOperationContext(ctx, oc)
	if errs != nil {
		c.release(op)
		c.drop(c.refuse(ctx, op.id, errs))
		return
	}
	if oc.Operation.Operation == ast.Subscription {
		done, err := c.Streams.subscribe(c.stream)
		if err != nil {
			c.release(op)
			c.drop(c.refuse(ctx, op.id, list(err)))
			return
		}
		defer done()
	}
	responses, ctx := c.exec.DispatchOperation(ctx, oc)
	for response := responses(ctx); response != nil; response = responses(ctx) {
		body, err := encode(response)
		if err == nil {
			err = c.send(message{ID: op.id, Type: msgNext, Payload: body})
		}
		if err != nil {
			c.drop(err)
			return
		}
	}
	if ctx.Err() == nil { // else the client has ended it, or the socket closes
		c.release(op)
		c.drop(c.send(message{ID: op.id, Type: msgComplete}))
	}
}

// refuse answers an operation that does not run.
func (c *connection) refuse(ctx context.Context, id string, errs gqlerror.List) error {
	body, err := plain(c.exec.DispatchError(ctx, errs).Errors)
	if err != nil {
		return err
	}
	return c.send(message{ID: id, Type: msgError, Payload: body})
}

// drop ends the socket when err says that it cannot be written.
func (c *connection) drop(err error) {
	if err != nil {
		c.cancel(err)
	}
}

// clip keeps a client's text short enough for a close frame.
func clip(s string) string {
	const most = 40
	if runes := []rune(s); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return s
}
