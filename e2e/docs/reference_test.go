package docs

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

var update = flag.Bool("update", false, "write the reference of docs/cli.md anew")

// manual is the help of a command, taken apart.
type manual struct {
	// path is the command with its words, such as "forti plan create".
	path string
	// text is all of it.
	text string
}

// help asks a command for its help.
func help(lab *harness.Lab, path ...string) manual {
	lab.TB.Helper()
	r := lab.Forti(append(path, "--help")...).Must(0)
	return manual{path: strings.Join(append([]string{"forti"}, path...), " "), text: r.Stdout}
}

// section is the lines of the help under a title, up to an empty line.
func (m manual) section(title string) []string {
	_, rest, found := strings.Cut(m.text, "\n"+title+":\n")
	if !found {
		return nil
	}
	body, _, _ := strings.Cut(rest, "\n\n")
	return strings.Split(strings.TrimRight(body, "\n"), "\n")
}

// below are the names of the commands under this one, without the help itself.
func (m manual) below() []string {
	var names []string
	for _, line := range m.section("Available Commands") {
		if name := strings.Fields(line)[0]; name != "help" {
			names = append(names, name)
		}
	}
	return names
}

// short is the line that the command above shows.
func (m manual) short(name string) string {
	for _, line := range m.section("Available Commands") {
		if words := strings.Fields(line); words[0] == name {
			return strings.Join(words[1:], " ")
		}
	}
	return ""
}

// flags are the lines of the command's own flags, without --help.
func (m manual) flags() []string {
	var lines []string
	for _, line := range m.section("Flags") {
		if !strings.Contains(line, "-h, --help") {
			lines = append(lines, line)
		}
	}
	return lines
}

// leaf is a command that does something, and what the one above says of it.
type leaf struct {
	manual
	words []string
	short string
}

// leaves walks the commands from the top. The scripts for shells are one command.
func leaves(lab *harness.Lab, path ...string) []leaf {
	lab.TB.Helper()
	at := help(lab, path...)
	var list []leaf
	for _, name := range at.below() {
		words := append(append([]string{}, path...), name)
		if m := help(lab, words...); len(m.below()) == 0 || name == "completion" {
			list = append(list, leaf{m, words, at.short(name)})
			continue
		}
		list = append(list, leaves(lab, words...)...)
	}
	return list
}

// reference writes what docs/cli.md says about both programs.
func reference(lab *harness.Lab) string {
	var b strings.Builder
	global := strings.Join(help(lab).flags(), "\n")
	b.WriteString("\nFlags of every `forti` command:\n\n```text\n" + global + "\n```\n")
	for _, l := range leaves(lab) {
		b.WriteString("\n### " + l.path + "\n\n" + l.short + ".\n\n```text\n")
		for _, line := range l.section("Usage") {
			b.WriteString(strings.TrimSuffix(strings.TrimSpace(line), " [flags]") + "\n")
		}
		for _, line := range l.flags() {
			b.WriteString(line + "\n")
		}
		b.WriteString("```\n")
	}
	b.WriteString("\n### forti-mcp\n\n```text\n" + lab.Pipe([]string{"--help"}).Must(0).Stdout + "```\n")
	return b.String()
}

const mark = "-update (in e2e). -->\n"

func TestTheReferenceIsTheHelpOfThePrograms(t *testing.T) {
	t.Parallel()
	want := reference(harness.Empty(t))
	text := page(t, "docs/cli.md")
	before, got, found := strings.Cut(text, mark)
	if !found {
		t.Fatal("docs/cli.md has lost its mark")
	}
	if *update {
		if err := os.WriteFile(filepath.Join(root, "docs", "cli.md"), []byte(before+mark+want), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/cli.md is not what the programs say (-program +page); run with -update:\n%s", diff)
	}
}

// known is what the programs understand: the flags of each command by its words,
// and those of forti-mcp under that name.
func known(lab *harness.Lab) map[string]map[string]bool {
	all := map[string]map[string]bool{}
	name := regexp.MustCompile(`(?:^|\s)(--?[A-Za-z][A-Za-z-]*)`)
	names := func(lines []string) map[string]bool {
		set := map[string]bool{}
		for _, line := range lines {
			head, _, _ := strings.Cut(strings.TrimSpace(line), "   ")
			for _, m := range name.FindAllStringSubmatch(head, -1) {
				set[m[1]] = true
			}
		}
		return set
	}
	global := help(lab).flags()
	for _, l := range leaves(lab) {
		all[l.path] = names(append(l.section("Flags"), global...))
	}
	all["forti-mcp"] = names(strings.Split(lab.Pipe([]string{"--help"}).Must(0).Stdout, "\n"))
	return all
}
