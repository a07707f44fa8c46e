package client

import (
	"errors"
	"fmt"

	"github.com/belfry-scheduler/belfry/worker-sdk/internal/link"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

// Codes of Error.
const (
	CodeUnauthenticated = wire.CodeUnauthenticated // the key is missing, wrong or revoked
	CodeNotFound        = wire.CodeNotFound        // there is no such job or task
	CodeConflict        = wire.CodeConflict        // the task's state does not allow it
	CodeInvalid         = wire.CodeInvalid         // Field and Message say what and how to mend it
	CodeTooLarge        = wire.CodeTooLarge        // parameters or request are too large
	CodeUnavailable     = wire.CodeUnavailable     // no server answered; Unwrap returns why
)

// Error is what a server answered, or what is wrong with a call before it is sent.
type Error struct {
	Code    string
	Field   string // of the call, if the error is about one
	Message string
	cause   error
}

// Error says code, message and field.
func (e *Error) Error() string {
	if e.Field != "" {
		return fmt.Sprintf("belfry: %s: %s (field %s)", e.Code, e.Message, e.Field)
	}
	return fmt.Sprintf("belfry: %s: %s", e.Code, e.Message)
}

// Unwrap returns the last failure behind an UNAVAILABLE, or the context's error.
func (e *Error) Unwrap() error { return e.cause }

func invalid(field, message string, args ...any) *Error {
	return &Error{Code: CodeInvalid, Field: field, Message: fmt.Sprintf(message, args...)}
}

// errorOf turns an error of the link into the exported type.
func errorOf(err error) *Error {
	if e, ok := errors.AsType[*link.Error](err); ok && e.Code != "" {
		return &Error{Code: e.Code, Field: e.Field, Message: e.Message}
	}
	return &Error{Code: CodeUnavailable, Message: err.Error(), cause: err}
}

func errorOfItem(e *wire.Error) error {
	if e == nil {
		return nil
	}
	return &Error{Code: e.Code, Field: e.Field, Message: e.Message}
}
