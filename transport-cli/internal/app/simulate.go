package app

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/fortios-client/catalog"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
	"github.com/forti-mcp/forti/fortios-client/fortisim/faultfile"
	"github.com/forti-mcp/forti/transport-cli/internal/command"
	"github.com/forti-mcp/forti/transport-cli/internal/command/simulate"
)

// maxSimulatorFile bounds a file of faults or of a configuration, in bytes.
const maxSimulatorFile = 64 << 20

// simulate runs a simulated FortiGate as it was set up.
func (a *app) simulate(ctx context.Context, s simulate.Setup) (*simulate.Server, error) {
	options, log, err := simulated(s)
	if err != nil {
		return nil, err
	}
	device, err := fortisim.New(options)
	if err != nil {
		return nil, errors.Join(fault.Wrap(err, fault.Usage, "the simulated FortiGate cannot be set up so: %v", err), log.Close())
	}
	server, err := device.Listen(ctx, s.Listen)
	if err != nil {
		return nil, errors.Join(flagFault(err, "--listen", "cannot be listened on",
			"the simulated FortiGate cannot listen on %q; choose another address with --listen", s.Listen), log.Close())
	}
	return &simulate.Server{
		Host: server.Host, Port: server.Port, PinSHA256: server.PinSHA256, Token: server.Token, Serial: device.Serial(),
		Version: device.Version().String(),
		Close:   func() error { return errors.Join(server.Close(), log.Close()) },
	}, nil
}

// simulated turns a setup into options, and opens the file of requests.
func simulated(s simulate.Setup) (*fortisim.Options, io.Closer, error) {
	o := &fortisim.Options{}
	for _, set := range []func(*fortisim.Options, simulate.Setup) error{setRelease, setSeed, setConfig, setRecordings, setFaults} {
		if err := set(o, s); err != nil {
			return nil, nil, err
		}
	}
	log, err := observe(o, s)
	return o, log, err
}

func setRelease(o *fortisim.Options, s simulate.Setup) (err error) {
	if s.Release == "" {
		return nil
	}
	if o.Version, err = catalog.ParseVersion(s.Release); err != nil {
		return flagFault(err, "--release", "is not a release such as 7.4.8", "%q is not a FortiOS release; give one such as 7.4.8", s.Release)
	}
	return nil
}

func setSeed(o *fortisim.Options, s simulate.Setup) error {
	if s.Seed == "" {
		return nil
	}
	seed, ok := fortisim.NamedSeed(s.Seed)
	if !ok {
		return flagFault(nil, "--seed", `must be "branch" or "factory"`, "there is no first configuration %q; choose branch or factory", s.Seed)
	}
	o.Seed = seed
	return nil
}

// setConfig puts a configuration file on top of the first configuration.
func setConfig(o *fortisim.Options, s simulate.Setup) error {
	if s.Config == "" {
		return nil
	}
	raw, err := command.ReadFile(s.Config, "--config", maxSimulatorFile)
	if err != nil {
		return err
	}
	file, err := fortisim.ConfigFile(raw, s.Skipped)
	if err != nil {
		return flagFault(err, "--config", err.Error(), "%s cannot be loaded: %v", s.Config, err)
	}
	first := o.Seed
	if first == nil {
		first = fortisim.Branch
	}
	o.Seed = func(d *fortisim.Device) error {
		if err := first(d); err != nil {
			return err
		}
		return file(d)
	}
	return nil
}

func setRecordings(o *fortisim.Options, s simulate.Setup) error {
	if s.Recordings == "" {
		return nil
	}
	folder, err := os.OpenRoot(s.Recordings)
	if err != nil {
		return command.FileFault(err, s.Recordings, "--recordings")
	}
	defer func() { _ = folder.Close() }()
	if o.Recordings, err = fortisim.LoadRecordings(folder.FS()); err != nil {
		return flagFault(err, "--recordings", err.Error(), "the recordings in %s cannot be used: %v", s.Recordings, err)
	}
	return nil
}

func setFaults(o *fortisim.Options, s simulate.Setup) error {
	if s.Faults == "" {
		return nil
	}
	raw, err := command.ReadFile(s.Faults, "--faults", maxSimulatorFile)
	if err != nil {
		return err
	}
	if o.Faults, err = faultfile.Parse(raw); err != nil {
		return flagFault(err, "--faults", err.Error(), "the faults in %s cannot be used: %v", s.Faults, err)
	}
	return nil
}

// observe lets a device note its requests in a new file, which holds what was
// sent, passwords included, and is the user's alone.
func observe(o *fortisim.Options, s simulate.Setup) (io.Closer, error) {
	path := s.Requests
	if path == "" {
		return io.NopCloser(nil), nil
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600) // #nosec G304 -- the person names the file
	if err != nil {
		return nil, command.FileFault(err, path, "--requests")
	}
	lines := json.NewEncoder(file)
	lines.SetEscapeHTML(false)
	o.Observe = func(r fortisim.RequestRecord) {
		err := lines.Encode(noted{Method: r.Method, Path: r.Path, Query: r.Query, Body: string(r.Body), Write: r.Write})
		if err != nil {
			s.Unnoted(err)
		}
	}
	return file, nil
}

// noted is a line of the file of requests.
type noted struct {
	Method string `json:"method"`
	Path   string `json:"path"`
	Query  string `json:"query,omitempty"`
	Body   string `json:"body,omitempty"`
	Write  bool   `json:"write"`
}

// flagFault is a flag's value that cannot be used.
func flagFault(cause error, flag, problem, format string, args ...any) error {
	return fault.Wrap(cause, fault.Usage, format, args...).With("problems", []fault.Problem{{Pointer: flag, Problem: problem}})
}
