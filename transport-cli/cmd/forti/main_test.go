package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/forti-mcp/forti/adapters/config"
	"github.com/forti-mcp/forti/core/profile"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"forti": main})
}

// Each script is one behaviour of the program, over a simulated FortiGate of its
// own. Commands besides the usual ones:
//
//	profile NAME MODE           writes a profile of the device into the configuration
//	exits N forti ARGS          runs the program, which must exit with N
//	planid VAR                  sets VAR to the plan_id in the last standard output
//	edit FILE OLD NEW           replaces a text in a file
//	cut FILE N                  takes the last N bytes off a file
//	mode FILE OCTAL             the file must have this mode
//	writes N                    the device must have received N writes
//	device put PATH KEY JSON    changes the device behind the program's back
//	device fault METHOD PATH STATUS | reset | redirect
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               setUp,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"profile": writeProfile, "exits": exits, "planid": planID, "edit": edit, "cut": cut, "writes": writes, "device": change, "mode": mode,
		},
	})
}

type lab struct {
	device *fortisim.Device
	server *fortisim.Server
}

// labKey is the key of the script's lab.
type labKey struct{}

// setUp starts a device and gives the script its address, pin and token. HOME is
// empty, and nothing of the real environment selects another one.
func setUp(env *testscript.Env) error {
	device, err := fortisim.New(nil)
	if err != nil {
		return err
	}
	server, err := device.Listen(context.Background(), "127.0.0.1:0")
	if err != nil {
		return err
	}
	env.Defer(func() { _ = server.Close() })
	env.Values[labKey{}] = &lab{device, server}
	home, temporary := filepath.Join(env.WorkDir, "home"), filepath.Join(env.WorkDir, "tmp")
	if err := errors.Join(os.MkdirAll(home, 0o700), os.MkdirAll(temporary, 0o700)); err != nil {
		return err
	}
	token := filepath.Join(env.WorkDir, "token")
	if err := os.WriteFile(token, []byte(server.Token+"\n"), 0o600); err != nil {
		return err
	}
	env.Setenv("HOME", home)
	env.Setenv("TMPDIR", temporary)
	env.Setenv("HOST", server.Host)
	env.Setenv("PORT", strconv.Itoa(server.Port))
	env.Setenv("PIN", server.PinSHA256)
	env.Setenv("TOKEN_FILE", token)
	env.Setenv("SIM_TOKEN", server.Token)
	return nil
}

func labOf(ts *testscript.TestScript) *lab { return ts.Value(labKey{}).(*lab) }

func usage(ts *testscript.TestScript, ok bool, text string) {
	if !ok {
		ts.Fatalf("usage: %s", text)
	}
}

func writeProfile(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 2, "profile NAME MODE")
	l := labOf(ts)
	file := config.Open(filepath.Join(ts.Getenv("HOME"), ".forti"))
	ts.Check(file.Update(context.Background(), func(d *config.Document) error {
		d.Profiles[args[0]] = config.Entry{
			Host: l.server.Host, Port: l.server.Port, Mode: profile.Mode(args[1]),
			Token: config.Source{File: ts.Getenv("TOKEN_FILE")}, TLS: config.TLS{PinSHA256: l.server.PinSHA256},
		}
		return nil
	}))
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) > 1, "exits N COMMAND ARGS")
	err := ts.Exec(args[1], args[2:]...)
	status := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		status = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if want, err := strconv.Atoi(args[0]); err != nil || status != want {
		ts.Fatalf("exit status %d, want %s", status, args[0])
	}
}

func planID(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 1, "planid VAR")
	var e struct {
		Data struct {
			PlanID string `json:"plan_id"`
		}
	}
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &e))
	if e.Data.PlanID == "" {
		ts.Fatalf("no plan_id in %s", ts.ReadFile("stdout"))
	}
	ts.Setenv(args[0], e.Data.PlanID)
}

func edit(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 3, "edit FILE OLD NEW")
	path, text := ts.MkAbs(args[0]), ts.ReadFile(args[0])
	if !strings.Contains(text, args[1]) {
		ts.Fatalf("%s does not hold %q", args[0], args[1])
	}
	ts.Check(os.WriteFile(path, []byte(strings.Replace(text, args[1], args[2], 1)), 0o600))
}

func cut(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 2, "cut FILE N")
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	text := ts.ReadFile(args[0])
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text[:len(text)-n]), 0o600))
}

func mode(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 2, "mode FILE OCTAL")
	info, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	if got := strconv.FormatUint(uint64(info.Mode().Perm()), 8); got != args[1] {
		ts.Fatalf("%s has mode %s, want %s", args[0], got, args[1])
	}
}

func writes(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 1, "writes N")
	if got := strconv.Itoa(labOf(ts).device.Writes()); got != args[0] {
		ts.Fatalf("the device received %s writes, want %s", got, args[0])
	}
}

func change(ts *testscript.TestScript, neg bool, args []string) {
	usage(ts, !neg && len(args) == 4, "device put PATH KEY JSON, or device fault METHOD PATH STATUS")
	device := labOf(ts).device
	if args[0] == "put" {
		var values map[string]any
		ts.Check(json.Unmarshal([]byte(args[3]), &values))
		ts.Check(device.Put("root", args[1], args[2], values))
		return
	}
	var do fortisim.Fault
	switch args[3] {
	case "reset":
		do = fortisim.ResetAfter{}
	case "redirect":
		do = fortisim.Redirect{To: "https://192.0.2.99/"}
	default:
		status, err := strconv.Atoi(args[3])
		ts.Check(err)
		do = fortisim.Answer{Status: status, Body: `{"http_status":` + args[3] + `,"status":"error"}`}
	}
	_, err := device.Inject(fortisim.Rule{Match: fortisim.Match{Method: args[1], Path: args[2]}, Do: do})
	ts.Check(err)
}
