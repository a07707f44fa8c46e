package cmd

import (
	"encoding/json"
	"fmt"
)

// printJSON prints a value on one line of standard output.
func printJSON(io IO, value any) error {
	out := json.NewEncoder(io.Stdout)
	out.SetEscapeHTML(false)
	if err := out.Encode(value); err != nil {
		return fmt.Errorf("writing JSON: %w", err)
	}
	return nil
}
