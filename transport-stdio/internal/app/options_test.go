package app

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"go.uber.org/zap/zapcore"
)

func TestOptions(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args string
		want Options
	}{
		"none": {"", Options{LogLevel: zapcore.WarnLevel}},
		"all": {"--read-only --profile a --profile=b.c --home /h --max-result-bytes 4000 --demo --log-level debug", Options{
			ReadOnly: true, Profiles: []string{"a", "b.c"}, Home: "/h", ResultBytes: 4000, Demo: true, LogLevel: zapcore.DebugLevel,
		}},
		"the largest budget": {"-max-result-bytes=1000000", Options{ResultBytes: 1000000, LogLevel: zapcore.WarnLevel}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := parse(strings.Fields(c.args))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got, cmpopts.IgnoreUnexported(Options{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestInvalidOptionsExitWith2AndSayWhy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"an unknown option":       {[]string{"--approve"}, "-approve"},
		"an argument":             {[]string{"--read-only", "serve"}, `unexpected argument "serve"`},
		"no number":               {[]string{"--max-result-bytes", "many"}, `"many"`},
		"a budget too small":      {[]string{"--max-result-bytes", "3999"}, "use 4000 to 1000000"},
		"a budget too large":      {[]string{"--max-result-bytes", "1000001"}, "use 4000 to 1000000"},
		"a budget of nothing":     {[]string{"--max-result-bytes", "0"}, "use 4000 to 1000000"},
		"a profile with a slash":  {[]string{"--profile", "a/b"}, "profile name"},
		"an empty home":           {[]string{"--home", ""}, "a path is needed"},
		"an unknown level":        {[]string{"--log-level", "loud"}, "debug, info, warn or error"},
		"an option without value": {[]string{"--home"}, "home"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out, errs bytes.Buffer
			status := Main(c.args, strings.NewReader(""), &out, &errs)
			if status != 2 || !strings.Contains(errs.String(), c.says) || out.Len() > 0 {
				t.Errorf("status %d, stdout %q, stderr %q", status, &out, &errs)
			}
		})
	}
}

func TestVersionAndHelpGoToStdout(t *testing.T) {
	t.Parallel()
	for arg, says := range map[string]string{"--version": "forti-mcp 0.1.0\n", "--help": usage, "-h": usage} {
		var out, errs bytes.Buffer
		if status := Main([]string{arg}, strings.NewReader(""), &out, &errs); status != 0 || out.String() != says || errs.Len() > 0 {
			t.Errorf("%s: status %d, stdout %q, stderr %q", arg, status, &out, &errs)
		}
		if status := Main([]string{arg}, strings.NewReader(""), closedWriter{}, io.Discard); status != 1 {
			t.Errorf("%s with stdout closed: status %d", arg, status)
		}
	}
}

type closedWriter struct{}

func (closedWriter) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

func TestHelpNamesEveryOption(t *testing.T) {
	t.Parallel()
	for _, option := range []string{"--read-only", "--profile", "--home", "--max-result-bytes", "--demo", "--log-level", "--version", "--help"} {
		if !strings.Contains(usage, option) {
			t.Errorf("nothing of %s", option)
		}
	}
}
