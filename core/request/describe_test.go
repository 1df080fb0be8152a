package request

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

func TestRequestsAreDescribedAsTheyAreChecked(t *testing.T) {
	var b strings.Builder
	for _, r := range []any{Discover{}, Read{}, Plan{}, Apply{}} {
		fmt.Fprintf(&b, "%T\n", r)
		write(&b, Describe(r), "  ")
	}
	golden := filepath.Join("testdata", "describe.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), b.String()); diff != "" {
		t.Errorf("description (-want +got); run with -update if it is meant:\n%s", diff)
	}
}

// write renders fields one a line, what they hold indented below.
func write(b *strings.Builder, fields []Field, indent string) {
	for _, f := range fields {
		fmt.Fprintf(b, "%s%s: %s\n", indent, f.Name, shape(f))
		if f.Doc != "" {
			fmt.Fprintf(b, "%s    %s\n", indent, f.Doc)
		}
		for _, below := range []*Field{f.Item, f.Values} {
			if below != nil {
				fmt.Fprintf(b, "%s  each: %s\n", indent, shape(*below))
				write(b, below.Fields, indent+"    ")
			}
		}
		write(b, f.Fields, indent+"  ")
	}
}

func shape(f Field) string {
	words := []string{string(f.Shape)}
	if f.Required {
		words = append(words, "required")
	}
	if f.Min != nil {
		words = append(words, fmt.Sprint("min ", *f.Min))
	}
	if f.Max != nil {
		words = append(words, fmt.Sprint("max ", *f.Max))
	}
	if f.Options != nil {
		words = append(words, "one of "+strings.Join(f.Options, " "))
	}
	return strings.Join(words, ", ")
}

// Every field has a text for the reader, and a name in snake case.
func TestEveryFieldIsDocumented(t *testing.T) {
	for _, r := range []any{Discover{}, Read{}, Plan{}, Apply{}} {
		checkDocs(t, fmt.Sprintf("%T", r), Describe(r))
	}
}

func checkDocs(t *testing.T, at string, fields []Field) {
	t.Helper()
	for _, f := range fields {
		at := at + "/" + f.Name
		if f.Name == "" || strings.ToLower(f.Name) != f.Name || !strings.HasSuffix(f.Doc, ".") {
			t.Errorf("%s: name or text is missing: %q", at, f.Doc)
		}
		checkDocs(t, at, f.Fields)
		if f.Item != nil {
			checkDocs(t, at, f.Item.Fields)
		}
	}
}
