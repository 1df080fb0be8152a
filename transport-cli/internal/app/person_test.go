//go:build linux || darwin

package app

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// person runs the program at a pseudo-terminal and answers prompts as answer says.
func (l *lab) person(t *testing.T, answer func(prompt []string) string, args ...string) (screen string, exit int) {
	t.Helper()
	return l.talk(t, prompt, answer, args...)
}

// talk is person for prompts of another form.
func (l *lab) talk(t *testing.T, prompt *regexp.Regexp, answer func(prompt []string) string, args ...string) (screen string, exit int) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // a program that hangs is killed
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], args...)
	cmd.Env = append(os.Environ(), childVariable+"=1", "FORTI_HOME="+l.home, "NO_COLOR=1", "DBUS_SESSION_BUS_ADDRESS=")
	master, err := pty.StartWithSize(cmd, &pty.Winsize{Cols: 200, Rows: 50})
	if err != nil {
		t.Fatal(err)
	}
	defer master.Close() //nolint:errcheck // nothing is written any more
	var seen bytes.Buffer
	read, buffer := 0, make([]byte, 4096)
	for {
		n, err := master.Read(buffer)
		seen.Write(buffer[:n])
		if err != nil {
			break // the program is gone
		}
		if m := prompt.FindSubmatchIndex(seen.Bytes()[read:]); m != nil {
			groups := regexpGroups(seen.Bytes()[read:], m)
			read += m[1]
			if _, err := master.WriteString(answer(groups)); err != nil {
				t.Fatal(err)
			}
		}
	}
	return strings.ReplaceAll(seen.String(), "\r\n", "\n"), exitStatus(t, cmd.Wait())
}

// prompt is what the program asks at the end: what to type is between double blanks.
var prompt = regexp.MustCompile(`Type[^\n]*?  (\S+(?: \S+)?)  to [^\n]*: $`)

func regexpGroups(data []byte, at []int) []string {
	var groups []string
	for i := 0; i < len(at); i += 2 {
		groups = append(groups, string(data[at[i]:at[i+1]]))
	}
	return groups
}

func exitStatus(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return 0
}

func asAsked(groups []string) string { return groups[1] + "\n" }

