package fault

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCodeOf(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		err  error
		want Code
	}{
		"nil":     {nil, ""},
		"foreign": {errors.New("disk"), Internal},
		"one":     {New(NotFound, "no job %q", "x"), NotFound},
		"wrapped": {fmt.Errorf("saving: %w", At("name", Taken, "taken")), Taken},
		"list":    {List{New(Required, "a"), New(Invalid, "b")}, Required},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := CodeOf(tt.err); got != tt.want {
				t.Errorf("CodeOf = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestListErrIsNilWhenEmpty(t *testing.T) {
	t.Parallel()
	var list List
	list.Add(nil)
	if err := list.Err(); err != nil {
		t.Errorf("Err = %v, want nil", err)
	}
}

func TestPrefixMovesFields(t *testing.T) {
	t.Parallel()
	err := Prefix("input.trigger", fmt.Errorf("checking: %w", List{
		At("cron.expression", Invalid, "bad"),
		New(Conflict, "whole"),
	}))
	want := List{
		{Code: Invalid, Field: []string{"input", "trigger", "cron", "expression"}, Message: "bad"},
		{Code: Conflict, Message: "whole"},
	}
	if diff := cmp.Diff(want, All(err)); diff != "" {
		t.Errorf("Prefix (-want +got):\n%s", diff)
	}
	if foreign := errors.New("disk"); !errors.Is(Prefix("x", foreign), foreign) {
		t.Error("Prefix changed a foreign error")
	}
}
