package fleet

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"strings"
	"time"

	"github.com/belfry-scheduler/belfry/models"
	"github.com/belfry-scheduler/belfry/services/fault"
)

const (
	keyPrefix  = "bfk_"
	shownOfKey = 12  // characters of a key kept to tell keys apart: 48 of its 256 bits
	longestKey = 200 // characters; longer ones are not even hashed
)

// CreateKey adds a key to an app; the key is answered only here. Faults:
// NOT_FOUND, LIMIT when two are active.
func (s *Service) CreateKey(ctx context.Context, actor, appID string) (models.AppKey, string, error) {
	now := s.clock.Now()
	secret, key := newKey(appID, now)
	row := audit(now, actor, "app_key.create", "app", appID, detail(map[string]any{"key": key.ID, "prefix": key.Prefix}))
	if err := s.store.CreateAppKey(ctx, key, row); err != nil {
		return models.AppKey{}, "", err
	}
	return key, secret, nil
}

// RevokeKey ends a key: here at once, on other servers within a second. A key
// that is revoked already is answered as it is. Fault: NOT_FOUND.
func (s *Service) RevokeKey(ctx context.Context, actor, id string) (models.AppKey, error) {
	now := s.clock.Now()
	key, err := s.store.RevokeAppKey(ctx, id, now, audit(now, actor, "app_key.revoke", "app", "", detail(map[string]any{"key": id})))
	if err != nil {
		return models.AppKey{}, err
	}
	s.known.Drop(key.Hash)
	return key, nil
}

// Key answers a key, revoked or not. Fault: NOT_FOUND.
func (s *Service) Key(ctx context.Context, id string) (models.AppKey, error) {
	return s.store.AppKey(ctx, id)
}

// AppKeys answers the keys of each of these apps, newest first.
func (s *Service) AppKeys(ctx context.Context, appIDs []string) (map[string][]models.AppKey, error) {
	keys, err := s.store.AppKeys(ctx, appIDs)
	if err != nil {
		return nil, err
	}
	byApp := make(map[string][]models.AppKey, len(appIDs))
	for _, k := range keys {
		byApp[k.AppID] = append(byApp[k.AppID], k)
	}
	return byApp, nil
}

// AuthenticateKey answers whose key this is. Fault: UNAUTHENTICATED for a missing,
// unknown or revoked key.
func (s *Service) AuthenticateKey(ctx context.Context, key string) (models.App, models.AppKey, error) {
	if !strings.HasPrefix(key, keyPrefix) || len(key) > longestKey {
		return models.App{}, models.AppKey{}, noKey()
	}
	hash := hashKey(key)
	if owner, ok := s.known.Get(hash); ok {
		return owner.app, owner.key, nil
	}
	asOf := s.clock.Now()
	row, app, err := s.store.AppKeyByHash(ctx, hash)
	if fault.Is(err, fault.NotFound) {
		return models.App{}, models.AppKey{}, noKey()
	}
	if err != nil {
		return models.App{}, models.AppKey{}, err
	}
	if row.RevokedAt != nil || subtle.ConstantTimeCompare([]byte(row.Hash), []byte(hash)) != 1 {
		return models.App{}, models.AppKey{}, noKey()
	}
	s.touch(ctx, &row, asOf)
	s.known.Put(hash, keyOwner{app: app, key: row}, asOf)
	return app, row, nil
}

// touch notes that the key was used, at most once a minute. It is not worth
// refusing a worker when that fails.
func (s *Service) touch(ctx context.Context, key *models.AppKey, now time.Time) {
	if key.LastUsedAt != nil && now.Sub(*key.LastUsedAt) < touchEvery {
		return
	}
	if err := s.store.TouchAppKey(ctx, key.ID, now); err != nil {
		s.log.WarnContext(ctx, "noting the use of an app key failed", "key", key.Prefix, "error", err)
		return
	}
	key.LastUsedAt = &now
}

func noKey() error {
	return fault.New(fault.Unauthenticated, "The app key is missing, wrong or revoked; send a valid one as bearer token.")
}

// newKey makes a random key of 256 bits and its row.
func newKey(appID string, now time.Time) (string, models.AppKey) {
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails
	secret := keyPrefix + base64.RawURLEncoding.EncodeToString(raw[:])
	return secret, models.AppKey{
		ID: models.NewID(now), AppID: appID, Hash: hashKey(secret), Prefix: secret[:shownOfKey], CreatedAt: now,
	}
}

// hashKey is the form in which a key is stored. It is random, so no slow hash is
// needed.
func hashKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

func detail(v map[string]any) json.RawMessage {
	raw, _ := json.Marshal(v) // plain values always marshal
	return raw
}
