package cmd

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/config"
	"github.com/belfry-scheduler/belfry/services/config/secret"
	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/services/seal"
)

type rotateKeysCommand struct {
	databaseFlag
	SecretKey secret.Text `env:"BELFRY_SECRET_KEY" placeholder:"KEYS" help:"The ring as the servers have it: the new key first, the old ones behind commas."`
	Check     bool        `help:"Count only, change nothing; fails while something is sealed with an old key."`
}

// errLeft is the failure of a rotation that has been printed.
var errLeft = errors.New("not all secrets are sealed with the first key, see above")

// Run seals all stored secrets with the first key of the ring. It may be ended and run
// again, and servers may work meanwhile.
func (c *rotateKeysCommand) Run(ctx context.Context, io IO) error {
	ring, err := config.Keys(c.SecretKey)
	if err != nil {
		return &usageError{err: err}
	}
	if len(ring) == 0 {
		return &usageError{err: fault.At("secret-key", fault.Required, "BELFRY_SECRET_KEY is not set: give the new key and, behind a comma, the one before.")}
	}
	box, err := seal.New(ring...)
	if err != nil {
		return err
	}
	st, err := c.open(ctx, io.Stderr)
	if err != nil {
		return err
	}
	defer func() { _ = st.Close() }()
	var counts []seal.Count
	if c.Check {
		counts, err = look(ctx, box, st)
	} else {
		counts, err = box.Rotate(ctx, st, func(n seal.Count) {
			_, _ = fmt.Fprintf(io.Stdout, "%s: %d sealed anew so far\n", n.Kind, n.Resealed)
		})
	}
	if err != nil {
		return err
	}
	return tellRotation(io, box, counts)
}

// look counts without changing anything.
func look(ctx context.Context, box *seal.Box, l seal.Ledger) ([]seal.Count, error) {
	var counts []seal.Count
	for _, kind := range models.SealedKinds {
		n, err := box.Look(ctx, l, kind)
		if err != nil {
			return nil, err
		}
		counts = append(counts, n)
	}
	return counts, nil
}

// tellRotation prints what was done and says what to do next.
func tellRotation(io IO, box *seal.Box, counts []seal.Count) error {
	left := false
	for _, n := range counts {
		parts := []string{fmt.Sprintf("%s: %d secrets, %d sealed anew, %d left", n.Kind, n.All, n.Resealed, n.Left)}
		if n.Changed > 0 {
			parts = append(parts, fmt.Sprintf("%d changed meanwhile", n.Changed))
		}
		for _, key := range slices.Sorted(maps.Keys(n.Unknown)) {
			parts = append(parts, fmt.Sprintf("%d sealed with the key %s, which is not in the ring", n.Unknown[key], key))
		}
		left = left || n.Left > 0 || len(n.Unknown) > 0
		if _, err := fmt.Fprintln(io.Stdout, strings.Join(parts, ", ")); err != nil {
			return fmt.Errorf("writing to standard output: %w", err)
		}
	}
	last := fmt.Sprintf("All secrets are sealed with the key %s.", box.Key())
	switch {
	case left:
		last = "Run this again once all servers have the same BELFRY_SECRET_KEY, the new key first and every older one behind it."
	case len(box.Old()) > 0:
		last += fmt.Sprintf(" Take the old ones (%s) out of BELFRY_SECRET_KEY of all servers now.", strings.Join(box.Old(), ", "))
	}
	if _, err := fmt.Fprintln(io.Stdout, last); err != nil {
		return fmt.Errorf("writing to standard output: %w", err)
	}
	if left {
		return errLeft
	}
	return nil
}
