// Package fault holds the errors that are meant for people and programs outside:
// a stable code, the field at fault and one sentence with the value and the
// remedy. Any other error is a fault of ours: it is wrapped on its way up, logged
// once at the edge and shown there as INTERNAL with a request id.
package fault

import (
	"errors"
	"fmt"
	"strings"
)

// Code is a stable, machine-readable class of error.
type Code string

// Codes.
const (
	Invalid         Code = "INVALID"         // a value is not allowed
	Required        Code = "REQUIRED"        // a value is missing
	Taken           Code = "TAKEN"           // a unique name is in use
	NotFound        Code = "NOT_FOUND"       // no such object
	Conflict        Code = "CONFLICT"        // the object's state or version does not allow it
	Unsupported     Code = "UNSUPPORTED"     // valid, but this version cannot do it
	Unauthenticated Code = "UNAUTHENTICATED" // nobody is signed in
	Forbidden       Code = "FORBIDDEN"       // somebody is, but may not
	Limit           Code = "LIMIT"           // too much at once
	Unavailable     Code = "UNAVAILABLE"     // try again later
	Internal        Code = "INTERNAL"        // a fault of ours
)

// Error is one error for people.
type Error struct {
	Code    Code
	Field   []string // path of the input field, outermost first; nil when no field is at fault
	Message string   // one sentence: field, value, remedy
}

func (e *Error) Error() string { return e.Message }

// New makes an error that blames no field.
func New(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: fmt.Sprintf(format, args...)}
}

// At makes an error that blames the field with the given dotted path, for
// example "trigger.cron.expression".
func At(path string, code Code, format string, args ...any) *Error {
	return &Error{Code: code, Field: strings.Split(path, "."), Message: fmt.Sprintf(format, args...)}
}

// List is several errors of one input, all shown at once.
type List []*Error

func (l List) Error() string {
	texts := make([]string, len(l))
	for i, e := range l {
		texts[i] = e.Message
	}
	return strings.Join(texts, " ")
}

// Add appends e unless it is nil.
func (l *List) Add(e *Error) {
	if e != nil {
		*l = append(*l, e)
	}
}

// Err answers the list as an error, or nil when it is empty.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

// All answers the errors for people within err, or nil when err is a fault of
// ours.
func All(err error) List {
	if list, ok := errors.AsType[List](err); ok {
		return list
	}
	if one, ok := errors.AsType[*Error](err); ok {
		return List{one}
	}
	return nil
}

// CodeOf answers the code of the first error for people within err; Internal
// when there is none, and the empty code for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	if all := All(err); len(all) > 0 {
		return all[0].Code
	}
	return Internal
}

// Is says whether err is an error for people with the given code.
func Is(err error, code Code) bool { return CodeOf(err) == code && err != nil }

// Prefix puts path before the fields of the errors for people within err; other
// errors pass unchanged.
func Prefix(path string, err error) error {
	list := All(err)
	if list == nil {
		return err
	}
	moved := make(List, len(list))
	for i, e := range list {
		field := e.Field
		if field != nil {
			field = append(strings.Split(path, "."), field...)
		}
		moved[i] = &Error{Code: e.Code, Field: field, Message: e.Message}
	}
	return moved
}
