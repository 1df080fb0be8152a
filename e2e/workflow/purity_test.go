package workflow

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// noisy prints what helpers print, wherever it can, and leaves a child behind that
// goes on; then it prints the token and closes what it was given. $1 is the file
// of the token, $2 is "banner" for a helper that writes to its standard output.
const noisy = `#!/bin/sh
echo "NOISE on standard error" >&2
[ -e /proc/$PPID/fd/1 ] && echo "NOISE on the parent's descriptor 1" >/proc/$PPID/fd/1
[ "$2" = banner ] && echo "NOISE: welcome to the vault"
(
	i=0
	while [ $i -lt 100 ]; do
		i=$((i+1))
		echo "NOISE of a child" >&2
		echo "NOISE of a child" >&3
		echo "NOISE of a child" >&5
		echo "NOISE of a child" >&7
		echo "NOISE of a child" >/proc/$PPID/fd/1
		[ "$2" = banner ] && echo "NOISE of a child"
	done
) 2>/dev/null &
exec 0<&- 2>&- 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-
cat "$1"
exec 1>&-
`

// helped is a lab whose token comes from a noisy program.
func helped(t *testing.T, how string) *harness.Lab {
	t.Helper()
	lab := harness.New(t, &harness.Options{Mode: "autonomous"})
	helper := lab.Write("helper", noisy)
	if err := os.Chmod(helper, 0o700); err != nil {
		t.Fatal(err)
	}
	lab.Forti("configure", harness.Profile, "--no-test", "--pin", lab.Server.PinSHA256,
		"--token-command", helper, "--token-command", filepath.Join(lab.User, "token"), "--token-command", how).Must(0)
	return lab
}

const newPassword = "correct-horse-battery-9"

func TestWhateverACredentialHelperDoesStdoutIsOnlyProtocolAndNoSecretGetsOut(t *testing.T) {
	t.Parallel()
	lab := helped(t, "quiet")
	s := lab.Serve("--log-level", "debug")
	if r := s.Call("forti_discover", `{"what":"capabilities"}`); !r.Structured.OK {
		t.Fatalf("%+v", r.Structured.Error)
	}
	if r := s.Call("forti_read", `{"resource":"user/local","key":"alice"}`); !r.Structured.OK || !strings.Contains(string(r.Structured.Data), "<redacted>") {
		t.Errorf("read: %s %+v", r.Structured.Data, r.Structured.Error)
	}
	var p harness.Plan
	s.Call("forti_plan", `{"operations":[{"op":"update","resource":"user/local","key":"alice","set":{"passwd":"`+newPassword+`"}}]}`).
		Structured.Into(t, &p)
	if !holds(t, lab, newPassword) {
		t.Error("the secret is nowhere, so it cannot be sent")
	}
	lab.WantAbsent(lab.State("plans"), newPassword)
	var x harness.Execution
	s.Call("forti_apply", `{"plan_id":"`+p.PlanID+`"}`).Structured.Into(t, &x)
	if set, _ := lab.Device.Secret("root", "user/local", "alice", "passwd"); set != newPassword {
		t.Error("the password was not changed")
	}
	r := s.Close().Must(0)
	pure(t, lab, r, newPassword)
	if runtime.GOOS == "linux" && !strings.Contains(r.Stderr, "NOISE on the parent's descriptor 1") {
		t.Error("the helper made no noise, so nothing is proved")
	}
	shown := lab.Forti("plan", "show", p.PlanID, "-v").Must(0)
	for _, secret := range []string{newPassword, lab.Server.Token} {
		if strings.Contains(shown.Stdout+shown.Stderr, secret) {
			t.Error("plan show shows a secret")
		}
	}
	lab.WantAbsent(lab.Home, newPassword, lab.Server.Token)
	lab.Forti("audit", "verify").Must(0)
}

func TestAHelperThatPrintsMoreThanTheTokenIsRefusedWithoutRepeatingIt(t *testing.T) {
	t.Parallel()
	lab := helped(t, "banner")
	s := lab.Serve("--log-level", "debug")
	for tool, arguments := range map[string]string{
		"forti_discover": `{"what":"capabilities"}`,
		"forti_read":     `{"resource":"firewall/address"}`,
		"forti_plan":     `{"operations":` + oneDelete + `}`,
	} {
		s.Call(tool, arguments).Structured.Failed(t, "config")
	}
	pure(t, lab, s.Close().Must(0))
	lab.Forti("read", "firewall/address").Must(3)
	if n := len(lab.Device.Requests()); n != 0 {
		t.Errorf("the device was sent %d requests", n)
	}
}

// pure checks both streams of a server that has ended.
func pure(t *testing.T, lab *harness.Lab, r harness.Result, secrets ...string) {
	t.Helper()
	for line := range strings.Lines(r.Stdout) {
		lab.Message(line)
	}
	if strings.Contains(r.Stdout, "NOISE") {
		t.Error("standard output holds what the helper printed")
	}
	for _, secret := range append(secrets, lab.Server.Token) {
		if strings.Contains(r.Stdout, secret) || strings.Contains(r.Stderr, secret) {
			t.Error("a secret got out")
		}
	}
}

// holds reports whether some file of the home has a text in it.
func holds(t *testing.T, lab *harness.Lab, text string) bool {
	t.Helper()
	found := false
	err := filepath.WalkDir(lab.Home, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && entry.Type().IsRegular() {
			found = found || strings.Contains(lab.Read(path), text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
