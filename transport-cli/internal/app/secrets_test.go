package app

import (
	"strings"
	"testing"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
	"github.com/forti-mcp/forti/fortios-client/fortisim/fortisimtest"
)

// Every secret attribute of every resource, and a secret in every free text, read and
// printed in every format, with the causes of what goes wrong.
func TestNoSecretOfTheCatalogIsPrintedInAnyFormat(t *testing.T) {
	var device fortisim.Options
	all := fortisimtest.Plant(t, &device)
	l := newLab(t, profile.Guarded, &device)
	err := config.Open(l.home).Update(t.Context(), func(d *config.Document) error {
		e := d.Profiles["lab"]
		e.MaxResultBytes = 1_000_000
		d.Profiles["lab"] = e
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	printed := 0
	for i, p := range all {
		lines := []string{"read " + p.Path, "read " + p.Path + " " + p.Key, "discover resource --live " + p.Path}
		if p.Key != "" {
			lines = append(lines, "read --all "+p.Path, "read "+p.Path+" none")
		}
		for j, line := range lines {
			format := []string{"table", "json", "yaml"}[(i+j)%3] // each resource in each of them
			out, errs, exit := l.forti(t, "", append(strings.Fields(line), "-v", "-o", format)...)
			if at := strings.Index(out+errs, fortisimtest.Mark); at >= 0 {
				t.Errorf("%s -o %s prints a secret: …%s", line, format, (out + errs)[max(0, at-80):at])
			}
			if exit == 0 && strings.Contains(out, "<redacted>") {
				printed++
			}
		}
	}
	if printed < len(all)*2 {
		t.Errorf("%d answers of %d resources show that something is masked", printed, len(all))
	}
	t.Logf("%d resources, %d answers with something masked", len(all), printed)
}