func (l *lab) approvals(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(l.home, "state", "approvals", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestAPlanIsAppliedOnceAfterAPersonApprovedIt(t *testing.T) {
	l := newLab(t, profile.Guarded, nil)
	id := l.planned(t, twoAddresses)
	if _, errs, exit := l.forti(t, "", "apply", id); exit != 6 || !strings.Contains(errs, "forti plan approve "+id+" --home "+l.home) {
		t.Fatalf("exit status %d\n%s", exit, errs)
	}
	screen, exit := l.person(t, asAsked, "plan", "approve", id)
	if exit != 0 {
		t.Fatalf("exit status %d\n%s", exit, screen)
	}
	for _, text := range []string{"PLAN " + id, `CREATE firewall/address "one"`, "approved    plan " + id, "call forti_apply with this plan_id", "audit       "} {
		if !strings.Contains(screen, text) {
			t.Errorf("the screen does not say %q:\n%s", text, screen)
		}
	}
	out, errs, exit := l.forti(t, "", "apply", id)
	if exit != 0 || l.device.Writes() != 2 {
		t.Fatalf("exit status %d, %d writes\n%s%s", exit, l.device.Writes(), out, errs)
	}
	if _, _, exit := l.forti(t, "", "apply", id); exit != 6 || l.device.Writes() != 2 {
		t.Errorf("a second apply: exit status %d, %d writes", exit, l.device.Writes())
	}
	if out, errs, exit := l.forti(t, "", "audit", "verify"); exit != 0 {
		t.Errorf("exit status %d\n%s%s", exit, out, errs)
	}
}

func TestAnAnswerThatIsNotTheCodeApprovesNothing(t *testing.T) {
	for _, tt := range []struct {
		name, says string
		answer     func([]string) string
	}{
		{"a wrong code", "was not approved: wrong text three times", func([]string) string { return "AAAAAA\n" }},
		{"the end of input", "was not approved: end of input", func([]string) string { return "\x04" }},
		{"Ctrl-C", "was not approved: interrupted", func([]string) string { return "\x03" }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			l := newLab(t, profile.Guarded, nil)
			id := l.planned(t, twoAddresses)
			screen, exit := l.person(t, tt.answer, "plan", "approve", id)
			if exit != 5 || !strings.Contains(screen, tt.says) {
				t.Errorf("exit status %d\n%s", exit, screen)
			}
			if files := l.approvals(t); len(files) > 0 {
				t.Errorf("approvals: %v", files)
			}
			if _, _, exit := l.forti(t, "", "apply", id); exit != 6 {
				t.Errorf("the plan is applied: exit status %d", exit)
			}
			log, err := os.ReadFile(filepath.Join(l.home, "state", "audit.jsonl"))
			if err != nil || !bytes.Contains(log, []byte(`"event":"approval.refused"`)) {
				t.Errorf("the refusal is not recorded: %v\n%s", err, log)
			}
		})
	}
}

func TestAPlanThatIsExchangedWhileItsScreenIsOpenIsNotApproved(t *testing.T) {
	l := newLab(t, profile.Guarded, nil)
	id := l.planned(t, twoAddresses)
	other := l.planned(t, strings.ReplaceAll(twoAddresses, "192.0.2.1/32", "0.0.0.0/0"))
	screen, exit := l.person(t, func(groups []string) string {
		dir := filepath.Join(l.home, "state", "plans")
		data, err := os.ReadFile(filepath.Join(dir, other+".json"))
		if err != nil {
			t.Error(err)
		}
		if err := os.WriteFile(filepath.Join(dir, id+".json"), data, 0o600); err != nil {
			t.Error(err)
		}
		return asAsked(groups)
	}, "plan", "approve", id)
	if exit != 9 || len(l.approvals(t)) > 0 {
		t.Errorf("exit status %d, approvals %v\n%s", exit, l.approvals(t), screen)
	}
}

func TestAnUnknownCertificateIsPinnedByAPersonOnly(t *testing.T) {
	l := newLab(t, profile.Guarded, nil)
	args := []string{"configure", "new", "--host", l.server.Host, "--port", strings.TrimPrefix(l.server.Addr, l.server.Host+":"),
		"--mode", "read_only", "--token-file", filepath.Join(l.home, "..", "none"), "--no-test"}
	ask := func(typed string) (string, int) {
		return l.person(t, func([]string) string { return typed }, args...)
	}
	if screen, exit := ask("no\n"); exit != 5 || !strings.Contains(screen, "nothing was saved") {
		t.Errorf("exit status %d\n%s", exit, screen)
	}
	screen, exit := ask("yes\n")
	if exit != 0 || strings.Count(screen, l.server.PinSHA256) != 2 { // shown when asking, and as saved
		t.Errorf("exit status %d\n%s", exit, screen)
	}
	saved, err := os.ReadFile(filepath.Join(l.home, "config.json"))
	if err != nil || bytes.Count(saved, []byte(l.server.PinSHA256)) != 2 {
		t.Errorf("%v\n%s", err, saved)
	}
}

// A person is asked for what is missing; what is typed as a token is never shown, and a
// session without a keyring is told other sources.
func TestATokenThatIsTypedIsNotShown(t *testing.T) {
	l := newLab(t, profile.Guarded, nil)
	const token = "A-Token-Nobody-Sees-42"
	answers := []string{l.server.Host, "guarded", "keyring", token}
	screen, exit := l.talk(t, regexp.MustCompile(`(?:[a-z)] )?: $`), func([]string) string {
		next := answers[0]
		answers = answers[1:]
		return next + "\n"
	}, "configure", "new", "--port", strings.TrimPrefix(l.server.Addr, l.server.Host+":"), "--pin", l.server.PinSHA256)
	if exit != 3 || !strings.Contains(screen, "this session has no keyring") || len(answers) != 0 || !strings.Contains(screen, "guarded\n") {
		t.Errorf("exit status %d, %q not asked for\n%s", exit, answers, screen)
	}
	if strings.Contains(screen, token) {
		t.Errorf("the token is shown:\n%s", screen)
	}
}

// A key that is not the trusted one is trusted when a person says so, and then only.
func TestAReplacedKeyIsTrustedByAPersonOnly(t *testing.T) {
	l := newLab(t, profile.Guarded, nil)
	wrong := strings.Repeat("ab", 32)
	const name = "lab"
	if _, errs, exit := l.forti(t, "", "configure", name, "--pin", wrong); exit != 10 {
		t.Fatalf("exit status %d\n%s", exit, errs)
	}
	screen, exit := l.person(t, func([]string) string { return "no\n" }, "configure", name)
	if exit != 5 || !strings.Contains(screen, wrong) || !strings.Contains(screen, l.server.PinSHA256) || !strings.Contains(screen, "goes on trusting the pin "+wrong) {
		t.Errorf("exit status %d\n%s", exit, screen)
	}
	if _, _, exit := l.forti(t, "", "discover", "capabilities"); exit != 10 {
		t.Errorf("the refused key is trusted: exit status %d", exit)
	}
	if screen, exit := l.person(t, asAsked, "configure", name); exit != 0 {
		t.Errorf("exit status %d\n%s", exit, screen)
	}
	if _, errs, exit := l.forti(t, "", "discover", "capabilities"); exit != 0 {
		t.Errorf("the accepted key is not trusted: exit status %d\n%s", exit, errs)
	}
}

func TestTheDemonstrationAsksThePersonAtTheTerminal(t *testing.T) {
	l := &lab{home: filepath.Join(t.TempDir(), "home")}
	asked := 0
	screen, exit := l.person(t, func(groups []string) string { asked++; return asAsked(groups) }, "demo")
	if exit != 0 || asked != 2 || !strings.Contains(screen, "Every step did what it says.") {
		t.Errorf("exit status %d, asked %d times\n%s", exit, asked, screen)
	}
	screen, exit = l.person(t, func([]string) string { return "no\n" }, "demo")
	if exit != 5 || !strings.Contains(screen, "step 5 of the demonstration") {
		t.Errorf("exit status %d\n%s", exit, screen)
	}
	if _, err := os.Stat(l.home); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the demonstration touched the home: %v", err)
	}
}

