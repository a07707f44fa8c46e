package store

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"strings"
	"time"
	"unicode"

	"gorm.io/gorm"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/mask"
	"github.com/belfry-scheduler/belfry/services/origin"
)

// The audit trail shows what an object was before and after a change. Both are read by the
// transaction that changes it, from the same rows, by one function for all kinds: a change
// that forgets to say what it did still shows what it did.

// auditObject is what an audit row says about its object.
type auditObject struct {
	app, name string
	state     map[string]any // nil: not kept for this kind
}

// objects answers the row of an object of a kind of which states are kept; gorm.ErrRecordNotFound
// when there is none.
var objects = map[string]func(tx *gorm.DB, id string) (auditObject, error){
	"app":        objectOf(func(r *models.App) (string, string) { return r.ID, r.Name }),
	"group":      objectOf(func(r *models.NodeGroup) (string, string) { return r.AppID, r.Name }),
	"node":       objectOf(func(r *models.Node) (string, string) { return r.AppID, r.Name }),
	"job":        objectOf(func(r *models.Job) (string, string) { return r.AppID, r.Name }),
	"calendar":   objectOf(func(r *models.Calendar) (string, string) { return r.AppID, r.Name }),
	"alert_rule": objectOf(func(r *models.AlertRule) (string, string) { return r.Spec.Scope.AppID, r.Name }),
	"silence":    objectOf(func(r *models.Silence) (string, string) { return r.Scope.AppID, r.Reason }),
	"channel":    objectOf(func(r *models.AlertChannel) (string, string) { return "", r.Name }),
	"report":     objectOf(func(r *models.ReportSchedule) (string, string) { return pointed(r.AppID), r.Name }),
	"user":       withRoles(objectOf(func(r *models.User) (string, string) { return "", r.Name })),
	"token":      withRoles(objectOf(func(r *models.APIToken) (string, string) { return "", r.Name })),
	"app_key":    objectOf(func(r *models.AppKey) (string, string) { return r.AppID, r.Prefix }),
}

func pointed(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// objectOf reads a row and shows it.
func objectOf[T any](names func(*T) (app, name string)) func(*gorm.DB, string) (auditObject, error) {
	return func(tx *gorm.DB, id string) (auditObject, error) {
		var row T
		if err := tx.Where("id = ?", id).Limit(1).Take(&row).Error; err != nil {
			return auditObject{}, err
		}
		app, name := names(&row)
		return auditObject{app: app, name: name, state: stateOf(&row)}, nil
	}
}

// withRoles adds the roles that a holder has in single apps.
func withRoles(read func(*gorm.DB, string) (auditObject, error)) func(*gorm.DB, string) (auditObject, error) {
	return func(tx *gorm.DB, id string) (auditObject, error) {
		o, err := read(tx, id)
		if err != nil {
			return o, err
		}
		var roles []models.AppRole
		if err := tx.Where("holder_id = ?", id).Order("app_id").Find(&roles).Error; err != nil {
			return o, err
		}
		held := make(map[string]any, len(roles))
		for _, r := range roles {
			held[r.AppID] = r.Role.String()
		}
		o.state["apps"] = held
		return o, nil
	}
}

// unshown are fields that no audit row holds: secrets, hashes of secrets, and what Belfry
// changes by itself.
var unshown = map[string]bool{
	"PasswordHash": true, "Hash": true, "Sealed": true, "Partition": true, "LiveName": true, "UpdatedAt": true, "Version": true,
	"LastUsedAt": true, "LastSeenAt": true, "NextFireAt": true, "LastFireAt": true, "TriggerSince": true, "CalendarVersion": true,
	"NextAt": true, "LastSentAt": true, "RemindedAt": true, "Running": true, "ServerID": true, "Lingering": true, "Stuck": true,
	"Handlers": true, "HandlerSlots": true, "DeafSince": true, "StartedAt": true, "Incarnation": true, "State": true,
}

var secrets = mask.New(mask.Rules{})

// stateOf shows the fields of a row by their names in lower camel case. A field Spec, the
// definition of a rule, is shown as if its fields were the row's own.
func stateOf(row any) map[string]any {
	v := reflect.Indirect(reflect.ValueOf(row))
	state := shownFields(v)
	if spec := v.FieldByName("Spec"); spec.IsValid() && spec.Kind() == reflect.Struct {
		delete(state, "spec")
		maps.Copy(state, shownFields(spec))
	}
	if u, ok := row.(*models.User); ok {
		state["hasPassword"] = u.PasswordHash != ""
	}
	return state
}

func shownFields(v reflect.Value) map[string]any {
	state := map[string]any{}
	for i := range v.NumField() {
		if f := v.Type().Field(i); f.IsExported() && !unshown[f.Name] {
			state[lowerCamel(f.Name)] = shown(v.Field(i))
		}
	}
	return state
}

// shown is a value as people read it: enumerations by their names, documents as they are.
func shown(v reflect.Value) any {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return nil
		}
		v = v.Elem()
	}
	switch value := v.Interface().(type) {
	case json.RawMessage:
		if len(value) == 0 || !json.Valid(value) {
			return nil
		}
		return value
	case time.Time:
		return value.UTC().Format(time.RFC3339Nano)
	case fmt.Stringer:
		if v.Kind() == reflect.Uint8 {
			return enumeration(v, value)
		}
	}
	switch v.Kind() {
	case reflect.Struct:
		return notEmpty(shownFields(v))
	case reflect.Slice:
		all := make([]any, v.Len())
		for i := range all {
			all[i] = shown(v.Index(i))
		}
		return all
	default:
		return v.Interface()
	}
}

