package posture

import "time"

// Facts are what the rules look at. The zero value of a part means that it is not known or
// not there; it is then no weakness.
type Facts struct {
	At time.Time

	Web         Web
	Database    Database
	Redis       []Redis
	Keys        Keys
	Tokens      []Token
	AppKeys     []AppKey
	People      []Person
	FactorsKept bool     // whether second factors are known
	Clocks      []Clock  // of servers, or of this machine
	AllowWide   []string // entries of the allow-list that hold too much
	MaskingOff  bool
	// IntrospectionOpen says that somebody who is not signed in can read the API's schema.
	IntrospectionOpen bool
}

// Web is how people reach the console.
type Web struct {
	Known     bool
	Listen    string // host:port
	PublicURL string // as declared; empty when it is not
	TLS       bool   // this server speaks TLS itself
	Ends      time.Time
}

// Database is where the ledger is.
type Database struct {
	Host     string // empty for a file or a socket
	User     string
	TLS      bool
	Password bool
}

// Redis is one Redis.
type Redis struct {
	Address  string // host:port
	Password bool
	TLS      bool
}

// Keys are what the ring of secret keys is used for.
type Keys struct {
	Old     int // keys in the ring that only open
	Left    int // secrets that an old key has sealed
	Unknown int // secrets whose key is not in the ring
}

// Token is an API token that can be used.
type Token struct {
	Name       string
	Changes    bool // it may change something
	CreatedAt  time.Time
	ExpiresAt  *time.Time
	LastUsedAt *time.Time
}

// AppKey is a key of an app that can be used.
type AppKey struct {
	App, Prefix string
	CreatedAt   time.Time
	LastUsedAt  *time.Time
}

// Person is somebody who can sign in.
type Person struct {
	Name         string
	Admin        bool // of all apps or of one
	AllApps      bool // an administrator of all apps
	SecondFactor bool
}

// Clock is the clock of a machine against the database's.
type Clock struct {
	Name   string
	Offset time.Duration
}
