package config

import (
	"path/filepath"

	"github.com/forti-mcp/forti/core/fault"
)

// HomeVariable is the environment variable that selects another home.
const HomeVariable = "FORTI_HOME"

// ResolveHome says where configuration and state are: the value of --home, else
// FORTI_HOME, else .forti in the user's home directory. The path is absolute;
// isDefault reports whether it is that last one. It touches no file. Failures:
// config, where nothing says where the user's home directory is.
func ResolveHome(getenv func(name string) string, flag string) (path string, isDefault bool, err error) {
	usual := usualHome(getenv)
	chosen := flag
	if chosen == "" {
		chosen = getenv(HomeVariable)
	}
	if chosen == "" {
		chosen = usual
	}
	if chosen == "" {
		return "", false, fault.New(fault.Config, "the user's home directory is not known; set HOME, or name a directory with --home or %s", HomeVariable)
	}
	path, err = filepath.Abs(chosen)
	if err != nil {
		return "", false, fault.Wrap(err, fault.Config, "the current directory is not known; name the home directory from the root")
	}
	return path, path == usual, nil
}

// usualHome is "" where the user's home directory is not known.
func usualHome(getenv func(string) string) string {
	for _, name := range homeVariables() {
		if dir := getenv(name); filepath.IsAbs(dir) {
			return filepath.Join(dir, ".forti")
		}
	}
	return ""
}
