package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/printer"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

// switches is the file that is added to the package: it knows which fault is on.
const switches = `package %s

import (
	"os"
	"strconv"
	"strings"

	"github.com/forti-mcp/forti/core/plan"
)

var faultOn, _ = strconv.Atoi(os.Getenv("FAULT"))

func faultActive(n int) bool { return n == faultOn }

func faultText(n int, s string) string {
	if n == faultOn {
		return "\x00"
	}
	return s
}

func faultOption(n int, s string, i int) string {
	from, to := strings.IndexByte(s, '{'), strings.IndexByte(s, '}')
	if n != faultOn {
		return s
	}
	options := strings.Split(s[from+1:to], ",")
	options[i] = "\x00"
	return s[:from+1] + strings.Join(options, ",") + s[to:]
}

func faultTier(n int, t plan.Tier) plan.Tier {
	if n != faultOn {
		return t
	}
	if t == plan.High {
		return plan.Medium
	}
	return plan.High
}
`

func mutate(ctx context.Context, o options, out io.Writer) error {
	s, err := read(o.folder, o.except)
	if err != nil {
		return err
	}
	if o.list {
		var all strings.Builder
		for _, f := range s.faults {
			all.WriteString(f.name + "\n")
		}
		_, err := io.WriteString(out, all.String())
		return err
	}
	none, err := equivalents(o.equivalent)
	if err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "mutate")
	if err != nil {
		return err
	}
	return errors.Join(mutateIn(ctx, o, s, none, work, out), os.RemoveAll(work))
}

func mutateIn(ctx context.Context, o options, s *source, none map[string]bool, work string, out io.Writer) error {
	tests, err := build(ctx, s, o.folder, work)
	if err != nil {
		return err
	}
	if noticed, output := try(ctx, o, tests, 0); noticed {
		return fmt.Errorf("the tests fail without a fault:\n%s", output)
	}
	return report(out, s, none, tryAll(ctx, o, s, tests), o.every)
}

// build compiles the tests of the package with all faults in it.
func build(ctx context.Context, s *source, folder, work string) (string, error) {
	replace := map[string]string{}
	root, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	put := func(name string, data []byte) error {
		path := filepath.Join(work, name)
		replace[filepath.Join(root, name)] = path
		return os.WriteFile(path, data, 0o600)
	}
	for path, file := range s.files {
		file.Comments = nil // they would be printed at the wrong places
		var text bytes.Buffer
		if err := printer.Fprint(&text, s.fset, file); err != nil {
			return "", err
		}
		if err := put(filepath.Base(path), text.Bytes()); err != nil {
			return "", err
		}
		if err := put("faults_on.go", fmt.Appendf(nil, switches, file.Name.Name)); err != nil {
			return "", err
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(filepath.Join(work, "overlay.json"), overlay, 0o600); err != nil {
		return "", err
	}
	tests := filepath.Join(work, "faulty.test")
	c := exec.CommandContext(ctx, "go", "test", "-c", "-vet=off", "-overlay", filepath.Join(work, "overlay.json"), "-o", tests, "./"+filepath.ToSlash(folder)) // #nosec G204 -- the developer's own folder
	if output, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, output)
	}
	return tests, nil
}

// try runs the tests with one fault.
func try(ctx context.Context, o options, tests string, number int) (noticed bool, output []byte) {
	ctx, cancel := context.WithTimeout(ctx, o.timeout)
	defer cancel()
	c := exec.CommandContext(ctx, tests, "-test.failfast", "-test.skip=Noticed|Truth", "-rapid.checks=30", "-rapid.seed=1", "-rapid.nofailfile") // #nosec G204 -- built above
	c.Dir = o.folder
	c.Env = append(os.Environ(), "FAULT="+strconv.Itoa(number))
	output, err := c.CombinedOutput()
	return err != nil, output
}

// tryAll gives the numbers of the faults that no test noticed.
func tryAll(ctx context.Context, o options, s *source, tests string) map[int]bool {
	var (
		lock      sync.Mutex
		survivors = map[int]bool{}
		workers   sync.WaitGroup
		numbers   = make(chan int)
	)
	for range max(o.parallel, 1) {
		workers.Go(func() {
			for n := range numbers {
				if noticed, _ := try(ctx, o, tests, n); !noticed {
					lock.Lock()
					survivors[n] = true
					lock.Unlock()
				}
			}
		})
	}
	for _, f := range s.faults {
		if f.number%o.every == 0 && ctx.Err() == nil {
			numbers <- f.number
		}
	}
	close(numbers)
	workers.Wait()
	return survivors
}

// equivalents reads the faults that are none: a line for each, and its reason in the
// line above, which begins with "#".
func equivalents(path string) (map[string]bool, error) {
	data, err := os.ReadFile(path) // #nosec G304 -- the developer's own file
	if err != nil {
		return nil, err
	}
	out, reason := map[string]bool{}, false
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "#"):
			reason = true
		case line == "":
			reason = false
		case !reason:
			return nil, fmt.Errorf("%s: no reason for %q", path, line)
		default:
			out[line] = true
		}
	}
	return out, nil
}

var errSurvivors = errors.New("a fault that no test notices is a test that is missing")

// report prints what survived. A fault that is explained and noticed all the same is
// told as well: the explanation is wrong, or no longer needed.
func report(out io.Writer, s *source, none map[string]bool, survivors map[int]bool, every int) error {
	var unexplained int
	var text strings.Builder
	for _, f := range s.faults {
		switch {
		case survivors[f.number] && !none[f.name]:
			unexplained++
			text.WriteString("survives: " + f.name + "\n")
		case none[f.name] && !survivors[f.number] && f.number%every == 0:
			text.WriteString("explained, but noticed: " + f.name + "\n")
		}
	}
	fmt.Fprintf(&text, "%d faults, %d tried, %d survive, %d of them explained\n", len(s.faults), len(s.faults)/every, len(survivors), len(survivors)-unexplained)
	if _, err := io.WriteString(out, text.String()); err != nil {
		return err
	}
	if unexplained > 0 {
		return errSurvivors
	}
	return nil
}
