package allow

import (
	"net/url"
	"path"
	"strings"
	"testing"
)

const urls = `
http:
  - url: https://api.example.com/v1
    methods: [GET, POST]
    secrets: [API_TOKEN]
  - url: http://10.0.0.7:8080/
  - url: https://[2001:db8::1]/hook
`

func TestOnlyListedAddressesAreReached(t *testing.T) {
	t.Parallel()
	list := parsed(t, urls)
	tests := []struct {
		method, url string
		secrets     []string
		refused     string
	}{
		{url: "https://api.example.com/v1"},
		{url: "https://api.example.com/v1/jobs?x=../../y"},
		{url: "https://API.example.com:443/v1/"},
		{url: "https://api.example.com./v1/"},
		{method: "POST", url: "https://api.example.com/v1/jobs", secrets: []string{"API_TOKEN"}},
		{url: "http://10.0.0.7:8080/anything"},
		{url: "https://[2001:db8::1]/hook"},
		{url: "https://api.example.com/v10", refused: "not allowed"},
		{url: "https://api.example.com/", refused: "not allowed"},
		{url: "http://api.example.com/v1", refused: "not allowed"},
		{url: "https://api.example.com:8443/v1", refused: "not allowed"},
		{url: "https://api.example.com.evil.org/v1", refused: "not allowed"},
		{url: "https://api.example.com@evil.org/v1", refused: "user name"},
		{url: "https://evil.org/https://api.example.com/v1", refused: "two slashes"},
		{url: "https://evil.org#@api.example.com/v1", refused: "after #"},
		{url: "https://api.example.com/v1/../admin", refused: ". or .."},
		{url: "https://api.example.com/v1/..;x/admin", refused: ". or .."},
		{url: "https://api.example.com/v1/%2e%2e/admin", refused: "encoded"},
		{url: "https://api.example.com/v1%2f..%2fadmin", refused: "encoded"},
		{url: "https://api.example.com/v1/%252e%252e/admin", refused: "encoded"},
		{url: `https://api.example.com\@evil.org/v1`, refused: "backslash"},
		{url: "https://api.example.com/v1\n", refused: "control"},
		{url: "https://аpi.example.com/v1", refused: "xn--"},
		{url: "file:///etc/passwd", refused: "http://"},
		{url: "http://2130706433/", refused: "not allowed"},
		{url: "http://169.254.169.254/latest/meta-data", refused: "not allowed"},
		{method: "DELETE", url: "https://api.example.com/v1", refused: "DELETE is not allowed"},
		{method: "POST", url: "http://10.0.0.7:8080/", refused: "POST is not allowed"},
		{method: "CONNECT", url: "http://10.0.0.7:8080/", refused: "not usable"},
		{url: "http://10.0.0.7:8080/", secrets: []string{"API_TOKEN"}, refused: "may not be sent"},
		{url: "https://api.example.com/v1", secrets: []string{"PATH"}, refused: "may not be sent"},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.url, func(t *testing.T) {
			t.Parallel()
			method := tt.method
			if method == "" {
				method = "GET"
			}
			u, refusal := ParseURL(tt.url)
			if refusal == nil {
				_, refusal = list.Request(method, u, tt.secrets)
			}
			switch {
			case tt.refused == "" && refusal != nil:
				t.Errorf("refused: %v", refusal)
			case tt.refused != "" && (refusal == nil || !strings.Contains(refusal.Message, tt.refused)):
				t.Errorf("%v, want %q", refusal, tt.refused)
			}
		})
	}
}

func TestAdviceForAddressesAllowsThem(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"https://example.com", "http://[::1]:99/a/b?q=1", "https://example.com:444/ä"} {
		u, refusal := ParseURL(raw)
		if refusal != nil {
			t.Fatal(refusal)
		}
		_, refusal = (&List{}).Request("PUT", u, []string{"B", "A"})
		if strings.Contains(refusal.Message, "q=1") {
			t.Errorf("the query is shown: %v", refusal)
		}
		_, lines, _ := strings.Cut(refusal.Message, "(texts are regular expressions):\n")
		if _, refusal := parsed(t, lines).Request("PUT", u, []string{"A", "B"}); refusal != nil {
			t.Errorf("still refused: %v\nby\n%s", refusal, lines)
		}
	}
}

// An address that is allowed is, by Go's own reading, on the host and below the path.
func FuzzURLMatch(f *testing.F) {
	list := parsed(f, urls)
	for _, seed := range []string{"https://api.example.com/v1/x", "https://api.example.com/v1/..;/x", "http://10.0.0.7:8080//x", "https://api.example.com:443@evil/v1"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, refusal := ParseURL(raw)
		if refusal != nil {
			return
		}
		if _, refusal := list.Request("GET", u, nil); refusal != nil {
			return
		}
		again, err := url.Parse(u.String())
		if err != nil {
			t.Fatal(err)
		}
		host := strings.ToLower(strings.TrimSuffix(again.Hostname(), "."))
		switch clean := path.Clean("/" + again.Path); host {
		case "api.example.com":
			if again.Scheme != "https" || clean != "/v1" && !strings.HasPrefix(clean, "/v1/") {
				t.Errorf("allowed %q", raw)
			}
		case "2001:db8::1":
			if clean != "/hook" && !strings.HasPrefix(clean, "/hook/") {
				t.Errorf("allowed %q", raw)
			}
		case "10.0.0.7":
			if again.Port() != "8080" {
				t.Errorf("allowed %q", raw)
			}
		default:
			t.Errorf("allowed %q on host %q", raw, host)
		}
	})
}
