package imports

import (
	"strings"
	"testing"
	"time"
)

// The cause behind XXE in job files (as of CVE-2019-13990): a parser that follows what a
// document's own DTD tells it reads files, makes requests, or grows without end. This one
// knows no DTD: an entity that is declared in the document is not there.
func TestDocumentsCannotBringTheirOwnEntities(t *testing.T) {
	t.Parallel()
	const job = `<job-scheduling-data><schedule><job><name>%NAME%</name><job-class>a.B</job-class><durability>true</durability></job></schedule></job-scheduling-data>`
	for name, c := range map[string]struct{ dtd, use string }{
		"a file":            {`<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>`, "&e;"},
		"an address":        {`<!DOCTYPE x [<!ENTITY e SYSTEM "http://127.0.0.1:1/secret">]>`, "&e;"},
		"a DTD elsewhere":   {`<!DOCTYPE x SYSTEM "http://127.0.0.1:1/evil.dtd">`, "&e;"},
		"a parameter":       {`<!DOCTYPE x [<!ENTITY % p SYSTEM "file:///etc/passwd"> %p;]>`, "&p;"},
		"a billion laughs":  {`<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">]>`, "&c;"},
		"a quadratic bloat": {`<!DOCTYPE x [<!ENTITY e "` + strings.Repeat("x", 50_000) + `">]>`, strings.Repeat("&e;", 10_000)},
		"XInclude":          {``, `<xi:include xmlns:xi="http://www.w3.org/2001/XInclude" href="file:///etc/passwd" parse="text"/>`},
	} {
		text := c.dtd + strings.Replace(job, "%NAME%", "n"+c.use, 1)
		root, err := parseXML([]byte(text))
		for _, n := range root.find("name") {
			if n.text != "n" && n.text != "" || len(n.text) > 10 {
				t.Errorf("%s became %.100q", name, n.text)
			}
		}
		if err == nil && name != "XInclude" {
			t.Errorf("%s is taken without a word", name)
		}
		r := Quartz([]byte(text), nil, Options{Source: "f", App: "a", Now: time.Unix(0, 0)})
		for _, n := range r.Notes {
			if strings.Contains(n.Text, "root:") {
				t.Errorf("%s: %s", name, n.Text)
			}
		}
	}
}

// A document costs no more than its length: not by depth, not by text in many parts.
func TestDocumentsCostNoMoreThanTheirLength(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"deep":            strings.Repeat("<a>", 1_000_000),
		"in parts":        "<a>" + strings.Repeat("xxxxxxxx<!---->", 500_000) + "</a>",
		"children":        "<a>" + strings.Repeat("x<b/>", 500_000) + "</a>",
		"comments":        strings.Repeat("<!-- - -->", 500_000),
		"an open comment": "<!--" + strings.Repeat("-", 5_000_000),
		"attributes":      "<a " + strings.Repeat(`b="c" `, 500_000) + "/>",
	} {
		if took := testing.Benchmark(func(b *testing.B) {
			for b.Loop() {
				_, _ = parseXML([]byte(text)) // an error is as good an answer
			}
		}); took.AllocedBytesPerOp() > int64(200*len(text)) {
			t.Errorf("%s: %d bytes of memory for %d", name, took.AllocedBytesPerOp(), len(text))
		}
	}
}
