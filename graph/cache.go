package graph

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/vektah/gqlparser/v2/ast"
)

// Bounds of a cache of operations: with both full it holds 16 MB of texts.
const (
	cachedOperations = 1_000
	cachedLength     = 16 << 10 // bytes; longer texts are parsed each time
)

// cache keeps what was found for an operation's text, if the text is short.
type cache[T any] struct {
	graphql.Cache[T]
	length func(key string, value T) int
}

// Add implements graphql.Cache.
func (c cache[T]) Add(ctx context.Context, key string, value T) {
	if c.length(key, value) <= cachedLength {
		c.Cache.Add(ctx, key, value)
	}
}

// newQueryCache keeps parsed operations by their text.
func newQueryCache() graphql.Cache[*ast.QueryDocument] {
	return cache[*ast.QueryDocument]{
		Cache:  lru.New[*ast.QueryDocument](cachedOperations),
		length: func(text string, _ *ast.QueryDocument) int { return len(text) },
	}
}

// newTextCache keeps the texts of persisted operations by their hash.
func newTextCache() graphql.Cache[string] {
	return cache[string]{
		Cache:  lru.New[string](cachedOperations),
		length: func(hash, text string) int { return len(hash) + len(text) },
	}
}
