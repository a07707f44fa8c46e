package graph

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

func TestPresenter(t *testing.T) {
	t.Parallel()
	present := presenter(slog.New(slog.DiscardHandler))
	ctx := request.WithID(t.Context(), "REQ1")
	for name, tt := range map[string]struct {
		err  error
		code string
		says string
	}{
		"an error for people": {fault.New(fault.NotFound, "There is no task."), "NOT_FOUND", "There is no task."},
		"one that is wrapped": {fmt.Errorf("reading: %w", fault.New(fault.Limit, "Too many.")), "LIMIT", "Too many."},
		"one within GraphQL":  {gqlerror.WrapPath(ast.Path{ast.PathName("task")}, fault.New(fault.Forbidden, "No.")), "FORBIDDEN", "No."},
		"the executor's own":  {gqlerror.Errorf("operation X not found"), "INVALID", "operation X not found"},
		"too long":            {fmt.Errorf("reading: %w", context.DeadlineExceeded), "LIMIT", "30s"},
		"given up":            {context.Canceled, "UNAVAILABLE", "went away"},
		"a fault of ours":     {errors.New("secret"), "INTERNAL", "request id"},
		"a panic":             {&panicked{"secret"}, "INTERNAL", "request id"},
	} {
		got := present(ctx, tt.err)
		if got.Extensions["code"] != tt.code || !strings.Contains(got.Message, tt.says) || strings.Contains(got.Message, "secret") || got.Extensions["requestId"] != "REQ1" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	field := present(ctx, fault.At("first", fault.Limit, "Too many."))
	if got, _ := field.Extensions["field"].([]string); len(got) != 1 || got[0] != "first" {
		t.Errorf("the field at fault: %v", field.Extensions)
	}
}

// One failure is one line, however many rows it spoils.
func TestFailuresAreLoggedOnce(t *testing.T) {
	t.Parallel()
	var log strings.Builder
	present := presenter(slog.New(slog.NewTextHandler(&log, nil)))
	ctx := context.WithValue(t.Context(), scopeKey{}, &scope{})
	for range 50 {
		present(ctx, errors.New("the disk is full"))
	}
	for i := range 50 {
		present(ctx, fmt.Errorf("failure %d", i))
	}
	if n := strings.Count(log.String(), "the disk is full"); n != 1 {
		t.Errorf("the failure is logged %d times", n)
	}
	if n := strings.Count(log.String(), "\n"); n > maxLogged {
		t.Errorf("%d lines for one operation", n)
	}
}

func TestOperationsAreCutOff(t *testing.T) {
	t.Parallel()
	for kind, want := range map[ast.Operation]time.Duration{ast.Query: operationTimeout, ast.Mutation: operationTimeout, ast.Subscription: time.Hour} {
		synctest.Test(t, func(t *testing.T) {
			outer, cancel := context.WithTimeout(t.Context(), time.Hour)
			defer cancel()
			ctx := graphql.WithOperationContext(outer, &graphql.OperationContext{Operation: &ast.OperationDefinition{Operation: kind}})
			began := time.Now()
			var inner context.Context
			respond := (&Resolver{}).aroundOperation(ctx, func(ctx context.Context) graphql.ResponseHandler {
				inner = ctx // as the executor hands it to the transport
				return func(ctx context.Context) *graphql.Response {
					<-ctx.Done()
					return nil
				}
			})
			respond(inner)
			if took := time.Since(began); took != want {
				t.Errorf("a %s was cut off after %s, want %s", kind, took, want)
			}
		})
	}
}
