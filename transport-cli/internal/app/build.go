package app

import (
	"runtime/debug"

	"github.com/forti-mcp/forti/transport-cli/internal/command/version"
)

// number is the version of this program.
const number = "0.1.0"

// build says which build this is.
func build() version.Build {
	b := version.Build{Version: number}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			b.Revision = s.Value + b.Revision
		case s.Key == "vcs.modified" && s.Value == "true":
			b.Revision += " (modified)"
		}
	}
	return b
}
