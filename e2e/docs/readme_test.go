package docs

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/adapters/fortiosdevice"
	"github.com/forti-mcp/forti/e2e/internal/harness"
	"github.com/forti-mcp/forti/fortios-client/catalog"
)

func TestTheOperationsOfTheReadmeMakeAPlan(t *testing.T) {
	t.Parallel()
	text := page(t, "README.md")
	_, rest, found := strings.Cut(text, "<<'END'\n")
	operations, _, ends := strings.Cut(rest, "\nEND\n")
	if !found || !ends {
		t.Fatal("the README shows no operations")
	}
	lab := harness.New(t, nil)
	lab.Forti("plan", "create", "-f", lab.Write("ops.yaml", operations)).Must(0)
}

func TestTheSnippetOfTheReadmeIsWhatTheProgramPrints(t *testing.T) {
	t.Parallel()
	type servers struct {
		Servers map[string]struct {
			Command string
			Args    []string
		} `json:"mcpServers"`
	}
	var shown, printed servers
	lab := harness.Empty(t)
	for text, into := range map[string]*servers{
		only(t, "README.md", "json"): &shown, lab.Forti("mcp-config", "claude-desktop").Must(0).Stdout: &printed,
	} {
		if err := json.Unmarshal([]byte(text), into); err != nil {
			t.Fatal(err)
		}
	}
	server := printed.Servers["forti"]
	if len(server.Args) > 0 || !strings.HasSuffix(server.Command, "/forti-mcp") || !strings.HasSuffix(shown.Servers["forti"].Command, "/forti-mcp") {
		t.Errorf("the README shows %+v, the program prints %+v", shown, printed)
	}
}

func TestTheReadmeNamesEveryClient(t *testing.T) {
	t.Parallel()
	lab := harness.Empty(t)
	usage := help(lab, "mcp-config").section("Usage")[0]
	_, list, _ := strings.Cut(usage, "<")
	list, _, _ = strings.Cut(list, ">")
	want := strings.Split(list, "|")
	_, shown, _ := strings.Cut(page(t, "README.md"), "`forti mcp-config ")
	shown, _, _ = strings.Cut(shown, ")")
	got := strings.FieldsFunc(shown, func(r rune) bool { return strings.ContainsRune("`(, \n", r) })
	got = slices.DeleteFunc(got, func(word string) bool { return word == "or" })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("clients (-program +README):\n%s", diff)
	}
}

func TestTheReadmeCountsTheCatalog(t *testing.T) {
	info := fortiosdevice.NewCatalog(catalog.Open()).Info()
	want := fmt.Sprintf("catalog of %d resources and %d monitor endpoints", info.Tables+info.Singletons, info.Monitors)
	if !strings.Contains(page(t, "README.md"), want) {
		t.Errorf("the README does not say %q", want)
	}
}

func TestTheReadmeAsksForTheGoOfTheModules(t *testing.T) {
	asked := regexp.MustCompile(`With Go (1\.[0-9]+) or later`).FindStringSubmatch(page(t, "README.md"))
	work := regexp.MustCompile(`(?m)^go (1\.[0-9]+)\.`).FindStringSubmatch(page(t, "go.work"))
	if asked == nil || work == nil || asked[1] != work[1] {
		t.Errorf("the README asks for %v, the workspace for %v", asked, work)
	}
}
