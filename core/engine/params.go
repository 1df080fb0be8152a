package engine

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/change"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/redact"
	"github.com/forti-mcp/forti/core/request"
	"github.com/forti-mcp/forti/core/schema"
	"github.com/forti-mcp/forti/core/wire"
)

// monitorCall checks a monitor read against the catalog, where that knows it.
func (e *Engine) monitorCall(r *schema.Resource, in request.Read, problems *fault.Problems) ([]wire.Pair, func(string) bool, error) {
	secret := map[string]bool{}
	checker := change.Checker{}
	params := in.Params
	if r != nil {
		call := getCall(r)
		if call == nil {
			return nil, nil, fault.New(fault.Usage, "/resource: %s cannot be read; it is an action for forti_plan", in.Resource)
		}
		if call.Reveals || call.Class == "file" {
			return nil, nil, fault.New(fault.PolicyDenied, "%s hands out secrets or files and is never read", in.Resource).With("reason", "reveals")
		}
		for _, p := range call.Params {
			secret[p.Name] = p.Secret
		}
		params = checker.Params(call, in.Params, "/params")
		*problems = append(*problems, checker.Problems...)
	}
	pairs := []wire.Pair{}
	for _, name := range canon.Keys(params) {
		at := fault.Pointer("params", name)
		why := unknownParam(name)
		if r != nil {
			why = knownParam(name, params[name], secret[name])
		}
		if why != "" {
			problems.Add(at, why)
			continue
		}
		pairs = append(pairs, wire.Pair{Name: name, Value: paramText(params[name], at, problems)})
	}
	names := func(name string) bool { return secret[name] || redact.SecretName(name) }
	return pairs, names, nil
}

func paramText(v any, at string, problems *fault.Problems) string {
	switch x := v.(type) {
	case string:
		return x
	case bool:
		return map[bool]string{true: "true", false: "false"}[x]
	case int64:
		return operation.IntegerKey(x).String()
	}
	problems.Add(at, "must be a string, an integer or a boolean")
	return ""
}

func getCall(r *schema.Resource) *schema.Call {
	for i := range r.Calls {
		if r.Calls[i].Method == "GET" && (r.Calls[i].Action == "" || r.Calls[i].Action == "select" || strings.HasSuffix(r.Path, "/"+r.Calls[i].Action)) {
			return &r.Calls[i]
		}
	}
	return nil
}

const secretParam = "is a secret, and none is sent in a read: its address is logged on the way; an action of a plan can"

// knownParam refuses what the catalog knows as a parameter and what could be used to
// guess a secret all the same.
func knownParam(name string, v any, secret bool) string {
	text, _ := v.(string)
	switch {
	case secret:
		return secretParam
	case firstWord(name) == "search":
		return "searches every value of the configuration, the secret ones too as far as is known, so that an answer would tell whether a guess is right; read the table with a filter"
	case narrows(name) && slices.ContainsFunc(strings.FieldsFunc(text, outsideName), redact.SecretName):
		return "names a secret, so that the answer would tell whether a guess about it is right"
	}
	return ""
}

// unknownParam refuses, for an endpoint that the catalog does not know, the parameters
// that FortiOS understands everywhere and that filter or order by what is masked, turn the
// read into something else, or leave the VDOM.
func unknownParam(name string) string {
	word := firstWord(name)
	whole := strings.ReplaceAll(strings.ToLower(name), "_", "-")
	switch {
	case !paramName().MatchString(name):
		return "is not the name of a parameter"
	case redact.SecretName(name):
		return secretParam
	case word == "vdom" || word == "vdoms" || word == "global" || word == "scope":
		return "is not passed on; name one VDOM in the field vdom"
	case word == "action":
		return "is not passed on; an action is the last part of the path"
	case narrows(name), slices.Contains([]string{"with-meta", "with-contents-hash", "exclude-default-values", "unfiltered-count"}, whole):
		return "is not passed on to an endpoint that the catalog does not know: it could be used to guess what is masked; read all of it"
	}
	return ""
}

// narrows reports whether a parameter chooses or orders by values.
func narrows(name string) bool {
	switch firstWord(name) {
	case "filter", "filters", "sort", "sortby", "sortkey", "order", "orderby", "search", "key", "pattern", "format", "datasource", "attr", "acs":
		return true
	}
	return false
}

func firstWord(name string) string {
	word, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(name), "_", "-"), "-")
	return word
}

func outsideName(r rune) bool {
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_'
}

var paramName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })
