package models

import "time"

// Method is how somebody came in.
type Method string

// Methods.
const (
	MethodPassword Method = "password"
	MethodLink     Method = "link"     // a one-time link
	MethodProvider Method = "provider" // the identity provider
)

// SecondFactor is the secret of an account's one-time codes. Table second_factors.
type SecondFactor struct {
	UserID      string `gorm:"primaryKey"`
	Secret      string // sealed
	LastStep    int64  // the latest time step whose code was used: none is taken twice
	Failures    int    // wrong codes since the last right one
	TriedAt     *time.Time
	CreatedAt   time.Time  `gorm:"autoCreateTime:false"`
	ConfirmedAt *time.Time // nil: no code was shown yet, and it counts for nothing
}

// RecoveryCode stands in once for a lost second factor. Table recovery_codes; the id is the
// hex SHA-256 of the code.
type RecoveryCode struct {
	UserID string `gorm:"primaryKey"`
	ID     string `gorm:"primaryKey"`
	UsedAt *time.Time
}

// SignInStep is a sign-in that waits for its second factor. Table sign_in_steps; the id is
// the hex SHA-256 of the ticket.
type SignInStep struct {
	ID        string
	UserID    string
	Method    Method
	CreatedAt time.Time `gorm:"autoCreateTime:false"`
	ExpiresAt time.Time
}

// Identity is who an account is at an identity provider. Table identities; the id is the hex
// SHA-256 of issuer, NUL and subject.
type Identity struct {
	ID         string
	UserID     string
	Issuer     string
	Subject    string
	Label      string    // what the provider calls the person, for people
	Managed    bool      // the account's roles follow the provider's groups
	CreatedAt  time.Time `gorm:"autoCreateTime:false"`
	LastUsedAt *time.Time
}

// IdentityFlow is a browser that is at the identity provider. Table identity_flows; the id
// is the hex SHA-256 of the cookie's secret.
type IdentityFlow struct {
	ID        string
	UserID    *string   // whose account is to be linked; nil: somebody signs in
	ReturnTo  string    // page of the console to come back to
	CreatedAt time.Time `gorm:"autoCreateTime:false"`
	ExpiresAt time.Time
}
