package seal

import (
	"context"
	"fmt"

	"github.com/belfry-scheduler/belfry/models"
)

// Batch is how many secrets are sealed anew in one transaction.
const Batch = 100

// Ledger holds sealed secrets.
type Ledger interface {
	// Sealed answers the sealed secrets of a kind by id, at most n after an id; empty: from
	// the first.
	Sealed(ctx context.Context, kind models.SealedKind, after string, n int) ([]models.Sealed, error)
	// Reseal replaces, in one transaction, each secret that is still as it was read, and
	// answers how many those were.
	Reseal(ctx context.Context, kind models.SealedKind, changes []models.Reseal) (int, error)
}

// Count is what has been done with the secrets of one kind.
type Count struct {
	Kind     models.SealedKind
	All      int
	Resealed int
	// Changed are those that somebody changed while they were sealed anew; the look after
	// the last one finds what they are now.
	Changed int
	// Left are sealed with an older key still.
	Left int
	// Unknown are sealed with keys that the ring does not have, by the keys' names.
	Unknown map[string]int
}

// Rotate seals anew, kind by kind and batch by batch, what an older key of the ring has
// sealed, and then counts what is left. It may be ended at any time and run again, and
// servers may work meanwhile: each secret is replaced in one step and only if nobody has
// changed it. Told is called after each batch; nil: nobody is told.
func (b *Box) Rotate(ctx context.Context, l Ledger, told func(Count)) ([]Count, error) {
	var all []Count
	for _, kind := range models.SealedKinds {
		count := Count{Kind: kind}
		err := b.each(ctx, l, kind, func(page []models.Sealed) error {
			changes, err := b.anew(kind, page)
			if err != nil || len(changes) == 0 {
				return err
			}
			n, err := l.Reseal(ctx, kind, changes)
			count.Resealed += n
			count.Changed += len(changes) - n
			if told != nil && err == nil {
				told(count)
			}
			return err
		})
		if err != nil {
			return all, fmt.Errorf("sealing the %s anew: %w", kind, err)
		}
		left, err := b.Look(ctx, l, kind)
		if err != nil {
			return all, err
		}
		left.Resealed, left.Changed = count.Resealed, count.Changed
		all = append(all, left)
	}
	return all, nil
}

// Look counts the secrets of a kind by their keys.
func (b *Box) Look(ctx context.Context, l Ledger, kind models.SealedKind) (Count, error) {
	count := Count{Kind: kind, Unknown: map[string]int{}}
	err := b.each(ctx, l, kind, func(page []models.Sealed) error {
		for i := range page {
			count.All++
			if b.has(KeyOf(page[i].Text)) {
				if b.Stale(page[i].Text) {
					count.Left++
				}
			} else {
				count.Unknown[KeyOf(page[i].Text)]++
			}
		}
		return nil
	})
	if err != nil {
		return count, fmt.Errorf("counting the %s: %w", kind, err)
	}
	return count, nil
}

// each reads the secrets of a kind page by page.
func (b *Box) each(ctx context.Context, l Ledger, kind models.SealedKind, do func([]models.Sealed) error) error {
	for after := ""; ; {
		page, err := l.Sealed(ctx, kind, after, Batch)
		if err != nil {
			return err
		}
		if len(page) == 0 {
			return nil
		}
		if err := do(page); err != nil {
			return err
		}
		after = page[len(page)-1].ID
	}
}

// anew seals what of a page was sealed with older keys; what no key opens stays.
func (b *Box) anew(kind models.SealedKind, page []models.Sealed) ([]models.Reseal, error) {
	var changes []models.Reseal
	for _, s := range page {
		if !b.Stale(s.Text) || !b.has(KeyOf(s.Text)) {
			continue
		}
		about := kind.About(s.ID)
		plain, err := b.Open(s.Text, about)
		if err != nil {
			return nil, fmt.Errorf("the secret of %s: %w", about, err)
		}
		text, err := b.Seal(plain, about)
		if err != nil {
			return nil, err
		}
		changes = append(changes, models.Reseal{ID: s.ID, Was: s.Text, Text: text})
	}
	return changes, nil
}

// has says whether the ring has a key.
func (b *Box) has(id string) bool {
	for _, k := range b.keys {
		if k.id == id {
			return true
		}
	}
	return false
}
