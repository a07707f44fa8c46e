package account

import (
	"strconv"
	"strings"
	"time"
)

// DeviceLife is for how long a browser is known in which somebody has signed in.
const DeviceLife = 180 * 24 * time.Hour

const aboutDevice = "known device"

// Device makes what a browser keeps after somebody has signed in with it, so that failures
// elsewhere, at the same address too, do not slow them down in it. Empty without a key.
func (s *Service) Device(name string) string {
	if s.c.Box == nil {
		return ""
	}
	sealed, err := s.c.Box.Seal([]byte(strconv.FormatInt(s.clock.Now().Unix(), 10)+" "+name), aboutDevice)
	if err != nil {
		return "" // there is no key: only addresses are told apart
	}
	return sealed
}

// Place is what failures to sign in are counted by, beside the account: the browser when it
// is known for the account, or its address.
func (s *Service) Place(name, device, address string) string {
	if device == "" || len(device) > 2*longestName || s.c.Box == nil {
		return address
	}
	plain, err := s.c.Box.Open(device, aboutDevice)
	if err != nil {
		return address
	}
	since, owner, _ := strings.Cut(string(plain), " ")
	seconds, err := strconv.ParseInt(since, 10, 64)
	if err != nil || owner != name || s.clock.Now().Sub(time.Unix(seconds, 0)) > DeviceLife {
		return address
	}
	return "device " + hashSecret(device)
}
