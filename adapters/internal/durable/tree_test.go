//go:build linux || darwin

package durable_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/adapters/internal/durable"
	"github.com/forti-mcp/forti/adapters/internal/durable/durabletest"
)

type fixture struct {
	dir      string
	tree     durable.Tree
	recorder *durabletest.Recorder
}

func start(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{dir: t.TempDir(), recorder: &durabletest.Recorder{}}
	root, err := durable.OpenRoot(f.dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = root.Close() })
	f.tree = durable.New(f.recorder.Wrap(root))
	return f
}

func (f *fixture) path(name string) string { return filepath.Join(f.dir, name) }

func (f *fixture) write(t *testing.T, name, data string) {
	t.Helper()
	if err := os.WriteFile(f.path(name), []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) content(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return "(absent)"
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func (f *fixture) kinds() string {
	var kinds []string
	for _, c := range f.recorder.Calls() {
		kinds = append(kinds, string(c.Kind))
	}
	return strings.Join(kinds, " ")
}

func TestPublishingIsWriteSyncPublishSyncDirectory(t *testing.T) {
	for _, test := range []struct {
		name string
		do   func(durable.Tree) error
		want string
	}{
		{"a new file", func(tr durable.Tree) error { return tr.Create("a", durable.Bytes([]byte("x"))) },
			"create write sync link syncdir remove"},
		{"a replaced file", func(tr durable.Tree) error { return tr.Replace("a", durable.Bytes([]byte("x"))) },
			"create write sync rename syncdir"},
		{"a directory", func(tr durable.Tree) error { return tr.MakeDir("d") }, "mkdir syncdir"},
		{"a moved file", func(tr durable.Tree) error {
			return errors.Join(tr.Create("a", durable.Bytes(nil)), tr.Move("a", "b"))
		}, "create write sync link syncdir remove rename syncdir"},
		{"a removed file", func(tr durable.Tree) error {
			return errors.Join(tr.Replace("a", durable.Bytes(nil)), tr.Remove("a"))
		}, "create write sync rename syncdir remove syncdir"},
		{"a log", func(tr durable.Tree) error {
			log, err := tr.CreateLog("l", []byte("1\n"))
			if err != nil {
				return err
			}
			return errors.Join(log.Append([]byte("2\n")), log.Cut(2), log.Close())
		}, "create write sync link syncdir remove write sync truncate sync"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := start(t)
			if err := test.do(f.tree); err != nil {
				t.Fatal(err)
			}
			if got := f.kinds(); got != test.want {
				t.Errorf("calls:\n got %s\nwant %s", got, test.want)
			}
			f.recorder.Mark("the end")
			if problem := durabletest.Disorder(f.recorder.Calls()); problem != "" {
				t.Error(problem)
			}
		})
	}
}

func TestTheOrderCheckFindsBrokenOrders(t *testing.T) {
	call := func(kind durabletest.Kind, name, to string) durabletest.Call {
		return durabletest.Call{Kind: kind, Name: name, To: to, File: 1}
	}
	for _, test := range []struct {
		name  string
		calls []durabletest.Call
	}{
		{"published without a file sync", []durabletest.Call{call(durabletest.Create, ".tmp-1", ""), call(durabletest.Link, ".tmp-1", "a")}},
		{"no directory sync", []durabletest.Call{call(durabletest.Rename, ".tmp-1", "a"), call(durabletest.Mark, "done", "")}},
		{"removed without a directory sync", []durabletest.Call{call(durabletest.Remove, "a", ""), call(durabletest.Mark, "done", "")}},
		{"appended without a sync", []durabletest.Call{call(durabletest.Write, "a", ""), call(durabletest.Mark, "done", "")}},
	} {
		t.Run(test.name, func(t *testing.T) {
			if durabletest.Disorder(test.calls) == "" {
				t.Error("not found")
			}
		})
	}
}

func TestANewFileNeverReplacesOne(t *testing.T) {
	for _, test := range []struct {
		name  string
		setUp func(f *fixture) error
	}{
		{"a file", func(f *fixture) error { return os.WriteFile(f.path("a"), []byte("first"), 0o600) }},
		{"a dangling link", func(f *fixture) error { return os.Symlink("nowhere", f.path("a")) }},
		{"a directory", func(f *fixture) error { return os.Mkdir(f.path("a"), 0o700) }},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := start(t)
			if err := test.setUp(f); err != nil {
				t.Fatal(err)
			}
			if err := f.tree.Create("a", durable.Bytes([]byte("second"))); !errors.Is(err, fs.ErrExist) {
				t.Fatalf("error %v, want fs.ErrExist", err)
			}
			if names, _ := f.tree.Names("."); len(names) != 1 {
				t.Errorf("left behind: %v", names)
			}
		})
	}
}

func TestAmongManyCreatorsOneWins(t *testing.T) {
	f := start(t)
	var wins atomic.Int32
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			switch err := f.tree.Create("a", durable.Bytes([]byte("x"))); {
			case err == nil:
				wins.Add(1)
			case !errors.Is(err, fs.ErrExist):
				t.Error(err)
			}
		})
	}
	all.Wait()
	if wins.Load() != 1 {
		t.Errorf("%d creators won", wins.Load())
	}
}

func TestFilesAreForTheirOwnerOnly(t *testing.T) {
	f := start(t)
	if err := errors.Join(f.tree.MakeDir("d"), f.tree.Create("d/a", durable.Bytes(nil)), f.tree.Replace("d/b", durable.Bytes(nil))); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]fs.FileMode{"d": 0o700, "d/a": 0o600, "d/b": 0o600} {
		if info, err := f.tree.Lstat(name); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: mode %v, error %v, want %v", name, info.Mode(), err, want)
		}
	}
}

