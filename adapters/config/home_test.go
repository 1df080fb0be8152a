package config_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/core/fault"
)

func TestResolveHome(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		env       map[string]string
		flag      string
		want      string
		isDefault bool
	}{
		"the usual place":                {map[string]string{"HOME": "/home/a"}, "", "/home/a/.forti", true},
		"the variable":                   {map[string]string{"HOME": "/home/a", "FORTI_HOME": "/srv/forti"}, "", "/srv/forti", false},
		"the flag wins":                  {map[string]string{"HOME": "/home/a", "FORTI_HOME": "/srv/forti"}, "/tmp/h", "/tmp/h", false},
		"the usual place, named":         {map[string]string{"HOME": "/home/a"}, "/home/a/./.forti/", "/home/a/.forti", true},
		"the usual place by variable":    {map[string]string{"HOME": "/home/a", "FORTI_HOME": "/home/a/.forti"}, "", "/home/a/.forti", true},
		"a relative flag":                {map[string]string{"HOME": "/home/a"}, "h", filepath.Join(here, "h"), false},
		"no home directory, but a flag":  {nil, "/tmp/h", "/tmp/h", false},
		"a relative HOME does not count": {map[string]string{"HOME": "a"}, "/tmp/h", "/tmp/h", false},
	} {
		t.Run(name, func(t *testing.T) {
			got, isDefault, err := config.ResolveHome(func(name string) string { return c.env[name] }, c.flag)
			if err != nil || got != c.want || isDefault != c.isDefault {
				t.Errorf("got %q, %v, %v", got, isDefault, err)
			}
		})
	}
	t.Run("nothing says where", func(t *testing.T) {
		for _, home := range []string{"", "relative"} {
			_, _, err := config.ResolveHome(func(name string) string { return map[string]string{"HOME": home}[name] }, "")
			if fault.CodeOf(err) != fault.Config {
				t.Errorf("got %v", err)
			}
		}
	})
}
