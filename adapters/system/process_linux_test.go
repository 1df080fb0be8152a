package system

import "testing"

func TestTheTerminalIsFoundByItsNumber(t *testing.T) {
	for _, test := range []struct{ name, stat, want string }{
		{"a pseudo terminal", "42 (forti) S 1 42 42 34819 42 4194304", "/dev/pts/3"},
		{"beyond the first 256", "42 (forti) S 1 42 42 1083436 42 0", "/dev/pts/300"},
		{"a console", "42 (forti) S 1 42 42 1025 42 0", "/dev/tty1"},
		{"a serial line", "42 (forti) S 1 42 42 1088 42 0", "/dev/ttyS0"},
		{"another device", "42 (forti) S 1 42 42 58624 42 0", "device 229:0"},
		{"none", "42 (forti) S 1 42 42 0 -1 0", ""},
		{"a hostile program name", "42 (a) S 1 2 3 34819 ) S 1 42 42 0 -1 0", ""},
		{"cut off", "42 (forti) S 1", ""},
		{"not a number", "42 (forti) S 1 42 42 x 42", ""},
		{"empty", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := terminalName([]byte(test.stat)); got != test.want {
				t.Errorf("%q, want %q", got, test.want)
			}
		})
	}
}
