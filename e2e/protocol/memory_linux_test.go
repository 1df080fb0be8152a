package protocol

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// most is how much a line of 200 MiB may make the process grow: 8 MiB, in KiB.
const most = 8 << 10

func TestALineOf200MiBIsDiscardedAsItArrives(t *testing.T) {
	t.Parallel()
	s := open(t, harness.Empty(t))
	s.send(t, modern("tools/list")+"\n")
	want(t, []string{s.line(t)}, "1 result")
	before := resident(t, s.cmd.Process.Pid, "VmRSS")
	block := strings.Repeat("x", 1<<20)
	s.send(t, `{"jsonrpc":"2.0","method":"ping","params":{"x":"`)
	for range 200 {
		s.send(t, block)
	}
	s.send(t, `"},"id":"last"}`+"\n"+ping+"\n")
	want(t, []string{s.line(t), s.line(t)}, `"last" -32600`, `"p" result`)
	if grown := resident(t, s.cmd.Process.Pid, "VmHWM") - before; grown >= most {
		t.Errorf("the process grew by %d KiB", grown)
	}
	s.end(t, 0)
}

// resident is a figure of a process's memory in KiB: VmRSS now, VmHWM at its most.
func resident(t *testing.T, pid int, name string) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), name+":")
	n, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		t.Fatal(err)
	}
	return n
}
