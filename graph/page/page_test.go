package page_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/belfry-scheduler/belfry/graph/page"
	"github.com/belfry-scheduler/belfry/services/fault"
)

func TestRead(t *testing.T) {
	t.Parallel()
	cursor := page.Cursor("id", "01ABC")
	tests := map[string]struct {
		args page.Args
		want page.Window
		code fault.Code
	}{
		"nothing":           {want: page.Window{First: page.DefaultSize}},
		"first":             {args: page.Args{First: new(7)}, want: page.Window{First: 7}},
		"most":              {args: page.Args{First: new(page.MaxSize)}, want: page.Window{First: page.MaxSize}},
		"after":             {args: page.Args{After: &cursor}, want: page.Window{First: page.DefaultSize, After: "01ABC"}},
		"before":            {args: page.Args{Before: &cursor}, want: page.Window{Last: page.DefaultSize, Before: "01ABC"}},
		"last":              {args: page.Args{Last: new(3)}, want: page.Window{Last: 3}},
		"too many":          {args: page.Args{First: new(page.MaxSize + 1)}, code: fault.Limit},
		"too many backward": {args: page.Args{Last: new(1 << 30)}, code: fault.Limit},
		"zero":              {args: page.Args{First: new(0)}, code: fault.Invalid},
		"negative":          {args: page.Args{Last: new(-1)}, code: fault.Invalid},
		"both sizes":        {args: page.Args{First: new(1), Last: new(1)}, code: fault.Invalid},
		"crossed":           {args: page.Args{First: new(1), Before: &cursor}, code: fault.Invalid},
		"garbage":           {args: page.Args{After: new("%%%")}, code: fault.Invalid},
		"empty":             {args: page.Args{After: new("")}, code: fault.Invalid},
		"foreign order":     {args: page.Args{After: new(page.Cursor("name", "x"))}, code: fault.Invalid},
		"huge":              {args: page.Args{After: new(page.Cursor("id", strings.Repeat("x", 1<<16)))}, code: fault.Invalid},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := page.Read("id", tt.args)
			if code := fault.CodeOf(err); code != tt.code {
				t.Fatalf("code = %q (%v), want %q", code, err, tt.code)
			}
			if err == nil {
				if diff := cmp.Diff(tt.want, got); diff != "" {
					t.Errorf("window (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestCursorsComeBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.StringN(1, 200, 800).Draw(t, "key")
		got, err := page.Read("name", page.Args{After: new(page.Cursor("name", key))})
		if err != nil || got.After != key {
			t.Fatalf("key %q came back as %q, %v", key, got.After, err)
		}
	})
}

func FuzzRead(f *testing.F) {
	f.Add(page.Cursor("id", "01ABC"))
	f.Add("MTppZDo")
	f.Fuzz(func(t *testing.T, cursor string) {
		got, err := page.Read("id", page.Args{After: &cursor})
		if err == nil && got.After == "" {
			t.Errorf("cursor %q was taken as no position", cursor)
		}
	})
}
