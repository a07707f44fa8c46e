package limit

import (
	"context"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator/core"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/belfry-scheduler/belfry/services/fault"
)

// TextGuard refuses texts that would take long to validate: one rule of the
// language compares every field with every other of the same name, so that five
// thousand of them take seconds, whoever sends them. It is the executor's extension
// that looks at a text before anything else does.
type TextGuard struct {
	Bounds Bounds
	// Known says whether a text has been validated before; it is then not looked
	// at again.
	Known func(ctx context.Context, text string) bool
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationParameterMutator
} = TextGuard{}

// ExtensionName implements graphql.HandlerExtension.
func (TextGuard) ExtensionName() string { return "TextGuard" }

// Validate implements graphql.HandlerExtension.
func (TextGuard) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters implements graphql.OperationParameterMutator.
func (g TextGuard) MutateOperationParameters(ctx context.Context, params *graphql.RawParams) *gqlerror.Error {
	if g.Known != nil && g.Known(ctx, params.Query) {
		return nil
	}
	if err := g.Bounds.CheckText(params.Query); err != nil {
		return refuse(err)
	}
	return nil
}

// CheckText refuses a text with more tokens or selections than allowed, with
// LIMIT. One that cannot be read passes: the executor says what is wrong with it.
func (b Bounds) CheckText(text string) error {
	doc, err := parser.ParseQueryWithTokenLimit(&ast.Source{Input: text}, b.Tokens)
	if err != nil {
		if strings.HasPrefix(unwrapped(err), "exceeded token limit") {
			return fault.New(fault.Limit, "The operation has more than %d words and signs: send several operations.", b.Tokens)
		}
		return nil //nolint:nilerr // the executor parses it again and says it
	}
	n := 0
	for _, op := range doc.Operations {
		n += selections(op.SelectionSet)
	}
	for _, f := range doc.Fragments {
		n += selections(f.SelectionSet)
	}
	if n > b.Selections {
		return over("naming %d fields", n, b.Selections, "send several operations")
	}
	return nil
}

// unwrapped is the message of a parser's error without its place.
func unwrapped(err error) string {
	if e, ok := err.(*gqlerror.Error); ok { //nolint:errorlint // the parser wraps nothing
		return e.Message
	}
	return err.Error()
}

// selections counts what is written, not what it stands for.
func selections(set ast.SelectionSet) int {
	n := len(set)
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			n += selections(s.SelectionSet)
		case *ast.InlineFragment:
			n += selections(s.SelectionSet)
		}
	}
	return n
}

// Rules are the language's rules of validity. None of them suggests another name:
// that would tell strangers what the schema holds.
func Rules() *rules.Rules {
	r := rules.NewDefaultRules()
	for name, silent := range map[string]core.Rule{
		rules.KnownArgumentNamesRule.Name:  rules.KnownArgumentNamesRuleWithoutSuggestions,
		rules.KnownTypeNamesRule.Name:      rules.KnownTypeNamesRuleWithoutSuggestions,
		rules.ValuesOfCorrectTypeRule.Name: rules.ValuesOfCorrectTypeRuleWithoutSuggestions,
		rules.FieldsOnCorrectTypeRule.Name: rules.FieldsOnCorrectTypeRuleWithoutSuggestions,
		rules.ScalarLeafsRule.Name:         rules.ScalarLeafsRuleWithoutSuggestions,
	} {
		r.RemoveRule(name)
		r.AddRule(silent.Name, silent.RuleFunc)
	}
	return r
}
