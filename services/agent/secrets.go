package agent

import (
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"regexp"
	"slices"
	"strings"

	"github.com/belfry-scheduler/belfry/services/agent/text"
	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/worker-sdk/worker"
)

// reference is ${env:NAME}, which stands for a variable of the agent's environment;
// with a second dollar in front it stands for itself.
var reference = regexp.MustCompile(`\$?\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}`)

// secretNames lists the variables that headers and body refer to.
func (p *httpParameters) secretNames() []string {
	var names []string
	collect := func(s string) {
		for _, match := range reference.FindAllStringSubmatch(s, -1) {
			if !strings.HasPrefix(match[0], "$$") {
				names = append(names, match[1])
			}
		}
	}
	for _, value := range p.Headers {
		collect(string(value))
	}
	collect(p.text)
	walk(p.value, func(s string) string {
		collect(s)
		return s
	})
	slices.Sort(names)
	return slices.Compact(names)
}

// secrets reads variables of the agent's environment, which a rule has allowed.
func (a *Agent) secrets(names []string) (map[string]string, error) {
	values := make(map[string]string, len(names))
	for _, name := range names {
		value, ok := a.cfg.LookupEnv(name)
		if !ok {
			return nil, worker.NoRetry(fault.At("parameters.headers", fault.NotFound, "The variable %s is not set in the agent's environment.", name))
		}
		values[name] = value
	}
	return values, nil
}

// expand puts secrets in the place of their references.
func expand(s string, secrets map[string]string) string {
	return reference.ReplaceAllStringFunc(s, func(match string) string {
		if strings.HasPrefix(match, "$$") {
			return match[1:]
		}
		return secrets[reference.FindStringSubmatch(match)[1]]
	})
}

// expandAll does it in every text of a JSON value, so that a secret with quotes in it
// stays a text.
func expandAll(value any, secrets map[string]string) any {
	return walk(value, func(s string) string { return expand(s, secrets) })
}

// walk answers a copy of a JSON value with each text changed; names of fields stay.
func walk(value any, change func(string) string) any {
	switch v := value.(type) {
	case string:
		return change(v)
	case []any:
		out := make([]any, len(v))
		for i := range v {
			out[i] = walk(v[i], change)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, inner := range v {
			out[name] = walk(inner, change)
		}
		return out
	}
	return value
}

// shortSecret is the length below which a value is not looked for in what came back:
// a short one would be found everywhere.
const shortSecret = 4

// redact takes secrets out of a text that somebody else has written.
func redact(s string, secrets map[string]string) string {
	for _, value := range secrets {
		if len(value) >= shortSecret {
			s = strings.ReplaceAll(s, value, secret.Mask)
		}
	}
	return s
}

const (
	keptBody  = 64 << 10 // of an answer, in the result
	readBytes = 1 << 20  // of an answer, for the checks
)

// readBody reads an answer to its end, since to hang up could stop the receiver's
// work, and keeps its beginning.
func readBody(r io.Reader) (body []byte, total int64, err error) {
	body, err = io.ReadAll(io.LimitReader(r, readBytes))
	if err != nil {
		return nil, 0, err
	}
	rest, err := io.Copy(io.Discard, r)
	return body, int64(len(body)) + rest, err
}

// keep puts the answer's body into the result.
func (r *httpResult) keep(body []byte, secrets map[string]string) {
	kind, parameters, _ := mime.ParseMediaType(r.ContentType) // a type that cannot be read is none
	encoding := text.Auto
	if named, ok := text.ByName(parameters["charset"]); ok {
		encoding = named
	}
	whole := r.Bytes == int64(len(body)) && len(body) <= keptBody
	shown := bytes.ReplaceAll(body[:min(len(body), keptBody)], []byte("\r\n"), []byte("\n"))
	readable := redact(encoding.Decode(shown, !whole), secrets)
	if whole && (kind == "application/json" || strings.HasSuffix(kind, "+json")) && json.Valid([]byte(readable)) {
		r.JSON = json.RawMessage(readable)
		return
	}
	r.Body = text.Head(readable, keptBody)
	r.BodyCut = !whole || len(r.Body) < len(readable)
}
