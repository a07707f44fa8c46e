package mask

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/services/fault"
	"github.com/belfry-scheduler/belfry/worker-sdk/wire"
)

func TestText(t *testing.T) {
	t.Parallel()
	m := New(Rules{})
	jwt := "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.dBjftJeZ4CVPmB92K27u"
	for _, c := range []struct{ text, want string }{
		{"connected to db in 12ms", "connected to db in 12ms"},
		{"password=hunter2", "password=[masked]"},
		{"PASSWORD: hunter2", "PASSWORD: [masked]"},
		{"db.password = hunter2, user=bob", "db.password = [masked], user=bob"},
		{"DB_PASSWORD=a,b;c user=bob", "DB_PASSWORD=[masked] user=bob"},
		{"Server=x;Password=hun&ter2;User=bob", "Server=x;Password=[masked];User=bob"},
		{"GET /a?x=1&access_token=abc&y=2", "GET /a?x=1&access_token=[masked]&y=2"},
		{"user[password]=abc&user%5Btoken%5D=def", "user[password]=[masked]&user%5Btoken%5D=[masked]"},
		{`{"password":"hun ter2","user":"bob"}`, `{"password":"[masked]","user":"bob"}`},
		{`{\"password\": \"hun ter2\", \"user\": 1}`, `{\"password\": \"[masked]\", \"user\": 1}`},
		{`{"password":{"value":"x y"},"a":1}`, `{"password":[masked],"a":1}`},
		{`password='it''s'`, `password='[masked]''s'`},
		{`pwd="a\"b" next`, `pwd="[masked]" next`},
		{`map[password:hunter2 user:bob]`, `map[password:[masked] user:bob]`},
		{"{Password:hunter2 User:bob}", "{Password:[masked] User:bob}"},
		{"User{password=abc, name=bob}", "User{password=[masked], name=bob}"},
		{`password := "x1"`, `password := "[masked]"`},
		{`:secret => "x1"`, `:secret => "[masked]"`},
		{"密码：hunter2", "密码：[masked]"},
		{"数据库口令: 甲乙丙", "数据库口令: [masked]"},
		{"PWD=/root/jobs", "PWD=/root/jobs"},
		{"cwd=/root status=ok key=order-17", "cwd=/root status=ok key=order-17"},
		{"pass: 12, fail: 3", "pass: 12, fail: 3"},
		{"unexpected token: }", "unexpected token: }"},
		{"Authorization: Bearer abc.def-1", "Authorization: Bearer [masked]"},
		{"authorization: Basic dXNlcjpwYXNz\nHost: x", "authorization: Basic [masked]\nHost: x"},
		{`Authorization: Digest username="x", response="abc"`, "Authorization: Digest [masked]"},
		{"Authorization: abc def", "Authorization: [masked]"},
		{`curl -H 'Authorization: Bearer abc1' https://x/`, `curl -H 'Authorization: Bearer [masked]' https://x/`},
		{"Set-Cookie: sid=abc; Path=/", "Set-Cookie: [masked]"},
		{`token="Bearer abc1"`, `token="Bearer [masked]"`},
		{"sent bearer abcd-1234 to peer", "sent bearer [masked] to peer"},
		{"bearer authentication failed", "bearer authentication failed"},
		{"https://bob:hunter2@example.com/a?b=c@d", "https://bob:[masked]@example.com/a?b=c@d"},
		{"redis://:hunter2@cache:6379/0", "redis://:[masked]@cache:6379/0"},
		{"https://bob:hun/ter2@example.com", "https://bob:[masked]@example.com"},
		{"https://example.com:8080/a@b", "https://example.com:8080/a@b"},
		{"ssh://git@example.com/x", "ssh://git@example.com/x"},
		{"https://0123456789abcdef0123@example.com/x", "https://[masked]@example.com/x"},
		{"bob:hunter2@tcp(db:3306)/x", "bob:[masked]@tcp(db:3306)/x"},
		{"mysqldump --password hunter2 --all", "mysqldump --password [masked] --all"},
		{"x --password=hunter2 --all", "x --password=[masked] --all"},
		{`["x" "--api-key" "abc" "y"]`, `["x" "--api-key" "[masked]" "y"]`},
		{"x --token --verbose", "x --token --verbose"},
		{"key AKIAIOSFODNN7EXAMPLE used", "key [masked] used"},
		{"aws_secret_access_key = wJalrXUtnFEMI/K7MDENG", "aws_secret_access_key = [masked]"},
		{"got " + jwt + ".", "got [masked]."},
		{"clone with ghp_0123456789abcdefghij0123", "clone with [masked]"},
		{"-----BEGIN RSA PRIVATE KEY-----\nMIIE\nabc\n-----END RSA PRIVATE KEY-----\nok", "-----BEGIN RSA PRIVATE KEY-----[masked]-----END RSA PRIVATE KEY-----\nok"},
		{"-----BEGIN PRIVATE KEY-----\\nMIIE", "-----BEGIN PRIVATE KEY-----[masked]"},
		{"-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----", "-----BEGIN CERTIFICATE-----\nMIIE\n-----END CERTIFICATE-----"},
		{"password=", "password="},
		{"=", "="},
		{"密码", "密码"},
	} {
		if got := m.Text(c.text); got != c.want {
			t.Errorf("%q\n got %q\nwant %q", c.text, got, c.want)
		}
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	m := New(Rules{})
	for _, c := range []struct{ doc, want string }{
		{`{"a":1,"b":[true,null,"x"]}`, `{"a":1,"b":[true,null,"x"]}`},
		{`{ "password" : "x", "n": 1.50 }`, `{ "password" : "[masked]", "n": 1.50 }`},
		{`{"dbPassword":12345,"token":null,"secret":""}`, `{"dbPassword":"[masked]","token":null,"secret":""}`},
		{`{"password":{"part1":"hun","part2":["ter2"]},"a":1}`, `{"password":"[masked]","a":1}`},
		{`{"p\u0061ssword":"x"}`, `{"p\u0061ssword":"[masked]"}`},
		{`{"tokens":512,"token_count":9,"max_tokens":7}`, `{"tokens":512,"token_count":9,"max_tokens":7}`},
		{`{"tokens":["a","b"]}`, `{"tokens":"[masked]"}`},
		{`{"url":"https://bob:pw@x/","k":"\"password\":\"y\""}`, `{"url":"https://bob:[masked]@x/","k":"\"password\":\"[masked]\""}`},
		{`{"https://u:pw1@h":2}`, `{"https://u:[masked]@h":2}`},
		{`[{"value":"hunter2","name":"DB_PASSWORD"},{"name":"HOME","value":"/root"}]`, `[{"value":"[masked]","name":"DB_PASSWORD"},{"name":"HOME","value":"/root"}]`},
		{`{"args":["--password","hunter2","--x","y"]}`, `{"args":["--password","[masked]","--x","y"]}`},
		{`["Authorization","Bearer abc"]`, `["Authorization","[masked]"]`},
		{`["token","name","size"]`, `["token","name","size"]`},
		{`["Cookie:","a=b"]`, `["Cookie:","[masked]"]`},
		{`"password=x y"`, `"password=[masked] y"`},
		{`{"headers":{"X-Auth-Token":["a"],"Accept":["b"]}}`, `{"headers":{"X-Auth-Token":"[masked]","Accept":["b"]}}`},
		{``, ``},
	} {
		if got := string(m.JSON(json.RawMessage(c.doc))); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.doc, got, c.want)
		}
	}
}

