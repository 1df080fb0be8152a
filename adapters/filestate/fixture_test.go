//go:build linux || darwin

package filestate_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forti-mcp/forti/adapters/filestate"
	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// counting gives bytes that never repeat.
type counting struct{ n atomic.Uint64 }

func (c *counting) Bytes(n int) ([]byte, error) {
	b := binary.BigEndian.AppendUint64(nil, c.n.Add(1))
	return append(make([]byte, max(0, n-len(b))), b...)[:n], nil
}

// base is a fixed moment; ids and entries count from it.
var base = time.Date(2026, 10, 15, 10, 45, 12, 0, time.UTC)

func planID(n int) plan.ID {
	return plan.NewID(base.Add(time.Duration(n)*time.Second), [plan.RandomBytes]byte{1, 2, byte(n)})
}

func stored(n int) port.StoredPlan {
	file := []byte(`{"id":"` + planID(n).String() + `"}`)
	return port.StoredPlan{ID: planID(n), File: file, Digest: canon.Sum(file), Remarks: []byte(`{"reason":"why"}`)}
}

func entry(n int) audit.Entry {
	return audit.Entry{Event: audit.PlanCreated, At: base.Add(time.Duration(n) * time.Second), Program: "test", PID: 7, User: "alice", PlanID: planID(n)}
}

// home is a directory that no other user can write to, whatever the umask.
func home(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for at := dir; at != os.TempDir() && at != "/"; at = filepath.Dir(at) {
		if err := os.Chmod(at, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "home")
}

func open(t *testing.T, home string) *filestate.Store {
	t.Helper()
	s, err := filestate.Open(home, &counting{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func wantCode(t *testing.T, err error, code fault.Code) {
	t.Helper()
	if got := fault.CodeOf(err); got != code {
		t.Fatalf("error %v (%s), want %s", err, got, code)
	}
}

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// under lists everything below a directory, temporary names included.
func under(t *testing.T, dir string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
		if path != dir {
			names = append(names, strings.TrimPrefix(path, dir+"/"))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// log reads the whole audit log and verifies it.
func log(t *testing.T, s *filestate.Store) (records []audit.Record, report audit.Report) {
	t.Helper()
	ctx := context.Background()
	first, err := s.Audit().First(ctx)
	if err != nil {
		t.Fatal(err)
	}
	report, err = audit.Verify(first, s.Audit().Lines(ctx), func(r audit.Record) { records = append(records, r) })
	if err != nil {
		t.Fatal(err)
	}
	return records, report
}

func events(records []audit.Record) string {
	var list []string
	for _, r := range records {
		list = append(list, string(r.Event))
	}
	return strings.Join(list, " ")
}

// appendAll writes entries from..to.
func appendAll(t *testing.T, s *filestate.Store, from, to int) audit.Head {
	t.Helper()
	var head audit.Head
	for n := from; n <= to; n++ {
		var err error
		if head, err = s.Audit().Append(t.Context(), entry(n)); err != nil {
			t.Fatal(err)
		}
	}
	return head
}

// edit changes the audit log as somebody with an editor does.
func edit(t *testing.T, home string, change func(lines [][]byte) [][]byte) {
	t.Helper()
	path := filepath.Join(home, "state", "audit.jsonl")
	lines := bytes.SplitAfter(readFile(t, path), []byte("\n"))
	must(t, os.WriteFile(path, bytes.Join(change(lines[:len(lines)-1]), nil), 0o600))
}

func newStore(home string) *filestate.Store { return filestate.New(home, &counting{}, nil) }

func containsSecret(t *testing.T, path string) bool {
	t.Helper()
	return bytes.Contains(readFile(t, path), []byte("hunter2"))
}

type claimer struct {
	t *testing.T
	s *filestate.Store
}

func (c claimer) claim(n int) error {
	j, err := c.s.Journals().Claim(c.t.Context(), planID(n), []byte("claim\n"))
	if err != nil {
		return err
	}
	return j.Close()
}

func contextOf(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	return context.WithCancel(t.Context())
}
