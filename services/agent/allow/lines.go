package allow

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// lines are the lines of an allow-list that would allow exactly this request.
func (r Request) lines(program string) string {
	var rule strings.Builder
	if r.Shell != "" {
		fmt.Fprintf(&rule, "shell:\n  - text: %s\n", quoted(r.Shell))
	} else {
		fmt.Fprintf(&rule, "commands:\n  - program: %s\n", scalar(program))
		if len(r.Arguments) > 1 {
			patterns := make([]string, len(r.Arguments)-1)
			for i, argument := range r.Arguments[1:] {
				patterns[i] = quoted(argument)
			}
			fmt.Fprintf(&rule, "    arguments: [%s]\n", strings.Join(patterns, ", "))
		}
	}
	if r.User != "" {
		fmt.Fprintf(&rule, "    users: [%s]\n", scalar(r.User))
	}
	if r.Directory != "" {
		fmt.Fprintf(&rule, "    directories: [%s]\n", scalar(r.Directory))
	}
	if len(r.Environment) > 0 {
		names := slices.Compact(slices.Sorted(slices.Values(r.Environment)))
		fmt.Fprintf(&rule, "    environment: [%s]\n", strings.Join(names, ", "))
	}
	return advice(rule.String())
}

// adviceBytes bounds the lines: the error of an attempt keeps 16 KiB.
const adviceBytes = 4 << 10

func advice(rule string) string {
	if len(rule) > adviceBytes {
		return "The rule that would allow it is too long to show here."
	}
	return "These lines in the agent's allow-list would allow it (texts are regular expressions):\n" + strings.TrimSuffix(rule, "\n")
}

// quoted is an expression that matches just this text, as a YAML scalar.
func quoted(text string) string { return scalar(regexp.QuoteMeta(text)) }

// scalar writes a text so that YAML reads it back as it is.
func scalar(text string) string {
	if text != "" && strings.IndexFunc(text, func(r rune) bool {
		return !(r == '/' || r == '-' || r == '_' || r == '.' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9')
	}) < 0 && (text[0] == '/' || text[0] >= 'A' && text[0] <= 'Z' || text[0] >= 'a' && text[0] <= 'z') && !isWord(text) {
		return text
	}
	return fmt.Sprintf("%q", text)
}

// isWord reports whether YAML reads the text as something else than a text.
func isWord(text string) bool {
	var value any
	if err := yaml.Unmarshal([]byte(text), &value); err != nil {
		return true
	}
	_, isText := value.(string)
	return !isText
}
