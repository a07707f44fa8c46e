package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// allowed are the licences of what may be shipped inside a binary under Apache-2.0.
var allowed = map[string]bool{
	"Apache-2.0": true, "MIT": true, "BSD-2-Clause": true, "BSD-3-Clause": true, "ISC": true, "0BSD": true, "MPL-2.0": true, "CC0-1.0": true, "Unlicense": true,
}

// licenceOf knows a licence by what its text alone says; empty: none of those we know.
func licenceOf(text string) string {
	text = strings.Join(strings.Fields(strings.ToLower(text)), " ")
	has := func(words string) bool { return strings.Contains(text, words) }
	switch {
	case has("gnu general public license"), has("gnu affero"), has("gnu lesser"):
		if !has("mozilla public license") { // which names them as secondary ones
			return "GPL"
		}
		return "MPL-2.0"
	case has("mozilla public license version 2.0"), has("mozilla public license, version 2.0"):
		return "MPL-2.0"
	case has("apache license") && has("version 2.0"):
		return "Apache-2.0"
	case has("redistribution and use in source and binary forms"):
		if has("neither the name") || has("may not be used to endorse") {
			return "BSD-3-Clause"
		}
		return "BSD-2-Clause"
	case has("permission is hereby granted, free of charge"):
		return "MIT"
	case has("permission to use, copy, modify, and/or distribute this software"), has("permission to use, copy, modify, and distribute this software"):
		return "ISC"
	case has("this is free and unencumbered software"):
		return "Unlicense"
	}
	return ""
}

// permitted says whether an SPDX expression leaves us a licence that we may ship.
func permitted(expression string) bool {
	for choice := range strings.SplitSeq(strings.Trim(expression, "()"), " OR ") {
		all := true
		for one := range strings.SplitSeq(choice, " AND ") {
			all = all && allowed[strings.Trim(one, "() ")]
		}
		if all {
			return true
		}
	}
	return false
}

// checkLicences tells how many parts have which licence, and fails when one may not be
// shipped or has none that is known.
func checkLicences(all []part, out io.Writer) error {
	counts, bad := map[string]int{}, 0
	for _, p := range all {
		if !permitted(p.Licence) {
			bad++
			if _, err := fmt.Fprintf(out, "%s %s %s: the licence is %q\n", p.Kind, p.Name, p.Version, p.Licence); err != nil {
				return err
			}
			continue
		}
		counts[p.Licence]++
	}
	if bad > 0 {
		return fmt.Errorf("%d parts have a licence that is not known, or not one of those that may be shipped", bad)
	}
	for _, id := range slices.Sorted(maps.Keys(counts)) {
		if _, err := fmt.Fprintf(out, "%4d %s\n", counts[id], id); err != nil {
			return err
		}
	}
	return nil
}
