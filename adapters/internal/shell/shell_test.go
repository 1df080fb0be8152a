package shell

import (
	"os/exec"
	"testing"
)

func TestAPathIsOneWordOfACommand(t *testing.T) {
	tests := map[string]string{
		"/home/alice/.forti": "/home/alice/.forti",
		"/tmp/two words":     "'/tmp/two words'",
		"/tmp/it's":          `'/tmp/it'\''s'`,
		"/tmp/$(id);`id`":    "'/tmp/$(id);`id`'",
		"":                   "''",
		"/tmp/a\nb":          "'/tmp/a\nb'",
	}
	for path, want := range tests {
		if got := Quote(path); got != want {
			t.Errorf("%q: got %q, want %q", path, got, want)
		}
		out, err := exec.CommandContext(t.Context(), "sh", "-c", "printf %s "+Quote(path)).Output()
		if err != nil || string(out) != path {
			t.Errorf("a shell reads %q as %q, %v", path, out, err)
		}
	}
}
