package transport

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
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
