package argument_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/transport-cli/internal/argument"
)

func set(t *testing.T, args ...string) *argument.Set {
	t.Helper()
	flags := pflag.NewFlagSet("read", pflag.ContinueOnError)
	s := argument.New(flags, request.Read{}, "filter", "fields", "start", "count", "params", "vdom")
	if err := flags.Parse(args); err != nil {
		t.Fatal(err)
	}
	s.Put("resource", "firewall/address")
	return s
}

func TestFlagsBecomeTheRequest(t *testing.T) {
	for _, tt := range []struct {
		name string
		args []string
		want request.Read
	}{
		{"nothing given", nil, request.Read{}},
		{"lists: fields by comma, filters by repetition", []string{"--fields", "name,subnet", "--fields", "type", "--filter", "a==b,c==d", "--filter", "e==f"},
			request.Read{Fields: []string{"name", "subnet", "type"}, Filter: []string{"a==b,c==d", "e==f"}}},
		{"integers", []string{"--start", "3", "--count", "5"}, request.Read{Start: 3, Count: 5}},
		{"parameters keep the type they are written in", []string{"--param", "a=1", "--param", "b=true", "--param", "c=x=y", "--param", "d=1.5", "--param", "e="},
			request.Read{Params: map[string]any{"a": int64(1), "b": true, "c": "x=y", "d": "1.5", "e": ""}}},
		{"text", []string{"--vdom", "root"}, request.Read{VDOM: "root"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got request.Read
			if err := set(t, tt.args...).Decode(request.NewDecoder(), &got); err != nil {
				t.Fatal(err)
			}
			tt.want.Resource = "firewall/address"
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(operation.Key{})); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

func TestMistakesHaveTheirPlace(t *testing.T) {
	for _, tt := range []struct {
		name, pointer string
		args          []string
	}{
		{"a limit of the request", "/count", []string{"--count", "20000"}},
		{"an empty filter", "/filter/0", []string{"--filter", ""}},
		{"a parameter without a value", "--param", []string{"--param", "a"}},
		{"a parameter without a name", "--param", []string{"--param", "=1"}},
		{"a parameter given twice", "--param", []string{"--param", "a=1", "--param", "a=2"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var r request.Read
			err := set(t, tt.args...).Decode(request.NewDecoder(), &r)
			problems, _ := fault.From(err).Details["problems"].([]fault.Problem)
			if fault.CodeOf(err) != fault.Usage || len(problems) != 1 || problems[0].Pointer != tt.pointer {
				t.Errorf("%v, %v", err, problems)
			}
		})
	}
}

func TestHelpIsTheRequestsOwn(t *testing.T) {
	flags := pflag.NewFlagSet("x", pflag.ContinueOnError)
	argument.New(flags, request.Discover{}, "query", "kind", "live", "fields", "count")
	for _, f := range request.Describe(request.Discover{}) {
		flag := flags.Lookup(f.Name)
		if flag != nil && flag.Usage != f.Doc {
			t.Errorf("--%s says %q, the request %q", f.Name, flag.Usage, f.Doc)
		}
		if wanted := map[string]bool{"query": true, "kind": true, "live": true, "fields": true, "count": true}[f.Name]; wanted != (flag != nil) {
			t.Errorf("--%s: defined %v, want %v", f.Name, flag != nil, wanted)
		}
	}
}