func TestASignalEndsAnApplyBetweenTwoOperations(t *testing.T) {
	for name, signal := range map[string]syscall.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "HUP": syscall.SIGHUP} {
		t.Run(name, func(t *testing.T) { endedBetween(t, signal) })
	}
}

func endedBetween(t *testing.T, signal syscall.Signal) {
	l := newLab(t, profile.Autonomous, nil)
	id := l.planned(t, twoAddresses)
	hold := fortisim.NewHold(false)
	if _, err := l.device.Inject(fortisim.Rule{Match: fortisim.Match{Method: "POST"}, Do: hold}); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "apply", id, "-o", "json")
	cmd.Env = append(os.Environ(), childVariable+"=1", "FORTI_HOME="+l.home)
	var out bytes.Buffer
	cmd.Stdout = &out
	errs, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	<-hold.Held()
	if err := cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
	told := bufio.NewScanner(errs)
	for told.Scan() && !strings.HasPrefix(told.Text(), "interrupted: ") {
	}
	hold.Release() // the program knows of the signal; the first request goes on
	rest, err := io.ReadAll(errs)
	if err != nil {
		t.Fatal(err)
	}
	if exit := exitStatus(t, cmd.Wait()); exit != 12 {
		t.Errorf("exit status %d, want 12\n%s%s", exit, out.String(), rest)
	}
	for _, text := range []string{`"status":"verified"`, `"status":"not_attempted"`, `"code":"partial_failure"`} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("stdout does not say %s:\n%s", text, out.String())
		}
	}
	if l.device.Writes() != 1 {
		t.Errorf("%d writes, want 1", l.device.Writes())
	}
	log, err := os.ReadFile(filepath.Join(l.home, "state", "audit.jsonl"))
	if err != nil || !bytes.Contains(log, []byte(`"event":"apply.end"`)) {
		t.Errorf("the end is not recorded: %v\n%s", err, log)
	}
}

// A reader of the output that goes away must not end an apply in its middle.
func TestAnApplyGoesOnWhenNobodyReadsItsOutput(t *testing.T) {
	l := newLab(t, profile.Autonomous, nil)
	id := l.planned(t, twoAddresses)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, os.Args[0], "apply", id)
	cmd.Env = append(os.Environ(), childVariable+"=main", "FORTI_HOME="+l.home)
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if exit := exitStatus(t, cmd.Wait()); exit != 1 {
		t.Errorf("exit status %d, want 1: the result reached nobody", exit)
	}
	if out, _, exit := l.forti(t, "", "plan", "show", id); exit != 0 || !strings.Contains(out, "state       applied") || l.device.Writes() != 2 {
		t.Errorf("exit status %d, %d writes\n%s", exit, l.device.Writes(), out)
	}
}