// failing makes the nth call of a kind fail.
func failing(kind durabletest.Kind, nth int, with error) func(durabletest.Call) error {
	return func(c durabletest.Call) error {
		if c.Kind != kind {
			return nil
		}
		if nth--; nth == 0 {
			return with
		}
		return nil
	}
}

func TestAFailedPublicationLeavesWhatWasThere(t *testing.T) {
	for _, kind := range []durabletest.Kind{durabletest.Create, durabletest.Write, durabletest.Sync, durabletest.Rename} {
		for _, cause := range []error{syscall.ENOSPC, syscall.EIO} {
			t.Run(string(kind)+" "+cause.Error(), func(t *testing.T) {
				f := start(t)
				f.write(t, "a", "old")
				f.recorder.Fault = failing(kind, 1, cause)
				err := f.tree.Replace("a", durable.Bytes([]byte("new")))
				if !errors.Is(err, cause) {
					t.Fatalf("error %v, want %v", err, cause)
				}
				if got := errors.Is(err, durable.ErrSync); got != (kind == durabletest.Sync) {
					t.Errorf("ErrSync: %v", got)
				}
				if got := f.content(t, "a"); got != "old" {
					t.Errorf("holds %q", got)
				}
				if names, _ := f.tree.Names("."); len(names) != 1 {
					t.Errorf("left behind: %v", names)
				}
			})
		}
	}
}

func TestAFailedSyncIsNotTriedAgain(t *testing.T) {
	for _, test := range []struct {
		name string
		kind durabletest.Kind
	}{{"of the file", durabletest.Sync}, {"of the directory", durabletest.SyncDir}} {
		t.Run(test.name, func(t *testing.T) {
			f := start(t)
			f.recorder.Fault = failing(test.kind, 1, syscall.EIO)
			if err := f.tree.Create("a", durable.Bytes([]byte("x"))); !errors.Is(err, durable.ErrSync) {
				t.Fatalf("error %v, want ErrSync", err)
			}
			if n := strings.Count(" "+f.kinds()+" ", " "+string(test.kind)+" "); n != 1 {
				t.Errorf("%d calls of %s", n, test.kind)
			}
		})
	}
}

func TestAFailingSourceLeavesNothing(t *testing.T) {
	f := start(t)
	broken := errors.New("the source broke")
	err := f.tree.Create("a", func(w io.Writer) error {
		_, _ = io.WriteString(w, "half")
		return broken
	})
	if !errors.Is(err, broken) {
		t.Fatal(err)
	}
	if names, _ := f.tree.Names("."); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
}

func TestSweepTakesLeftoversAndSparesWorkInProgress(t *testing.T) {
	f := start(t)
	f.write(t, ".tmp-dead", "secret")
	f.write(t, "kept", "data")
	if err := os.Symlink("kept", f.path(".tmp-link")); err != nil {
		t.Fatal(err)
	}
	err := f.tree.Create("a", func(w io.Writer) error {
		if _, err := w.Write([]byte("in progress")); err != nil {
			return err
		}
		return f.tree.Sweep(".")
	})
	if err != nil {
		t.Fatalf("the sweep disturbed a publication: %v", err)
	}
	got := map[string]string{}
	for _, name := range []string{"a", "kept", ".tmp-dead"} {
		got[name] = f.content(t, name)
	}
	want := map[string]string{"a": "in progress", "kept": "data", ".tmp-dead": "(absent)"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestALogTakesNothingAfterAnError(t *testing.T) {
	for _, kind := range []durabletest.Kind{durabletest.Write, durabletest.Sync} {
		t.Run(string(kind), func(t *testing.T) {
			f := start(t)
			log, err := f.tree.CreateLog("l", []byte("1\n"))
			if err != nil {
				t.Fatal(err)
			}
			f.recorder.Fault = failing(kind, 1, syscall.ENOSPC)
			if err := log.Append([]byte("two\n")); !errors.Is(err, syscall.ENOSPC) {
				t.Fatalf("error %v", err)
			}
			before := len(f.recorder.Calls())
			if err := log.Append([]byte("three\n")); !errors.Is(err, durable.ErrStopped) {
				t.Errorf("error %v, want ErrStopped", err)
			}
			if err := log.Cut(0); err == nil {
				t.Error("a stopped log was cut")
			}
			if after := len(f.recorder.Calls()); after != before {
				t.Errorf("%d calls after the error", after-before)
			}
			if bytes.Contains([]byte(f.content(t, "l")), []byte("three")) {
				t.Error("the line was written")
			}
		})
	}
}

func TestALockExcludesOthersUntilItsFileIsClosed(t *testing.T) {
	f := start(t)
	f.write(t, "lock", "")
	try := func(mode durable.LockMode) (durable.File, bool) {
		t.Helper()
		file, err := f.tree.OpenAppend("lock")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = file.Close() })
		got, err := durable.TryLock(file, mode)
		if err != nil {
			t.Fatal(err)
		}
		return file, got
	}
	holder, got := try(durable.Exclusive)
	if !got {
		t.Fatal("a free lock was refused")
	}
	if _, got := try(durable.Exclusive); got {
		t.Error("two hold it")
	}
	if _, got := try(durable.Shared); got {
		t.Error("a reader got in beside a writer")
	}
	if err := durable.Unlock(holder); err != nil {
		t.Fatal(err)
	}
	if _, got := try(durable.Shared); !got {
		t.Error("still held after being given back")
	}
	if _, got := try(durable.Shared); !got {
		t.Error("readers exclude each other")
	}
}
