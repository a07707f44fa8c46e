package main

import (
	"runtime"
	"strings"
)

// The part of CycloneDX 1.6 that says what something is made of.
type (
	sbom struct {
		Format     string      `json:"bomFormat"`
		Spec       string      `json:"specVersion"`
		Version    int         `json:"version"`
		Metadata   metadata    `json:"metadata"`
		Components []component `json:"components"`
	}
	metadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type     string    `json:"type"`
		Ref      string    `json:"bom-ref"`
		Name     string    `json:"name"`
		Version  string    `json:"version,omitempty"`
		PURL     string    `json:"purl,omitempty"`
		Licences []licence `json:"licenses,omitempty"`
	}
	licence struct {
		Expression string `json:"expression"`
	}
)

// bill is the bill of materials of these parts, and of the language's own library.
func bill(all []part) sbom {
	b := sbom{
		Format: "CycloneDX", Spec: "1.6", Version: 1,
		Metadata: metadata{Component: component{Type: "application", Ref: "belfry", Name: "belfry", Licences: []licence{{"Apache-2.0"}}}},
		Components: []component{{
			Type: "library", Ref: "pkg:golang/std@" + strings.TrimPrefix(runtime.Version(), "go"), Name: "std", Version: runtime.Version(),
			PURL: "pkg:golang/std@" + strings.TrimPrefix(runtime.Version(), "go"), Licences: []licence{{"BSD-3-Clause"}},
		}},
	}
	for _, p := range all {
		purl := "pkg:" + p.Kind + "/" + strings.Replace(p.Name, "@", "%40", 1) + "@" + p.Version
		c := component{Type: "library", Ref: purl, Name: p.Name, Version: p.Version, PURL: purl}
		if p.Licence != "" {
			c.Licences = []licence{{p.Licence}}
		}
		b.Components = append(b.Components, c)
	}
	return b
}
