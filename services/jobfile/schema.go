package jobfile

import (
	_ "embed" // the schema
	"encoding/json"
	"regexp"
)

// Schema is the JSON schema of a document, for editors: draft 2020-12.
//
//go:embed belfry-jobs.schema.json
var Schema []byte

// schemaOf builds the schema from the format; a test compares it with the file.
func schemaOf() ([]byte, error) {
	root := describe(&format)
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "Belfry job file"
	root["patternProperties"] = map[string]any{"^x-": true}
	raw, err := json.MarshalIndent(root, "", "  ")
	return append(raw, '\n'), err
}

// lengthOfTime is what time.ParseDuration takes.
const lengthOfTime = `^([0-9]+(\.[0-9]*)?(ns|us|µs|ms|s|m|h))+$|^0$`

var _ = regexp.MustCompile(lengthOfTime)

func describe(s *shape) map[string]any {
	d := map[string]any{"description": s.about}
	if s.instead != "" {
		d["description"] = s.about + " Default: " + s.instead + "."
	}
	switch s.kind {
	case object:
		describeObject(s, d)
	case list:
		d["type"], d["items"], d["maxItems"] = "array", describe(s.of), s.high
		if s.low > 0 {
			d["minItems"] = s.low
		}
	case line:
		d["type"], d["minLength"], d["maxLength"] = "string", 1, s.high
	case prose:
		d["type"], d["maxLength"] = "string", s.high
	case expression, zone:
		d["type"], d["minLength"] = "string", 1
	case name:
		d["type"], d["pattern"] = "string", `^[a-z][a-z0-9_-]{0,63}$`
	case instant:
		d["type"], d["format"] = "string", "date-time"
	case span:
		d["type"], d["pattern"] = "string", lengthOfTime
	case whole:
		d["type"], d["minimum"], d["maximum"] = "integer", s.low, s.high
	case share:
		d["type"], d["minimum"], d["maximum"] = "number", 0, 1
	case truth:
		d["type"] = "boolean"
	case word:
		d["enum"] = s.words
	case labels:
		d["type"], d["additionalProperties"], d["maxProperties"] = "object", map[string]any{"type": "string", "maxLength": 255}, s.high
		if s.low > 0 {
			d["minProperties"] = s.low
		}
	case anything:
	}
	return d
}

func describeObject(s *shape, d map[string]any) {
	properties := map[string]any{}
	needed := []string{}
	for _, f := range s.fields {
		properties[f.name] = describe(&f.shape)
		if f.needed {
			needed = append(needed, f.name)
		}
	}
	d["type"], d["properties"], d["additionalProperties"] = "object", properties, false
	if len(needed) > 0 {
		d["required"] = needed
	}
	if s.one {
		d["minProperties"], d["maxProperties"] = 1, 1
	}
}
