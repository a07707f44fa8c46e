package link

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
)

// maxServers bounds the list: a call tries each of them once before it gives up.
const maxServers = 32

// parseServers reads the addresses of a Config, each once. The error names each
// entry that is wrong.
func parseServers(cfg *Config) ([]string, error) {
	var bases []string
	var wrong []error
	add := func(field, entry string) {
		base, err := parseServer(entry)
		switch {
		case err != nil:
			wrong = append(wrong, fmt.Errorf("%s: %w", field, err))
		case !slices.Contains(bases, base):
			bases = append(bases, base)
		}
	}
	for part := range strings.SplitSeq(cfg.Server, ",") {
		if part = strings.TrimSpace(part); part != "" {
			add("Config.Server", part)
		}
	}
	for i, entry := range cfg.Servers {
		add(fmt.Sprintf("Config.Servers[%d]", i), strings.TrimSpace(entry))
	}
	switch {
	case len(wrong) > 0:
	case len(bases) == 0:
		wrong = append(wrong, errors.New("Config.Server is empty: set it to the address of a Belfry server, as http://127.0.0.1:7000, or to several, separated by commas"))
	case len(bases) > maxServers:
		wrong = append(wrong, fmt.Errorf("Config.Server and Config.Servers name %d servers: give at most %d", len(bases), maxServers))
	}
	return bases, errors.Join(wrong...)
}

func parseServer(entry string) (string, error) {
	u, err := url.Parse(entry)
	switch {
	case err != nil && strings.Contains(entry, "@"):
		return "", errors.New("an entry with an @ is no URL: write it as http://host:7000, without user and password") // which may stand in it
	case err != nil:
		return "", fmt.Errorf("%q is no URL: write it as http://host:7000", entry)
	case u.Scheme != "http" && u.Scheme != "https":
		return "", fmt.Errorf("%q has no http or https scheme: write it as http://host:7000", u.Redacted())
	case u.Hostname() == "":
		return "", fmt.Errorf("%q names no host: write it as http://host:7000", u.Redacted())
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return "", fmt.Errorf("%q carries more than an address: leave out user, query and fragment", u.Redacted())
	}
	return strings.TrimRight(entry, "/"), nil
}
