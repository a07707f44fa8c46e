package models

import "time"

// User is a person's account. Table users.
type User struct {
	ID           string
	Name         string // unique
	PasswordHash string // argon2id, encoded; empty until set
	Role         Role   // in all apps; 0: in none but those of AppRole
	Locale       string
	TimeZone     string
	DisabledAt   *time.Time
	CreatedAt    time.Time `gorm:"autoCreateTime:false"`
	UpdatedAt    time.Time `gorm:"autoUpdateTime:false"`
}

// AppRole is a role in one app, beside what its holder may do in all apps. Table app_roles.
type AppRole struct {
	HolderID string `gorm:"primaryKey"` // of a user or an API token
	AppID    string `gorm:"primaryKey"`
	Role     Role
}

// Session is a signed-in browser. Table sessions; the id is the hex SHA-256 of
// the cookie's secret.
type Session struct {
	ID         string
	UserID     string
	CreatedAt  time.Time `gorm:"autoCreateTime:false"`
	LastSeenAt time.Time
	ExpiresAt  time.Time
	Method     Method // how it was opened
	Address    string // from where, without the port
	Agent      string // what the browser calls itself
	Renew      bool   // its id is changed at its next use, as what it may do has changed
}

// APIToken is a bearer token, stored hashed. Table api_tokens.
type APIToken struct {
	ID         string
	Name       string
	Hash       string // hex SHA-256
	Prefix     string
	Role       Role      // as of a User
	Scopes     string    // what it is limited to, as JoinScopes writes it; empty: all that its roles allow
	CreatedAt  time.Time `gorm:"autoCreateTime:false"`
	ExpiresAt  *time.Time
	LastUsedAt *time.Time
	RevokedAt  *time.Time
}

// SignInLink is a one-time link. Table sign_in_links; the id is the hex SHA-256
// of the link's secret.
type SignInLink struct {
	ID        string
	UserID    string
	CreatedAt time.Time `gorm:"autoCreateTime:false"`
	ExpiresAt time.Time
	UsedAt    *time.Time
}
