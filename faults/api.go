package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
)

// ask sends a GraphQL operation to whichever server answers and decodes its data.
func ask[T any](ctx context.Context, b *bed, query string, variables map[string]any) (T, error) {
	var data T
	var errs error
	for _, s := range b.servers {
		data, err := askOne[T](ctx, b, s, query, variables)
		if err == nil {
			return data, nil
		}
		errs = errors.Join(errs, err)
	}
	return data, errs
}

func askOne[T any](ctx context.Context, b *bed, s *server, query string, variables map[string]any) (T, error) {
	var answer struct {
		Data   T
		Errors []struct{ Message string }
	}
	body, err := json.Marshal(map[string]any{"query": query, "variables": variables})
	if err != nil {
		return answer.Data, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.url()+"/graphql", bytes.NewReader(body))
	if err != nil {
		return answer.Data, err
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer "+b.token)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return answer.Data, err
	}
	defer res.Body.Close()
	if err := json.NewDecoder(res.Body).Decode(&answer); err != nil {
		return answer.Data, fmt.Errorf("reading the answer of %s: %w", s.name, err)
	}
	if len(answer.Errors) > 0 {
		return answer.Data, fmt.Errorf("GraphQL: %s", answer.Errors[0].Message)
	}
	return answer.Data, nil
}
