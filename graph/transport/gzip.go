package transport

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"sync"
)

// compressFrom is the size, in bytes, from which compression saves a packet.
const compressFrom = 1400

var writers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // a constant level is never refused
	return w
}}

// acceptsGzip says whether the client takes gzip: named, and not with weight 0.
func acceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		coding, weight, _ := strings.Cut(part, ";")
		if strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			weight = strings.ReplaceAll(weight, " ", "")
			return weight != "q=0" && !strings.HasPrefix(weight, "q=0.0")
		}
	}
	return false
}

func compress(body []byte) []byte {
	var buf bytes.Buffer
	buf.Grow(len(body) / 3)
	w, _ := writers.Get().(*gzip.Writer)
	defer writers.Put(w)
	w.Reset(&buf)
	_, _ = w.Write(body) // a buffer never fails
	_ = w.Close()
	return buf.Bytes()
}
