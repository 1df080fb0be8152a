package app

import (
	"flag"
	"fmt"
	"io"

	"go.uber.org/zap/zapcore"

	"github.com/forti-mcp/forti/core/profile"
)

const usage = `forti-mcp serves FortiGate firewalls to an MCP client over stdin and stdout.

Usage: forti-mcp [options]

  --read-only               offer forti_discover and forti_read only
  --profile NAME            show this profile only; may be given several times
  --home PATH               configuration and state (default: $FORTI_HOME, else ~/.forti)
  --max-result-bytes N      byte budget of one result, 4000 to 1000000
                            (default: the profile's, 40000 where it sets none)
  --demo                    serve an embedded simulated FortiGate as profile "demo"
  --log-level LEVEL         debug, info, warn or error, on stderr (default: warn)
  --version                 print the version and exit
  --help                    print this text and exit

Exit status: 0 when stdin closed or a signal asked for the end, 1 when stdin
cannot be read or stdout not written, 2 when the options are invalid.
`

// Options are the command line.
type Options struct {
	// ReadOnly offers and allows nothing that plans or applies.
	ReadOnly bool
	// Profiles are the only visible ones; empty: all.
	Profiles []string
	// Home is the folder of configuration and state; empty: the environment's or
	// the default one.
	Home string
	// ResultBytes caps every result; 0: the profile's own budget.
	ResultBytes int
	// Demo serves a simulated FortiGate.
	Demo bool
	// LogLevel is the least level that is logged.
	LogLevel zapcore.Level
	version  bool
}

// parse reads the command line. The error is flag.ErrHelp where help is asked for.
func parse(args []string) (Options, error) {
	o := Options{LogLevel: zapcore.WarnLevel}
	fs := flag.NewFlagSet(Name, flag.ContinueOnError)
	fs.SetOutput(io.Discard) // the caller reports the error
	fs.Usage = func() {}
	fs.BoolVar(&o.ReadOnly, "read-only", false, "")
	fs.Func("profile", "", o.addProfile)
	fs.Func("home", "", o.setHome)
	fs.IntVar(&o.ResultBytes, "max-result-bytes", 0, "")
	fs.BoolVar(&o.Demo, "demo", false, "")
	fs.Func("log-level", "", o.setLogLevel)
	fs.BoolVar(&o.version, "version", false, "")
	if err := fs.Parse(args); err != nil {
		return o, err
	}
	if fs.NArg() > 0 {
		return o, fmt.Errorf("unexpected argument %q", fs.Arg(0))
	}
	given := false
	fs.Visit(func(f *flag.Flag) { given = given || f.Name == "max-result-bytes" })
	if given && (o.ResultBytes < profile.MinResultBytes || o.ResultBytes > profile.MaxResultBytes) {
		return o, fmt.Errorf("--max-result-bytes %d: use %d to %d", o.ResultBytes, profile.MinResultBytes, profile.MaxResultBytes)
	}
	return o, nil
}

func (o *Options) addProfile(name string) error {
	o.Profiles = append(o.Profiles, name)
	return profile.CheckName(name)
}

func (o *Options) setHome(path string) error {
	if path == "" {
		return fmt.Errorf("a path is needed")
	}
	o.Home = path
	return nil
}

func (o *Options) setLogLevel(text string) error {
	for _, l := range []zapcore.Level{zapcore.DebugLevel, zapcore.InfoLevel, zapcore.WarnLevel, zapcore.ErrorLevel} {
		if l.String() == text {
			o.LogLevel = l
			return nil
		}
	}
	return fmt.Errorf("use debug, info, warn or error")
}
