package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestLicences(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Apache License\n   Version 2.0, January 2004":                                   "Apache-2.0",
		"Permission is hereby granted, free of\ncharge, to any person":                   "MIT",
		"Redistribution and use in source and binary forms … Neither the name of Google": "BSD-3-Clause",
		"Redistribution and use in source and binary forms, with":                        "BSD-2-Clause",
		"Mozilla Public License Version 2.0 … GNU General Public License":                "MPL-2.0",
		"GNU GENERAL PUBLIC LICENSE Version 3":                                           "GPL",
		"All rights reserved.":                                                           "",
	} {
		if got := licenceOf(text); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for expression, want := range map[string]bool{
		"MIT": true, "(MIT OR GPL-3.0)": true, "MIT AND ISC": true, "MIT AND GPL-3.0": false, "GPL-3.0": false, "": false, "UNKNOWN": false,
	} {
		if permitted(expression) != want {
			t.Errorf("%q: %t", expression, !want)
		}
	}
	var out bytes.Buffer
	err := checkLicences([]part{{"npm", "good", "1.0.0", "MIT"}, {"golang", "bad", "v1", "GPL"}, {"golang", "none", "v1", ""}}, &out)
	if err == nil || !strings.Contains(out.String(), "golang bad v1") || !strings.Contains(out.String(), "golang none v1") {
		t.Errorf("%v\n%s", err, out.String())
	}
}

func TestBill(t *testing.T) {
	t.Parallel()
	raw, err := json.Marshal(bill([]part{{"npm", "@mantine/core", "9.8.1", "MIT"}}))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"bomFormat":"CycloneDX"`, `"specVersion":"1.6"`, `"purl":"pkg:npm/%40mantine/core@9.8.1"`, `"purl":"pkg:golang/std@`} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("it lacks %s: %s", want, raw)
		}
	}
}
