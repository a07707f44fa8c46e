package models

// SealedKind is a kind of stored secrets that are encrypted (services/seal).
type SealedKind string

// Kinds of sealed secrets.
const (
	SealedChannels SealedKind = "channels"       // addresses, tokens and passwords of alert channels
	SealedFactors  SealedKind = "second factors" // what one-time codes are made of
)

// SealedKinds are all of them: who adds a column of sealed texts adds it here.
var SealedKinds = []SealedKind{SealedChannels, SealedFactors}

// About is what a secret is bound to: sealed for one thing it opens for no other.
func (k SealedKind) About(id string) string {
	switch k {
	case SealedChannels:
		return "channel " + id
	case SealedFactors:
		return "second factor " + id
	}
	return ""
}

// Sealed is a sealed secret of the channel, person … with the id.
type Sealed struct{ ID, Text string }

// Reseal replaces a sealed secret.
type Reseal struct{ ID, Was, Text string }
