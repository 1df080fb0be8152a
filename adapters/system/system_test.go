package system_test

import (
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/forti-mcp/forti/adapters/system"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/port/porttest"
)

func TestTheClockKeepsItsContract(t *testing.T) {
	porttest.RunClock(t, porttest.ClockHarness{New: func(*testing.T) port.Clock { return system.Clock{} }})
}

func TestRandomKeepsItsContract(t *testing.T) {
	porttest.RunRandom(t, porttest.RandomHarness{New: func(*testing.T) port.Random { return system.Random{} }})
}

func TestNowSurvivesBeingStored(t *testing.T) {
	now := system.Clock{}.Now()
	stored, err := time.Parse(time.RFC3339Nano, now.Format(time.RFC3339Nano))
	if err != nil || now != stored {
		t.Errorf("%v became %v: %v", now, stored, err)
	}
}

func TestBootTellsBothOrNeither(t *testing.T) {
	id, since := system.Clock{}.Boot()
	if (id == "") != (since == 0) {
		t.Errorf("id %q, %v", id, since)
	}
	if id == "" && (runtime.GOOS == "linux" || runtime.GOOS == "darwin") {
		t.Error("this system tells neither")
	}
}

func TestLessThanNoRandomBytesIsAnError(t *testing.T) {
	if _, err := (system.Random{}).Bytes(-1); err == nil {
		t.Error("accepted")
	}
}

func TestTheProcessIsThisOne(t *testing.T) {
	p := system.Current()
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	if p.PID != os.Getpid() || p.UID != os.Geteuid() || p.Host != host {
		t.Errorf("%+v", p)
	}
}

func TestTheExecutableIsThisOne(t *testing.T) {
	path, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := system.Executable()
	if err != nil || got != canon.Sum(data) {
		t.Errorf("%s, %v, want %s", got, err, canon.Sum(data))
	}
}
