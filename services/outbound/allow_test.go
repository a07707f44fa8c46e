package outbound

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"code.dny.dev/ssrf"
	"github.com/google/go-cmp/cmp"

	"github.com/belfry-scheduler/belfry/services/fault"
)

func TestAllowList(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer server.Close()
	port := portAt(server.URL)
	for list, want := range map[string]bool{
		"127.0.0.1": true, "127.0.0.0/8": true, " 10.0.0.0/8 , 127.0.0.1/32": true, "::1,localhost": true, "LocalHost:" + port: true, "::ffff:127.0.0.1": true,
		"": false, "10.0.0.0/8": false, "localhost:1": false, "::1": false, "receiver.example.com": false,
	} {
		c := New(Config{Allow: allowing(t, list)})
		address := "http://127.0.0.1:" + port
		if strings.Contains(strings.ToLower(list), "localhost") {
			address = "http://localhost:" + port
		}
		reach := c.CheckReach(t.Context(), "url", address)
		ctx, reached := NoteReach(t.Context())
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := c.HTTP.Do(req)
		if err == nil {
			_ = resp.Body.Close()
		}
		if (err == nil) != want || (reach == nil) != want || reached.Inside() != want {
			t.Errorf("%q: %v, at save %v, inside %t", list, err, reach, reached.Inside())
		}
	}
	for _, bad := range []string{"10.0.0.0/99", "a b", "http://x", "*", "*.example.com", "2130706433", "127.1", "fe80::1%lo"} {
		if _, err := ParseAllow(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestWideLists(t *testing.T) {
	t.Parallel()
	for list, want := range map[string][]string{
		"":               nil,
		"10.1.0.0/16":    nil,
		"127.0.0.1,::1":  nil,
		"hooks.internal": nil,
		"0.0.0.0/0,::/0": {"0.0.0.0/0", "::/0"},
		"10.0.0.0/8,10.2.3.4,127.0.0.0/24,169.254.0.0/16,fc00::/7": {"10.0.0.0/8", "127.0.0.0/24", "169.254.0.0/16", "fc00::/7"},
	} {
		if diff := cmp.Diff(want, allowing(t, list).Wide()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", list, diff)
		}
	}
}

func TestCheckURL(t *testing.T) {
	t.Parallel()
	for address, code := range map[string]fault.Code{
		"https://example.com/hook": "", "http://10.0.0.1:8080": "", "https://[2606:4700::1]/": "", "https://1and1.example/": "",
		"": fault.Required, "file:///etc/passwd": fault.Invalid, "gopher://x/": fault.Invalid, "http://": fault.Invalid, "://": fault.Invalid, "example.com": fault.Invalid,
		"https://user:pass@example.com/": fault.Invalid, "http://2130706433/": fault.Invalid, "http://0x7F.1/": fault.Invalid, "http://127.1./": fault.Invalid, "http://0177.0.0.1/": fault.Invalid,
	} {
		err := CheckURL("url", address)
		if (err == nil) != (code == "") || err != nil && (err.Code != code || strings.Contains(err.Message, "pass@")) {
			t.Errorf("%q: %v, want %s", address, err, code)
		}
	}
}

// FuzzAddress: an address that passes the check and whose host is a number leads outside,
// in every form that the language knows.
func FuzzAddress(f *testing.F) {
	for _, host := range inner {
		f.Add("http://" + host + "/")
	}
	f.Add("https://93.184.215.14:8443/x?y#z")
	f.Add("http://[2606:4700:4700::1111]/")
	f.Add("http://a:b@c/")
	t := &checked{guard: newGuard(&Config{})}
	strict := ssrf.New(ssrf.WithAnyPort())
	f.Fuzz(func(tt *testing.T, address string) {
		u, err := url.Parse(address)
		if err != nil || t.check(u) != nil {
			return
		}
		if u.Scheme != "http" && u.Scheme != "https" {
			tt.Errorf("%q passes", address)
		}
		host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
		if oddNumber.MatchString(host) {
			if _, err := netip.ParseAddr(host); err != nil {
				tt.Errorf("%q passes as a number", address)
			}
		}
		if ip, err := netip.ParseAddr(u.Hostname()); err == nil && (strict.SafeAddr(ip.Unmap()) != nil || ip.IsPrivate() || ip.IsLoopback() || ip.IsUnspecified() || ip.IsLinkLocalUnicast() || ip.IsMulticast()) {
			tt.Errorf("%q passes and leads to %s", address, ip)
		}
	})
}
