package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"

	"github.com/99designs/gqlgen/graphql"
)

var errMore = errors.New("more than one JSON value")

// decode reads exactly one JSON value; numbers keep their digits.
func decode(body []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	if err := dec.Decode(into); err != nil {
		return err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return errMore
	}
	return nil
}

// encode writes a response. The executor's data is JSON already: it is copied as
// it is, neither read again nor escaped.
func encode(r *graphql.Response) ([]byte, error) {
	var buf bytes.Buffer
	buf.Grow(len(r.Data) + 64)
	buf.WriteByte('{')
	if len(r.Errors) > 0 {
		errs, err := plain(r.Errors)
		if err != nil {
			return nil, err
		}
		buf.WriteString(`"errors":`)
		buf.Write(errs)
		buf.WriteByte(',')
	}
	buf.WriteString(`"data":`)
	if len(r.Data) > 0 {
		buf.Write(r.Data)
	} else {
		buf.WriteString("null")
	}
	if len(r.Extensions) > 0 {
		extensions, err := plain(r.Extensions)
		if err != nil {
			return nil, err
		}
		buf.WriteString(`,"extensions":`)
		buf.Write(extensions)
	}
	buf.WriteByte('}')
	return buf.Bytes(), nil
}

// plain is JSON without the escapes that only HTML needs.
func plain(v any) ([]byte, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return bytes.TrimRight(buf.Bytes(), "\n"), err
}
