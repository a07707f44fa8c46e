package message

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every address in the default texts, and each that templates can make, is a page of the
// console: its routes are read from its source.
func TestLinksOpenPages(t *testing.T) {
	t.Parallel()
	var pages []*regexp.Regexp
	files, err := filepath.Glob("../../../console/src/routes/*.tsx")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		source, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`path: '(/[^']*)'`).FindAllStringSubmatch(string(source), -1) {
			pattern := regexp.MustCompile(`\\\$[A-Za-z]+`).ReplaceAllString(regexp.QuoteMeta(m[1]), `[^/]+`)
			pages = append(pages, regexp.MustCompile("^"+pattern+"$"))
		}
	}
	if len(pages) < 20 {
		t.Fatalf("only %d routes were found in %d files", len(pages), len(files))
	}
	source, err := os.ReadFile("functions.go")
	if err != nil {
		t.Fatal(err)
	}
	var links []string
	for _, m := range regexp.MustCompile(`d\.url\("(/[^"]*)", (id|"\?")`).FindAllStringSubmatch(string(source), -1) {
		if m[2] == "id" {
			m[1] += "01KK65MQ60TF6MB4WMYWB5N3KH"
		}
		links = append(links, m[1])
	}
	for _, name := range []string{"english.go", "chinese.go"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`consoleURL "([^"]*)"`).FindAllStringSubmatch(string(text), -1) {
			links = append(links, m[1])
		}
	}
	if len(links) < 7 {
		t.Fatalf("only the links %v were found", links)
	}
	for _, link := range links {
		opens := false
		for _, page := range pages {
			opens = opens || page.MatchString(strings.TrimSuffix(link, "/"))
		}
		if !opens {
			t.Errorf("%s opens no page of the console", link)
		}
	}
}
