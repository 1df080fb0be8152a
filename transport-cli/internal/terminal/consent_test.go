package terminal_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/transport-cli/internal/terminal"
)

// desk is a person at a terminal, played from a list: a line that is typed, or
// an error. It notes everything that happens, pauses too.
type desk struct {
	rows   int
	lines  []any
	keys   string
	events []string
	broken bool
	cancel context.CancelCauseFunc
	// patienceEnds: the time limit of the prompt is over at once.
	patienceEnds bool
}

func (d *desk) note(format string, args ...any) {
	d.events = append(d.events, fmt.Sprintf(format, args...))
}

func (d *desk) Name() string     { return "desk" }
func (d *desk) Size() (int, int) { return 80, d.rows }

func (d *desk) Write(text string) error {
	if d.broken {
		return errors.New("the wire is cut")
	}
	d.note("draw %d lines", strings.Count(text, "\n"))
	return nil
}

func (d *desk) Ask(ctx context.Context, prompt string) (string, error) {
	d.note("ask %s", prompt)
	if d.patienceEnds {
		<-ctx.Done()
		return "", context.Cause(ctx)
	}
	next := d.lines[0]
	d.lines = d.lines[1:]
	switch x := next.(type) {
	case error:
		if d.cancel != nil {
			d.cancel(x)
			return "", context.Cause(ctx)
		}
		return "", x
	default:
		return x.(string), nil
	}
}

func (d *desk) Key(_ context.Context, prompt string) (byte, error) {
	d.note("key %s", prompt)
	if d.keys == "" {
		return 0, io.EOF
	}
	k := d.keys[0]
	d.keys = d.keys[1:]
	return k, nil
}

func (d *desk) Sleep(ctx context.Context, wait time.Duration) error {
	if wait == terminal.Patience {
		if d.patienceEnds {
			return nil
		}
		<-ctx.Done()
		return ctx.Err()
	}
	d.note("pause %s", wait)
	return ctx.Err()
}

func question(operations int) terminal.Question {
	return terminal.Question{
		Screen: strings.Repeat("line\n", 3+operations), Header: "header\n", Operations: operations, Prompt: "Type: ", Wanted: "home K7Q2M9",
	}
}

func TestOnlyTheWantedTextIsAYes(t *testing.T) {
	broken := errors.New("the keyboard is gone")
	for _, tt := range []struct {
		name  string
		typed []any
		want  terminal.Answer
		err   error
	}{
		{"the text", []any{"home K7Q2M9"}, terminal.Yes, nil},
		{"blanks around and between do not matter", []any{"  home   K7Q2M9 "}, terminal.Yes, nil},
		{"the second try", []any{"home", "home K7Q2M9"}, terminal.Yes, nil},
		{"the third try", []any{"", "K7Q2M9", "home K7Q2M9"}, terminal.Yes, nil},
		{"three wrong tries", []any{"yes", "y", "approve"}, terminal.WrongText, nil},
		{"another case is wrong", []any{"home k7q2m9", "HOME K7Q2M9", "Home K7Q2M9"}, terminal.WrongText, nil},
		{"more than the text is wrong", []any{"home K7Q2M9 x", "home K7Q2M9K7Q2M9", "xhome K7Q2M9"}, terminal.WrongText, nil},
		{"no", []any{"no"}, terminal.Declined, nil},
		{"the end of input", []any{io.EOF}, terminal.EndOfInput, nil},
		{"the end of input after a wrong try", []any{"x", io.EOF}, terminal.EndOfInput, nil},
		{"an interrupt", []any{context.Canceled}, terminal.Interrupted, nil},
		{"a broken keyboard is nobody's answer", []any{broken}, "", broken},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := &desk{rows: 24, lines: tt.typed}
			got, err := terminal.Consent(t.Context(), d, d, question(2))
			if got != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("Consent = %q, %v; want %q, %v", got, err, tt.want, tt.err)
			}
		})
	}
}

func TestThePromptComesTwoSecondsAfterTheLastLine(t *testing.T) {
	d := &desk{rows: 24, lines: []any{"home K7Q2M9"}}
	if _, err := terminal.Consent(t.Context(), d, d, question(2)); err != nil {
		t.Fatal(err)
	}
	want := []string{"draw 5 lines", "pause 2s", "draw 1 lines", "ask Type: "}
	if diff := cmp.Diff(want, d.events); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestALongScreenIsWalkedToItsEnd(t *testing.T) {
	for _, tt := range []struct {
		name, keys string
		want       terminal.Answer
		events     []string
	}{
		{"every page", " \n", terminal.Yes, []string{
			"draw 23 lines", "key -- 23 of 54 lines; Enter: go on, q: no --", "draw 1 lines",
			"draw 23 lines", "key -- 46 of 54 lines; Enter: go on, q: no --", "draw 1 lines",
			"draw 8 lines", "pause 2s", "draw 1 lines", "ask Type: ",
		}},
		{"another key is no step", "x\r q", terminal.Declined, nil},
		{"leaving is no", "q", terminal.Declined, nil},
		{"the end of input is no", "", terminal.EndOfInput, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			d := &desk{rows: 24, keys: tt.keys, lines: []any{"home K7Q2M9"}}
			if tt.name == "another key is no step" {
				d.rows = 10 // more pages, so that the last key is needed
			}
			got, err := terminal.Consent(t.Context(), d, d, question(51))
			if got != tt.want || err != nil {
				t.Errorf("Consent = %q, %v; want %q", got, err, tt.want)
			}
			if diff := cmp.Diff(tt.events, d.events); tt.events != nil && diff != "" {
				t.Errorf("events (-want +got):\n%s", diff)
			}
			asked := strings.Contains(strings.Join(d.events, "\n"), "ask")
			if asked != (tt.want == terminal.Yes) {
				t.Errorf("prompted: %v, after the answer %q", asked, got)
			}
		})
	}
}

func TestNoAnswerInTimeMeansNo(t *testing.T) {
	d := &desk{rows: 24, patienceEnds: true}
	got, err := terminal.Consent(t.Context(), d, d, question(1))
	if got != terminal.TimedOut || err != nil {
		t.Errorf("Consent = %q, %v; want %q", got, err, terminal.TimedOut)
	}
}

func TestAnInterruptBeforeThePromptMeansNo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	d := &desk{rows: 24}
	got, err := terminal.Consent(ctx, d, d, question(1))
	if got != terminal.Interrupted || err != nil {
		t.Errorf("Consent = %q, %v; want %q", got, err, terminal.Interrupted)
	}
}

func TestATerminalThatFailsIsNoAnswer(t *testing.T) {
	d := &desk{rows: 24, broken: true}
	if got, err := terminal.Consent(t.Context(), d, d, question(1)); err == nil || got != "" {
		t.Errorf("Consent = %q, %v; want an error", got, err)
	}
}
