package terminal

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestNothingButLineFeedsMovesTheCursor(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"plain text", "a plan\n  with lines\n", "a plan\n  with lines\n"},
		{"an escape sequence", "a\x1b[2Kb\n", `a\x1b[2Kb` + "\n"},
		{"a carriage return", "fine\rgone\nnext", `fine\rgone` + "\nnext"},
		{"a C1 control", "a\u009b2Kb", `a\u{9b}2Kb`},
		{"a backspace and a bell", "a\bb\a", `a\x08b\x07`},
		{"a control of eight bits", "a\x9b2Kb", `a\x9b2Kb`},
		{"only the line that needs it", "  keeps  blanks\n\x07", "  keeps  blanks\n" + `\x07`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := clean(tt.in); got != tt.want {
				t.Errorf("clean(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

func FuzzNothingButLineFeedsMovesTheCursor(f *testing.F) {
	f.Add("a\x1b]52;c;x\x07\nb\u0085c\xff")
	f.Fuzz(func(t *testing.T, text string) {
		got := clean(text)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, moves) {
			t.Errorf("clean(%q) = %q", text, got)
		}
	})
}