func TestLinesHideAPrivateKeyThatSpansReports(t *testing.T) {
	t.Parallel()
	m := New(Rules{})
	body := "MIIEpAIBAAKCAQEA7bq98ujm3OmMGC2OTnhs5xGOzX0gH1+cVJbBZJ9mQd1nT2aB"
	of := wire.AttemptRef{Task: "t", Attempt: 1}
	send := func(seq int64, texts ...string) (out []string) {
		var lines []wire.LogLine
		for i, text := range texts {
			lines = append(lines, wire.LogLine{Seq: seq + int64(i), Message: text})
		}
		m.Lines(of, lines)
		for _, line := range lines {
			out = append(out, line.Message)
		}
		return out
	}
	first := []string{"start", "-----BEGIN RSA PRIVATE KEY-----", body}
	second := []string{body, "shortTail==", "-----END RSA PRIVATE KEY-----", "done"}
	for range 2 { // the same reports again, after a lost answer
		if diff := cmp.Diff([]string{"start", "-----BEGIN RSA PRIVATE KEY-----", Mark}, send(1, first...)); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]string{Mark, Mark, "-----END RSA PRIVATE KEY-----", "done"}, send(4, second...)); diff != "" {
			t.Error(diff)
		}
	}
	// Without its first line, as at another server, full lines are known by their form.
	of.Attempt = 2
	if diff := cmp.Diff([]string{Mark, "tail==", strings.Repeat("ab01", 16)}, send(9, body, "tail==", strings.Repeat("ab01", 16))); diff != "" {
		t.Error(diff)
	}
	for n := range 2 * maxBlocks {
		m.Lines(wire.AttemptRef{Task: "u", Attempt: n}, []wire.LogLine{{Seq: 1, Message: first[1]}})
	}
	if len(m.blocks.last) > maxBlocks || len(m.blocks.ring) > maxBlocks {
		t.Errorf("%d attempts are remembered", len(m.blocks.last))
	}
}

