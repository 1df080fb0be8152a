package clients

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// fromDebian skips a test whose client comes from Debian's packages where the client is
// absent, or where nobody asked for it: `go test work` stays fast, and run.sh asks.
func fromDebian(t *testing.T, programs ...string) {
	t.Helper()
	if os.Getenv("FORTI_CLIENTS") == "" {
		t.Skip("FORTI_CLIENTS is not set: the clients from Debian did not run")
	}
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("%s is absent: it did not run", program)
		}
	}
}

// output runs a program to its end and gives what it printed, which may not be an error.
func output(t *testing.T, environment []string, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Env = append(os.Environ(), environment...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return string(out)
}
