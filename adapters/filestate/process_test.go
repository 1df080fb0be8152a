//go:build linux || darwin

package filestate_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/adapters/filestate"
	"github.com/forti-mcp/forti/core/fault"
)

// childHome is set where the test binary runs as another process on a home.
const childHome = "FILESTATE_TEST_CHILD_HOME"

func TestMain(m *testing.M) {
	if h := os.Getenv(childHome); h != "" {
		os.Exit(child(h, os.Args[1:]))
	}
	os.Exit(m.Run())
}

// child does what it is told to and says so on stdout; it begins, and ends, when
// stdin gives it a line.
func child(home string, args []string) int {
	ctx, stdin := context.Background(), bufio.NewReader(os.Stdin)
	s := filestate.New(home, &counting{}, nil)
	wait := func() { _, _ = stdin.ReadString('\n') }
	n, _ := strconv.Atoi(args[1])
	switch args[0] {
	case "lock":
		release, err := s.Locks().Lock(ctx, args[1])
		fmt.Println(word(err, "held"))
		wait()
		if err == nil {
			release()
		}
	case "claim":
		fmt.Println("ready")
		wait()
		_, err := s.Journals().Claim(ctx, planID(n), []byte("claim\n"))
		fmt.Println(word(err, "won"))
	case "append":
		fmt.Println("ready")
		wait()
		var err error
		for i := 0; i < n && err == nil; i++ {
			_, err = s.Audit().Append(ctx, entry(i))
		}
		fmt.Println(word(err, "done"))
	case "fill": // a backup that never ends
		_, err := s.Backups().Save(ctx, planID(n), func(w io.Writer) error {
			_, err := io.WriteString(w, "#config-version=half")
			fmt.Println(word(err, "filling"))
			wait()
			return err
		})
		fmt.Println(word(err, "saved"))
	}
	return 0
}

func word(err error, good string) string {
	if err != nil {
		return string(fault.CodeOf(err))
	}
	return good
}

// process is a child.
type process struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

func start(t *testing.T, home string, args ...string) *process {
	t.Helper()
	p := &process{t: t, cmd: exec.CommandContext(t.Context(), os.Args[0], args...)}
	p.cmd.Env = append(os.Environ(), childHome+"="+home)
	p.cmd.Stderr = os.Stderr
	out, err := p.cmd.StdoutPipe()
	must(t, err)
	p.out = bufio.NewReader(out)
	p.in, err = p.cmd.StdinPipe()
	must(t, err, p.cmd.Start())
	t.Cleanup(func() { _ = p.cmd.Wait() })
	return p
}

func (p *process) read() string {
	p.t.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil {
		p.t.Fatalf("the child ended: %v", err)
	}
	return strings.TrimSuffix(line, "\n")
}

func (p *process) expect(want string) {
	p.t.Helper()
	if got := p.read(); got != want {
		p.t.Fatalf("the child said %q, want %q", got, want)
	}
}

func (p *process) proceed() { _, _ = io.WriteString(p.in, "\n") }

// kill ends the child as kill -9 does.
func (p *process) kill() {
	p.t.Helper()
	must(p.t, p.cmd.Process.Kill())
	_ = p.cmd.Wait()
}

func TestOfTwoProcessesOneClaimsThePlan(t *testing.T) {
	h := home(t)
	children := []*process{start(t, h, "claim", "1"), start(t, h, "claim", "1"), start(t, h, "claim", "1")}
	for _, c := range children {
		c.expect("ready")
	}
	for _, c := range children {
		c.proceed()
	}
	said := map[string]int{}
	for _, c := range children {
		said[c.read()]++
	}
	if said["won"] != 1 || said["conflict"] != 2 {
		t.Errorf("the children said %v", said)
	}
}

func TestALockIsReleasedWhenItsProcessIsKilled(t *testing.T) {
	h := home(t)
	s := open(t, h)
	c := start(t, h, "lock", "device")
	c.expect("held")
	_, err := s.Locks().Lock(t.Context(), "device")
	wantCode(t, err, fault.Conflict)
	c.kill()
	release, err := s.Locks().Lock(t.Context(), "device")
	must(t, err)
	release()
}

func TestTwoProcessesWriteOneAuditChain(t *testing.T) {
	h := home(t)
	children := []*process{start(t, h, "append", "15"), start(t, h, "append", "15")}
	for _, c := range children {
		c.expect("ready")
	}
	for _, c := range children {
		c.proceed()
	}
	for _, c := range children {
		c.expect("done")
	}
	s := open(t, h)
	records, report := log(t, s)
	head, ok, err := s.Audit().Head(t.Context())
	must(t, err)
	anchor, anchored, err := s.Audit().Anchor(t.Context())
	must(t, err)
	if report.Broken() || len(records) != 30 || !ok || !anchored || head != anchor || head.Seq != 29 {
		t.Errorf("%+v, head %v, anchor %v", report, head, anchor)
	}
}

func TestABackupThatWasKilledIsNoBackupAndIsSwept(t *testing.T) {
	h := home(t)
	c := start(t, h, "fill", "1")
	c.expect("filling")
	dir := filepath.Join(h, "state/backups")
	open(t, h) // a sweep beside a living process
	if left := under(t, dir); len(left) != 1 {
		t.Fatalf("work in progress: %v", left)
	}
	c.kill()
	open(t, h)
	if left := under(t, dir); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}
