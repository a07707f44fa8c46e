// Package gqlclient sends GraphQL operations to a server over HTTP, for the
// commands that work on a running server.
package gqlclient

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"
)

const (
	mostBytes = 64 << 20 // of an answer
	longest   = 2 * time.Minute
	shown     = 200 // bytes of an answer that is none
)

// Client sends operations.
type Client struct {
	endpoint string
	token    string
	http     *http.Client
}

// New makes a client for a server's address, such as https://belfry.example.com. The
// error says what is wrong with the address.
func New(server, token string) (*Client, error) {
	u, err := url.Parse(server)
	switch {
	case err != nil:
		return nil, errors.New("the server's address cannot be read; write it like http://127.0.0.1:7000")
	case u.Scheme != "http" && u.Scheme != "https", u.Host == "":
		return nil, fmt.Errorf("the server's address is %q; write it with http:// or https://, like http://127.0.0.1:7000", u.Redacted())
	case u.User != nil:
		return nil, fmt.Errorf("the server's address is %q; leave user and password out, the token says who asks", u.Redacted())
	}
	return &Client{
		endpoint: strings.TrimSuffix(u.String(), "/") + "/graphql",
		token:    token,
		http: &http.Client{Timeout: longest, CheckRedirect: func(r *http.Request, _ []*http.Request) error {
			return fmt.Errorf("the server sends on to %s; give that address", r.URL.Redacted())
		}},
	}, nil
}

// Failure is what the server says against an operation as a whole.
type Failure struct {
	Code    string // such as UNAUTHENTICATED
	Message string
}

// Error implements error.
func (f *Failure) Error() string { return f.Message }

// Do sends an operation and puts the data into out. The error is a *Failure when the
// server has refused it.
func (c *Client) Do(ctx context.Context, operation string, variables map[string]any, out any) error {
	body, err := json.Marshal(map[string]any{"query": operation, "variables": variables})
	if err != nil {
		return fmt.Errorf("writing the operation: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, bytes.NewReader(body))
	if err != nil {
		return fmt.Errorf("making the request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	if c.token != "" {
		req.Header.Set("Authorization", "Bearer "+c.token)
	}
	answer, err := c.http.Do(req)
	if err != nil {
		if whole, ok := errors.AsType[*url.Error](err); ok {
			err = whole.Err
		}
		return fmt.Errorf("asking %s: %w", c.endpoint, err)
	}
	defer func() { _ = answer.Body.Close() }()
	raw, err := io.ReadAll(io.LimitReader(answer.Body, mostBytes+1))
	if err != nil {
		return fmt.Errorf("reading the answer of %s: %w", c.endpoint, err)
	}
	if len(raw) > mostBytes {
		return fmt.Errorf("the answer of %s is larger than %d MiB", c.endpoint, mostBytes>>20)
	}
	return c.read(answer, raw, out)
}

// read takes data or errors out of an answer.
func (c *Client) read(answer *http.Response, raw []byte, out any) error {
	var whole struct {
		Data   json.RawMessage `json:"data"`
		Errors []struct {
			Message    string `json:"message"`
			Extensions struct {
				Code string `json:"code"`
			} `json:"extensions"`
		} `json:"errors"`
	}
	if err := json.Unmarshal(raw, &whole); err != nil || whole.Data == nil && whole.Errors == nil {
		text := strings.Join(strings.Fields(string(raw[:min(len(raw), shown)])), " ")
		return fmt.Errorf("%s answers %s and no GraphQL (%q): is it a Belfry server?", c.endpoint, answer.Status, text)
	}
	if len(whole.Errors) > 0 {
		return &Failure{Code: whole.Errors[0].Extensions.Code, Message: whole.Errors[0].Message}
	}
	if err := json.Unmarshal(whole.Data, out); err != nil {
		return fmt.Errorf("reading the answer of %s: %w", c.endpoint, err)
	}
	return nil
}
