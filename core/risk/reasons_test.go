package risk

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden file")

// TestAReasonSaysWhatWouldHappen: the reasons as a person reads them, one for each
// case of each rule, with the case above it.
func TestAReasonSaysWhatWouldHappen(t *testing.T) {
	var text strings.Builder
	for _, r := range append(slices.Clone(rules), rule{id: baseRule}) {
		fmt.Fprintf(&text, "== %s\n", r.id)
		for _, x := range trials {
			if x.rule != r.id || x.want == "" {
				continue
			}
			fmt.Fprintf(&text, "\n%s\n", x.what)
			v, _ := x.run()
			for _, reason := range v.Reasons {
				if reason.Rule == r.id {
					fmt.Fprintf(&text, "  %s: %s\n", strings.ToUpper(string(reason.Tier)), reason.Text)
				}
			}
		}
		fmt.Fprintln(&text)
	}
	golden(t, "reasons.golden", text.String())
}

// golden compares got with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll("testdata", 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path) // #nosec G304 -- a file of this test
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (run with -update and review the diff):\n%s", name, diff)
	}
}