func TestRules(t *testing.T) {
	t.Parallel()
	rules, err := Parse("\ufeff# ours\n\nname iban\n  keep app-key\npattern card (\\d{4}-\\d{4})\npattern \\b[A-Z]{2}\\d{6}\\b\n")
	if err != nil {
		t.Fatal(err)
	}
	m := New(rules)
	const text = "iban=DE89 app_key=k1 card 1234-5678 passport AB123456 password=x"
	const want = "iban=[masked] app_key=k1 card [masked] passport [masked] password=[masked]"
	if got := m.Text(text); got != want || m.Text(got) != want {
		t.Errorf("got %q, then %q", got, m.Text(got))
	}
	if got := (*Masker)(nil).Text(text); got != text {
		t.Errorf("without a masker: %q", got)
	}
	_, err = Parse("mask x\nname\npattern (?=x)\npattern a*\nname a b\nkeep \t")
	if all := fault.All(err); len(all) != 6 || !strings.Contains(all[2].Message, "Line 3") || !strings.Contains(all[2].Message, "RE2") {
		t.Errorf("problems: %v", err)
	}
	if _, err := Parse(strings.Repeat("name a\n", maxRules+1)); !fault.Is(err, fault.Invalid) {
		t.Errorf("too many rules: %v", err)
	}
}

// secretText draws a secret: it begins and ends with what no text around it has.
func secretText(t *rapid.T) string {
	return "Zq9" + rapid.StringMatching(`[a-zA-Z0-9!#$%^*+/@~.:,;&=|(){}-]{0,20}`).Draw(t, "middle") + "9qZ"
}

