package bench

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

func TestMain(m *testing.M) {
	status := harness.Main(m)
	if others.dir != "" {
		_ = os.RemoveAll(others.dir)
	}
	os.Exit(status)
}

const (
	initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"0"}}}` +
		"\n" + `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	// list and call lack the beginning, which numbers them: see numbered.
	list = `"method":"tools/list"}` + "\n"
	call = `"method":"tools/call","params":{"name":"forti_discover","arguments":{"what":"devices"}}}` + "\n"
)

// numbered is a request with an id of its own: servers may mix up two of the same.
func numbered(request string, id int) string {
	return `{"jsonrpc":"2.0","id":` + strconv.Itoa(id) + `,` + request
}

// program is one of those that are compared.
type program struct {
	name    string
	command func() *exec.Cmd
}

// programs are forti-mcp, which serves a simulated device's profile, and the others,
// which give the same answers.
func programs(b *testing.B) []program {
	b.Helper()
	lab := harness.New(b, nil)
	others.once.Do(func() { others.build(b, lab) })
	list := []program{{"forti-mcp", func() *exec.Cmd { return lab.Command("forti-mcp") }}}
	for _, name := range []string{"gosdk", "mcpgo"} {
		list = append(list, program{name, func() *exec.Cmd {
			return exec.CommandContext(b.Context(), filepath.Join(others.dir, name)) //nolint:gosec // built here
		}})
	}
	return list
}

// others holds the folder of the two other programs, built once.
var others builds

type builds struct {
	once sync.Once
	dir  string
}

// build links both programs with what forti-mcp answers.
func (o *builds) build(b *testing.B, lab *harness.Lab) {
	b.Helper()
	lines := strings.SplitAfter(lab.Pipe(nil, strings.TrimSpace(initialize+numbered(list, 1)+numbered(call, 2))).Must(0).Stdout, "\n")
	var said [3]struct {
		Result struct {
			Tools, StructuredContent json.RawMessage
			Instructions             string
		}
	}
	for i := range said {
		if err := json.Unmarshal([]byte(lines[i]), &said[i]); err != nil {
			b.Fatal(err)
		}
	}
	flags := ""
	for name, value := range map[string][]byte{
		"instructions": []byte(said[0].Result.Instructions), "tools": said[1].Result.Tools, "answer": said[2].Result.StructuredContent,
	} {
		flags += " -X main." + name + "=" + base64.StdEncoding.EncodeToString(value)
	}
	dir, err := os.MkdirTemp("", "forti-bench-")
	if err != nil {
		b.Fatal(err)
	}
	o.dir = dir
	for _, name := range []string{"gosdk", "mcpgo"} {
		if out, err := exec.CommandContext(b.Context(), "go", "build", "-ldflags", flags, "-o", dir, "./"+name).CombinedOutput(); err != nil { //nolint:gosec // programs of this folder
			b.Fatalf("%v\n%s", err, out)
		}
	}
}
