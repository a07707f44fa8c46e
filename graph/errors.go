package graph

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/belfry-scheduler/belfry/graph/gqlmodel"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/web/request"
)

// panicked wraps what a resolver panicked with; it has been logged with its stack.
type panicked struct{ value any }

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// recoverer logs a panic of a resolver once, with its stack.
func recoverer(log *slog.Logger) graphql.RecoverFunc {
	return func(ctx context.Context, value any) error {
		log.ErrorContext(ctx, "a resolver panicked", "request_id", request.ID(ctx),
			"path", graphql.GetPath(ctx).String(), "panic", value, "stack", string(debug.Stack()))
		return &panicked{value}
	}
}

// presenter decides what of an error a client sees: errors for people as they
// are, with their code; the executor's own about the text of the operation; of
// anything else only the request's id, by which the log has the rest.
func presenter(log *slog.Logger) graphql.ErrorPresenterFunc {
	return func(ctx context.Context, err error) *gqlerror.Error {
		shown := &gqlerror.Error{Path: graphql.GetPath(ctx)}
		original, isGraphQL := errors.AsType[*gqlerror.Error](err)
		if isGraphQL {
			shown.Path, shown.Locations = original.Path, original.Locations
		}
		switch all := fault.All(err); {
		case len(all) > 0:
			shown.Message = all.Error()
			code(shown, string(all[0].Code))
			if all[0].Field != nil {
				shown.Extensions["field"] = all[0].Field
			}
		case isGraphQL && original.Err == nil:
			shown.Message = original.Message
			code(shown, ownCode(original))
		case errors.Is(err, context.DeadlineExceeded):
			shown.Message = fmt.Sprintf("The operation took longer than %s and was given up: ask for less at once.", operationTimeout)
			code(shown, string(fault.Limit))
		case errors.Is(err, context.Canceled):
			shown.Message = "The operation was given up because the client went away or the server stops."
			code(shown, string(fault.Unavailable))
		default:
			logOnce(ctx, log, shown.Path.String(), err)
			shown.Message = "Something went wrong on the server: an administrator finds it in the log by the request id."
			code(shown, string(fault.Internal))
		}
		if id := request.ID(ctx); id != "" {
			shown.Extensions["requestId"] = id
		}
		return shown
	}
}

func code(e *gqlerror.Error, code string) { e.Extensions = map[string]any{"code": code} }

// ownCode is the code of an error of the executor or parser.
func ownCode(err *gqlerror.Error) string {
	if code, ok := err.Extensions["code"].(string); ok {
		return code
	}
	return string(fault.Invalid)
}

func logOnce(ctx context.Context, log *slog.Logger, path string, err error) {
	if _, done := errors.AsType[*panicked](err); done || !scopeOf(ctx).firstTime(err.Error()) {
		return
	}
	operation := ""
	if graphql.HasOperationContext(ctx) {
		operation = graphql.GetOperationContext(ctx).OperationName
	}
	log.ErrorContext(ctx, "an operation failed", "request_id", request.ID(ctx),
		"operation", operation, "path", path, "error", err)
}

// inInput turns the errors for people within err, which blame fields of the
// argument "input", into userErrors. A missing object that no field names is the
// one that the field id of input names. Any other error stays an error.
func inInput(id string, err error) ([]*gqlmodel.UserError, error) {
	return userErrors(err, []string{"input"}, id)
}

// inArgument is inInput for an operation whose fields are arguments of its own;
// id is the argument that names the object.
func inArgument(id string, err error) ([]*gqlmodel.UserError, error) {
	return userErrors(err, nil, id)
}

func userErrors(err error, prefix []string, id string) ([]*gqlmodel.UserError, error) {
	if err == nil {
		return []*gqlmodel.UserError{}, nil
	}
	all := fault.All(err)
	shown := make([]*gqlmodel.UserError, 0, len(all))
	for _, e := range all {
		switch e.Code {
		case fault.Unauthenticated, fault.Forbidden, fault.Unavailable, fault.Internal:
			return nil, err // not what a person can mend in the form
		default:
		}
		field := e.Field
		if field == nil && e.Code == fault.NotFound {
			field = []string{id}
		}
		if field != nil {
			field = append(slices.Clone(prefix), field...)
		}
		shown = append(shown, &gqlmodel.UserError{Code: string(e.Code), Field: field, Message: e.Message})
	}
	if len(shown) == 0 {
		return nil, err
	}
	return shown, nil
}

// found makes a query's answer of a read: null when there is no such row.
func found[R, V any](convert func(*R) *V) func(R, error) (*V, error) {
	return func(row R, err error) (*V, error) {
		if fault.Is(err, fault.NotFound) {
			return nil, nil //nolint:nilnil // absent is an answer: the schema says null
		}
		if err != nil {
			return nil, err
		}
		return convert(&row), nil
	}
}