func TestSecretsNeverLeak(t *testing.T) {
	t.Parallel()
	m := New(Rules{})
	word := rapid.SampledFrom([]string{"", "a ", "x=1, ", "{", "[", "(", "=", ": ", "\n", "中文 ", "\"q\" ", "url=http://x:1/ "})
	name := rapid.SampledFrom([]string{"password", "DB_PASSWORD", "access-token", "apiKey", "client.secret", "user_pwd", "密码", "x-api-key"})
	rapid.Check(t, func(t *rapid.T) {
		secret, n := secretText(t), name.Draw(t, "name")
		form := rapid.SampledFrom([]string{
			"%n=%s", "%n: %s", "%n = \"%s\"", "'%n': '%s'", `{"%n":"%s"}`, `{\"%n\":\"%s\"}`, "--%n %s", "--%n=%s",
			"Authorization: Bearer %s", "https://bob:%s@host/p",
		}).Draw(t, "form")
		if strings.HasPrefix(form, "https") {
			secret = strings.Map(func(r rune) rune {
				if strings.ContainsRune("/?#", r) {
					return '_'
				}
				return r
			}, secret)
		}
		if form[0] != '\'' && form[0] != '{' && !strings.Contains(form, `"`) {
			secret = cutAtNames(secret)
		}
		text := word.Draw(t, "before") + strings.NewReplacer("%n", n, "%s", secret).Replace(form) + rapid.SampledFrom([]string{"", " after", "\nnext", "\" q"}).Draw(t, "after")
		got := m.Text(text)
		if strings.Contains(got, "Zq9") || strings.Contains(got, "9qZ") {
			t.Fatalf("%q leaks: %q", text, got)
		}
		if again := m.Text(got); again != got {
			t.Fatalf("masked twice: %q, then %q", got, again)
		}
		doc, err := json.Marshal(map[string]any{"m": text, n: secret, "list": []any{"--" + n, secret}, "pair": map[string]any{"name": n, "value": secret}})
		if err != nil {
			t.Fatal(err)
		}
		masked := m.JSON(doc)
		if s := string(masked); strings.Contains(s, "Zq9") || strings.Contains(s, "9qZ") || !json.Valid(masked) {
			t.Fatalf("%s leaks: %s", doc, masked)
		}
		if again := m.JSON(masked); string(again) != string(masked) {
			t.Fatalf("masked twice: %s, then %s", masked, again)
		}
	})
}

// cutAtNames takes out what reads as the beginning of another name=value, at which
// a value without quotes ends by design.
func cutAtNames(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(",;&|{[()", r) {
			return '_'
		}
		return r
	}, s)
}

func FuzzText(f *testing.F) {
	for _, s := range []string{"password=x", `{"a":"b","token":[1]}`, "https://a:b@c", "-----BEGIN PRIVATE KEY-----", "token: Bearer x", "密码：x", "--token \"", `["--pw","x"]`, "a@tcp(", "Cookie: "} {
		f.Add(s)
	}
	m := New(Rules{})
	f.Fuzz(func(t *testing.T, s string) {
		once := m.Text(s)
		if twice := m.Text(once); twice != once {
			t.Fatalf("%q became %q, then %q", s, once, twice)
		}
		doc := m.JSON(json.RawMessage(s))
		if json.Valid([]byte(s)) {
			if !json.Valid(doc) {
				t.Fatalf("%q became the invalid %q", s, doc)
			}
			if again := m.JSON(doc); string(again) != string(doc) {
				t.Fatalf("%q became %q, then %q", s, doc, again)
			}
		}
	})
}

func BenchmarkText(b *testing.B) {
	plain := "2026-11-30T07:20:01Z order 4711 sent to bank ICBC in 12ms, status=ok, retry=false, items: 17, path /var/lib/x"
	m := New(Rules{})
	for _, c := range []struct{ name, text string }{
		{"plain line of 110 bytes", plain}, {"with a password", plain + " password=hunter2"}, {"16 KiB", strings.Repeat(plain, 149)},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(c.text)))
			for b.Loop() {
				m.Text(c.text)
			}
		})
	}
	b.Run("fields of 80 bytes", func(b *testing.B) {
		doc := json.RawMessage(`{"order":4711,"bank":"ICBC","items":[1,2,3],"ok":true,"url":"https://example.com"}`)
		b.ReportAllocs()
		for b.Loop() {
			m.JSON(doc)
		}
	})
}
