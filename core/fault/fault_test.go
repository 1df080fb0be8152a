package fault

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEveryErrorHasACode(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want Code
	}{
		{"nil", nil, ""},
		{"ours", New(Conflict, "x"), Conflict},
		{"ours, wrapped", fmt.Errorf("outer: %w", New(NotFound, "x")), NotFound},
		{"ours inside ours: the outer one", Wrap(New(NotFound, "x"), Config, "y"), Config},
		{"deadline", fmt.Errorf("read: %w", context.DeadlineExceeded), DeviceUnreachable},
		{"cancelled", context.Canceled, DeviceUnreachable},
		{"unknown", errors.New("x"), Internal},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := CodeOf(test.err); got != test.want {
				t.Errorf("CodeOf = %q, want %q", got, test.want)
			}
		})
	}
}

func TestAnUnknownErrorShowsNothingOfItsText(t *testing.T) {
	cause := errors.New("token abc123 refused")
	e := From(cause)
	if strings.Contains(e.Error(), "abc123") || strings.Contains(fmt.Sprint(e.Details), "abc123") {
		t.Errorf("the cause shows: %s", e)
	}
	if !errors.Is(e, cause) {
		t.Error("the cause is lost for logs and errors.Is")
	}
	if From(nil) != nil {
		t.Error("no error became one")
	}
}

func TestAnErrorReadsAsCodeAndMessage(t *testing.T) {
	e := Wrap(errors.New("hidden"), StalePlan, "object %q changed", "lan")
	if got, want := e.Error(), `stale_plan: object "lan" changed`; got != want {
		t.Errorf("Error = %q, want %q", got, want)
	}
}

func TestADetailIsAddedToACopy(t *testing.T) {
	base := New(Conflict, "busy").With("reason", "busy")
	more := base.With("plan_id", "p")
	if diff := cmp.Diff(map[string]any{"reason": "busy"}, base.Details); diff != "" {
		t.Errorf("the original changed (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"reason": "busy", "plan_id": "p"}, more.Details); diff != "" {
		t.Errorf("details (-want +got):\n%s", diff)
	}
}

func TestCodesAreStableWords(t *testing.T) {
	form := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	seen := map[Code]bool{}
	for _, code := range Codes() {
		if !form.MatchString(string(code)) || seen[code] {
			t.Errorf("code %q is malformed or stands twice", code)
		}
		seen[code] = true
	}
	if len(seen) != 20 {
		t.Errorf("%d codes, want 20: a code that is added or removed is a change of the interface", len(seen))
	}
}

func TestProblemsAreReportedTogether(t *testing.T) {
	var ps Problems
	if ps.Err() != nil {
		t.Fatal("no problems are an error")
	}
	ps.Add("/operations/0/op", "is required")
	ps.Add("", "nothing fits")
	err := ps.Err()
	if got, want := err.Error(), "usage: /operations/0/op: is required; nothing fits"; got != want {
		t.Errorf("Error = %q, want %q", got, want)
	}
	want := map[string]any{"problems": []Problem{{"/operations/0/op", "is required"}, {"", "nothing fits"}}}
	if diff := cmp.Diff(want, From(err).Details); diff != "" {
		t.Errorf("details (-want +got):\n%s", diff)
	}
}

func TestPointersEscapeTheirTokens(t *testing.T) {
	if got, want := Pointer("a/b", 0, "~x", ""), "/a~1b/0/~0x/"; got != want {
		t.Errorf("Pointer = %q, want %q", got, want)
	}
	if got := Pointer(); got != "" {
		t.Errorf("the pointer to the whole is %q", got)
	}
}
