// Package version is the command that says which build this is.
package version

import (
	"runtime"

	"github.com/spf13/cobra"

	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/view"
)

// Build says which build this is.
type Build struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// New makes the command.
func New(f *command.Frame, b Build) *cobra.Command {
	b.Go, b.Platform = runtime.Version(), runtime.GOOS+"/"+runtime.GOARCH
	return &cobra.Command{
		Use:   "version",
		Short: "Say which build this is",
		Args:  command.Arguments(0),
		RunE: func(*cobra.Command, []string) error {
			return f.Answer(b, nil, func(p *view.Page) { draw(p, b) })
		},
	}
}

func draw(p *view.Page, b Build) {
	p.Field("forti", b.Version)
	if b.Revision != "" {
		p.Field("revision", b.Revision)
	}
	p.Field("built with", b.Go+" "+b.Platform)
}
