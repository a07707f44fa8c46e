package memhttp

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
)

func TestAnswersAndStreams(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		next := make(chan string)
		transport := &Transport{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			switch r.URL.Path {
			case "/echo":
				w.Header().Set("X-Early", "1")
				w.WriteHeader(http.StatusTeapot)
				w.Header().Set("X-Late", "1")
				_, _ = io.Copy(w, r.Body)
			case "/stream":
				w.(http.Flusher).Flush()
				for line := range next {
					_, _ = io.WriteString(w, line+"\n")
				}
			case "/abort":
				_, _ = io.WriteString(w, "half")
				panic(http.ErrAbortHandler)
			case "/refuse":
				panic(http.ErrAbortHandler)
			}
		})}
		client := &http.Client{Transport: transport}

		resp, err := client.Post("http://x/echo", "text/plain", strings.NewReader("hello"))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(resp.Body)
		if string(text) != "hello" || err != nil || resp.StatusCode != http.StatusTeapot || resp.Header.Get("X-Early") != "1" || resp.Header.Get("X-Late") != "" {
			t.Errorf("%q, %v, %+v", text, err, resp)
		}
		_ = resp.Body.Close()

		resp, err = client.Get("http://x/stream")
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewReader(resp.Body)
		for _, want := range []string{"one", "two"} {
			next <- want
			if got, err := lines.ReadString('\n'); got != want+"\n" || err != nil {
				t.Errorf("%q, %v", got, err)
			}
		}
		close(next)
		if _, err := lines.ReadString('\n'); !errors.Is(err, io.EOF) {
			t.Errorf("end: %v", err)
		}
		_ = resp.Body.Close()

		resp, err = client.Get("http://x/abort")
		if err != nil {
			t.Fatal(err)
		}
		if text, err := io.ReadAll(resp.Body); string(text) != "half" || !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%q, %v", text, err)
		}
		_ = resp.Body.Close()
		if resp, err := client.Get("http://x/refuse"); err == nil {
			_ = resp.Body.Close()
			t.Error("a refused call has no error")
		}
		transport.Wait()
	})
}

func TestCancelEndsBothSides(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		transport := &Transport{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/open" {
				w.(http.Flusher).Flush()
			}
			<-r.Context().Done()
		})}
		for _, path := range []string{"/open", "/silent"} {
			ctx, cancel := context.WithCancel(t.Context())
			req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://x"+path, nil)
			if err != nil {
				t.Fatal(err)
			}
			go func() {
				synctest.Wait()
				cancel()
			}()
			resp, err := (&http.Client{Transport: transport}).Do(req)
			if path == "/open" {
				if err != nil {
					t.Fatal(err)
				}
				_, err = io.ReadAll(resp.Body)
				_ = resp.Body.Close()
			}
			if !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %v", path, err)
			}
			cancel()
		}
		transport.Wait()
	})
}
