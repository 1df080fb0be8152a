package fortifx

import (
	"errors"
	"path/filepath"

	"go.uber.org/zap"

	"github.com/forti-mcp/forti/adapters/internal/shell"
	"github.com/forti-mcp/forti/core/engine"
)

// Options say what a program was started with.
type Options struct {
	// Home is the absolute path of configuration and state. Required.
	Home string
	// DefaultHome: Home is where a program looks that is told nothing. Otherwise
	// the commands that results name carry --home.
	DefaultHome bool
	// ReadOnly makes every device refuse writes, whatever asks for them.
	ReadOnly bool
	// Visible limits the profiles that callers see; empty means all.
	Visible []string
	// ResultBytes caps every result below the profile's budget; 0 for no cap.
	ResultBytes int
	// Version is the program's version, kept in plans and told to devices.
	Version string
	// Logger takes what Verbose shows; nil for nothing.
	Logger *zap.Logger
	// Verbose logs how the graph is put together.
	Verbose bool
}

func (o Options) check() error {
	if !filepath.IsAbs(o.Home) {
		return errors.New("fortifx: Home must be an absolute path")
	}
	return nil
}

func (o Options) engine() *engine.Options {
	return &engine.Options{
		Version: o.Version, CommandSuffix: Suffix(o.Home, o.DefaultHome), ResultBytes: o.ResultBytes, Visible: o.Visible,
	}
}

// Suffix is what a command needs to find the same home: "" where the home is the
// usual one.
func Suffix(home string, usual bool) string {
	if usual {
		return ""
	}
	return " --home " + shell.Quote(home)
}

// service names this home's entries in the keyring.
func (o Options) service() string {
	if o.DefaultHome {
		return "forti"
	}
	return "forti " + o.Home
}

func (o Options) userAgent() string {
	if o.Version == "" {
		return "forti"
	}
	return "forti/" + o.Version
}
