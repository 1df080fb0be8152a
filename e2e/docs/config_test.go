package docs

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/profile"
)

func TestTheConfigurationOnThePageIsAccepted(t *testing.T) {
	d, err := config.Decode([]byte(only(t, "docs/config.md", "json")))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Profiles) != 1 || d.Profiles[d.DefaultProfile].Mode != profile.Guarded {
		t.Errorf("%+v", d)
	}
}

var permitted = regexp.MustCompile(`unknown key; the keys here are (.*)$`)

// keys are those that the configuration takes at a place, as it lists them itself.
func keys(t *testing.T, text, pointer string) []string {
	t.Helper()
	_, err := config.Decode([]byte(text))
	problems, _ := fault.From(err).Details["problems"].([]fault.Problem)
	for _, p := range problems {
		if m := permitted.FindStringSubmatch(p.Problem); m != nil && p.Pointer == pointer {
			return strings.Split(m[1], ", ")
		}
	}
	t.Fatalf("%s has no unknown key: %v", pointer, err)
	return nil
}

func TestThePageNamesEveryKeyAndNoOther(t *testing.T) {
	text := page(t, "docs/config.md")
	start := strings.Index(text, "Top level:")
	top, _, _ := strings.Cut(text[start:], "\n\n")
	for _, c := range []struct {
		at, text string
		page     []string
	}{
		{"/profiles/p/zzz", `{"version":1,"profiles":{"p":{"zzz":1}}}`, column(t, "| key of a profile | default | meaning |")},
		{"/secrets/s/zzz", `{"version":1,"secrets":{"s":{"zzz":1}}}`, column(t, "| source | what |")},
		{"/zzz", `{"zzz":1}`, pick(quoted(top), "version", "default_profile", "profiles", "secrets", "state")},
		{"/state/zzz", `{"version":1,"state":{"zzz":1}}`, pick(quoted(top), "allow_network_filesystem")},
		{"/profiles/p/tls/zzz", `{"version":1,"profiles":{"p":{"tls":{"zzz":1}}}}`, pick(row(t, "tls"), "ca_file", "pin_sha256")},
		{"/profiles/p/approval/zzz", `{"version":1,"profiles":{"p":{"approval":{"zzz":1}}}}`, pick(row(t, "approval"), "signers", "required")},
	} {
		slices.Sort(c.page)
		if diff := cmp.Diff(keys(t, c.text, c.at), c.page); diff != "" {
			t.Errorf("keys beside %s (-program +page):\n%s", c.at, diff)
		}
	}
}

// column is the names in the first column of a table of docs/config.md.
func column(t *testing.T, heading string) []string {
	t.Helper()
	var names []string
	for _, cells := range table(t, "docs/config.md", heading) {
		names = append(names, quoted(cells[0])...)
	}
	return names
}

// row is the names in the meaning of a key of a profile.
func row(t *testing.T, key string) []string {
	t.Helper()
	for _, cells := range table(t, "docs/config.md", "| key of a profile | default | meaning |") {
		if cells[0] == "`"+key+"`" {
			return quoted(cells[2])
		}
	}
	t.Fatalf("the page has no key %s", key)
	return nil
}

// pick is those of the wanted words that are there.
func pick(words []string, wanted ...string) []string {
	var found []string
	for _, w := range wanted {
		if slices.Contains(words, w) {
			found = append(found, w)
		}
	}
	return found
}

func TestTheDefaultsOfThePageAreThoseOfTheProgram(t *testing.T) {
	home := filepath.Join(t.TempDir(), "home")
	if err := os.Mkdir(home, 0o700); err != nil {
		t.Fatal(err)
	}
	least := `{"version":1,"profiles":{"p":{"host":"192.0.2.1","mode":"guarded","token":{"env":"T"}}}}`
	if err := os.WriteFile(filepath.Join(home, "config.json"), []byte(least), 0o600); err != nil {
		t.Fatal(err)
	}
	list, _, err := config.Open(home).List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := list[0]
	want := map[string]string{
		"port": strconv.Itoa(p.Port), "vdom": p.VDOM, "timeout": p.Timeout.String(), "backup_before_critical": strconv.FormatBool(!p.NoBackup),
		"max_result_bytes": strconv.Itoa(p.ResultBytes), "max_operations": strconv.Itoa(p.MaxOperations),
		"host": "required", "mode": "required", "token": "required", "tls": p.Trust + " roots",
	}
	for _, cells := range table(t, "docs/config.md", "| key of a profile | default | meaning |") {
		key := quoted(cells[0])[0]
		if value, fixed := want[key]; fixed && strings.Trim(cells[1], "`") != value {
			t.Errorf("%s: the page says %s, the program %s", key, cells[1], value)
		}
		delete(want, key)
	}
	if len(want) > 0 {
		t.Errorf("the page lacks %v", want)
	}
}