func enumeration(v reflect.Value, value fmt.Stringer) any {
	if v.Uint() == 0 {
		return nil
	}
	return value.String()
}

// lowerCamel is a field's name as the API would write it: AppID is appId, TimeoutMS timeoutMs.
func lowerCamel(name string) string {
	runes := []rune(name)
	for i := range runes {
		end := i+1 == len(runes)
		switch {
		case i == 0:
			runes[i] = unicode.ToLower(runes[i])
		case unicode.IsUpper(runes[i]) && unicode.IsUpper([]rune(name)[i-1]) && (end || unicode.IsUpper(runes[i+1])):
			runes[i] = unicode.ToLower(runes[i])
		}
	}
	return strings.ReplaceAll(string(runes), "MS", "Ms")
}

// readObject reads what an audit row is about; the zero value when it is not there, or of
// a kind of which nothing is kept.
func readObject(tx *gorm.DB, kind, id string) (auditObject, error) {
	read, kept := objects[kind]
	if !kept || id == "" {
		return auditObject{}, nil
	}
	o, err := read(tx, id)
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return auditObject{}, nil
	}
	if err != nil {
		return auditObject{}, fmt.Errorf("reading what the audit log tells of: %w", err)
	}
	return o, nil
}

// lookBefore notes what the object of an audit row is before its change. The row is locked,
// so that nobody changes it in between.
func (s *Store) lookBefore(tx *gorm.DB, a *models.Audit) error {
	o, err := readObject(s.locked(tx).Session(&gorm.Session{}), a.Kind, a.Object)
	if err != nil {
		return err
	}
	a.Was, a.AppID, a.ObjectName = o.state, o.app, o.name
	return nil
}

// changing is write for a change of the object that an audit row tells of: the row will say
// what it was before.
func (s *Store) changing(ctx context.Context, what string, a *models.Audit, fn func(tx *gorm.DB) error) error {
	return s.write(ctx, what, func(tx *gorm.DB) error {
		if err := s.lookBefore(tx, a); err != nil {
			return err
		}
		return fn(tx)
	})
}

// complete fills in what the ledger knows of a change: where it came from, what the object
// is now, and what of it has changed.
func complete(tx *gorm.DB, a *models.Audit) error {
	o := origin.Of(tx.Statement.Context)
	if a.Address == "" && a.RequestID == "" && a.Agent == "" {
		a.Address, a.RequestID, a.Agent = o.Address, o.RequestID, o.Agent
	}
	if a.ActorKind == "" {
		a.ActorKind = o.Kind
	}
	if a.ActorKind == "" {
		a.ActorKind = models.AuthorSystem
	}
	a.Address, a.RequestID, a.Agent = cutChars(a.Address, 64), cutChars(a.RequestID, 64), cutChars(a.Agent, 64)
	a.Actor, a.Object = cutChars(a.Actor, nameLimit), cutChars(a.Object, nameLimit)
	a.Detail = secrets.JSON(a.Detail)
	is, err := readObject(tx, a.Kind, a.Object)
	if err != nil {
		return err
	}
	if is.state != nil {
		a.AppID, a.ObjectName = is.app, is.name
	}
	a.ObjectName = cutChars(a.ObjectName, nameLimit)
	if a.Was == nil && a.Action != a.Kind+".create" {
		return nil // nobody looked before: what is now would look like something new
	}
	if is.state["deletedAt"] != nil {
		is.state = nil // jobs are kept for the tasks that they made
	}
	before, after := differing(a.Was, is.state)
	if a.StateBefore, err = stateDocument(before); err != nil {
		return err
	}
	a.StateAfter, err = stateDocument(after)
	return err
}

// differing leaves of two states what differs; of one that stands alone, everything that is
// not empty.
func differing(before, after map[string]any) (was, is map[string]any) {
	if before == nil || after == nil {
		return notEmpty(before), notEmpty(after)
	}
	was, is = map[string]any{}, map[string]any{}
	for name := range after {
		if !reflect.DeepEqual(before[name], after[name]) {
			was[name], is[name] = before[name], after[name]
		}
	}
	return was, is
}

func notEmpty(state map[string]any) map[string]any {
	if state == nil {
		return nil
	}
	kept := maps.Clone(state)
	maps.DeleteFunc(kept, func(_ string, v any) bool {
		return v == nil || v == "" || reflect.ValueOf(v).Kind() == reflect.Map && reflect.ValueOf(v).Len() == 0
	})
	return kept
}

// stateDocument writes a state without secrets.
func stateDocument(state map[string]any) (json.RawMessage, error) {
	if state == nil {
		return nil, nil
	}
	raw, err := json.Marshal(state)
	if err != nil {
		return nil, fmt.Errorf("writing what an object was: %w", err)
	}
	return secrets.JSON(raw), nil
}
