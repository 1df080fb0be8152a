// Package faultfile reads the faults of a simulated FortiGate from a YAML file.
//
// It is apart from package fortisim so that a program that only runs a device
// does not carry a YAML reader.
package faultfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/forti-mcp/forti/fortios-client/catalog"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// maxFaultFile and maxFaultRules bound a file of faults, in bytes and rules.
const (
	maxFaultFile  = 1 << 20
	maxFaultRules = 1000
)

// Parse reads a file of faults, in YAML: a list "faults" of rules, each
// with a "match" and a "do". The README of package fortisim shows every one. What is
// not known, or does not fit, is an error that names its line.
func Parse(raw []byte) ([]fortisim.Rule, error) {
	if len(raw) > maxFaultFile {
		return nil, fmt.Errorf("the file of faults is larger than %d bytes", maxFaultFile)
	}
	dec := yaml.NewDecoder(bytes.NewReader(raw))
	var document yaml.Node
	if err := dec.Decode(&document); err != nil {
		return nil, fmt.Errorf("the file of faults is not YAML: %w", err)
	}
	if err := dec.Decode(&yaml.Node{}); !errors.Is(err, io.EOF) {
		return nil, errors.New("the file of faults holds more than one document")
	}
	var list *yaml.Node
	if err := fields(document.Content[0], map[string]func(*yaml.Node) error{
		"faults": func(n *yaml.Node) error { list = n; return nil },
	}); err != nil {
		return nil, err
	}
	if list == nil || list.Kind != yaml.SequenceNode || len(list.Content) > maxFaultRules {
		return nil, at(document.Content[0], "faults must be a list of at most %d rules", maxFaultRules)
	}
	rules := make([]fortisim.Rule, 0, len(list.Content))
	for _, n := range list.Content {
		rule, err := readRule(n)
		if err != nil {
			return nil, err
		}
		rules = append(rules, rule)
	}
	return rules, nil
}

func at(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("line %d: %s", n.Line, fmt.Sprintf(format, args...))
}

// fields reads a mapping; a name that is not expected, or comes twice, is an
// error.
func fields(n *yaml.Node, known map[string]func(*yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return at(n, "a mapping of names to values is expected")
	}
	seen := map[string]bool{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		name := n.Content[i].Value
		read, ok := known[name]
		switch {
		case !ok:
			return at(n.Content[i], "%q is not known here", name)
		case seen[name]:
			return at(n.Content[i], "%q stands twice", name)
		}
		seen[name] = true
		if err := read(n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// into reads a scalar of a Go type.
func into[T any](to *T, check func(T) bool, want string) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		var v T
		if n.Kind != yaml.ScalarNode || n.Tag == "!!null" || n.Decode(&v) != nil || check != nil && !check(v) {
			return at(n, "%q is not %s", n.Value, want)
		}
		*to = v
		return nil
	}
}

func text(to *string) func(*yaml.Node) error { return into(to, nil, "a text") }
func truth(to *bool) func(*yaml.Node) error  { return into(to, nil, "true or false") }

func count(to *int) func(*yaml.Node) error {
	return into(to, func(n int) bool { return n >= 0 }, "a whole number, 0 or more")
}

func httpStatus(to *int) func(*yaml.Node) error {
	return into(to, func(n int) bool { return n >= 200 && n <= 599 }, "an HTTP status, 200 to 599")
}

func duration(to *time.Duration) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		d, err := time.ParseDuration(n.Value)
		if err != nil || d < 0 {
			return at(n, "%q is not a time such as 500ms or 2s", n.Value)
		}
		*to = d
		return nil
	}
}

func readRule(n *yaml.Node) (fortisim.Rule, error) {
	var rule fortisim.Rule
	m := &rule.Match
	err := fields(n, map[string]func(*yaml.Node) error{
		"match": func(n *yaml.Node) error {
			return fields(n, map[string]func(*yaml.Node) error{
				"method": into(&m.Method, isMethod, "GET, POST, PUT or DELETE"),
				"path":   text(&m.Path), "query": text(&m.Query),
				"nth": count(&m.Nth), "after": count(&m.After), "count": count(&m.Count),
			})
		},
		"do": func(n *yaml.Node) error {
			var err error
			rule.Do, err = readFault(n)
			return err
		},
	})
	if err == nil && rule.Do == nil {
		err = at(n, "a rule needs a fault in do")
	}
	return rule, err
}

func isMethod(m string) bool { return m == "GET" || m == "POST" || m == "PUT" || m == "DELETE" }

// simpleFaults need no values.
var simpleFaults = map[string]fortisim.Fault{
	"refuse": fortisim.Refuse{}, "reset-before": fortisim.ResetBefore{}, "reset-after": fortisim.ResetAfter{},
	"login-page": fortisim.LoginPage{}, "ignore-write": fortisim.IgnoreWrite{},
}

// readFault reads a name, or one name with values.
func readFault(n *yaml.Node) (fortisim.Fault, error) {
	if n.Kind == yaml.ScalarNode {
		switch {
		case simpleFaults[n.Value] != nil:
			return simpleFaults[n.Value], nil
		case n.Value == "lose-management":
			return fortisim.LoseManagement{}, nil
		}
		return nil, at(n, "%q is not a fault, or needs values", n.Value)
	}
	if n.Kind != yaml.MappingNode || len(n.Content) != 2 {
		return nil, at(n, "do must name one fault")
	}
	return readValues(n.Content[0], n.Content[1])
}

func readValues(name, n *yaml.Node) (fortisim.Fault, error) {
	type readers = map[string]func(*yaml.Node) error
	switch name.Value {
	case "latency":
		var f fortisim.Latency
		err := duration(&f.Wait)(n)
		return f, err
	case "serial":
		var f fortisim.Serial
		err := text(&f.Value)(n)
		return f, err
	case "hold":
		var when string
		err := into(&when, func(w string) bool { return w == "before" || w == "after" }, "before or after")(n)
		return fortisim.NewHold(when == "after"), err
	case "truncate":
		var f fortisim.Truncate
		err := fields(n, readers{"bytes": count(&f.Bytes)})
		return f, err
	case "answer":
		var f fortisim.Answer
		err := fields(n, readers{"status": httpStatus(&f.Status), "body": text(&f.Body), "content-type": text(&f.ContentType), "effect": truth(&f.Effect)})
		return f, err
	case "redirect":
		var f fortisim.Redirect
		err := fields(n, readers{"to": text(&f.To), "status": httpStatus(&f.Status)})
		return f, needed(n, err, f.To != "", "to")
	case "slow-drip":
		var f fortisim.SlowDrip
		err := fields(n, readers{"bytes": count(&f.Bytes), "wait": duration(&f.Wait)})
		return f, err
	case "shorten":
		var f fortisim.Shorten
		err := fields(n, readers{"attribute": text(&f.Attribute), "length": count(&f.Length)})
		return f, needed(n, err, f.Attribute != "", "attribute")
	case "drop-entry":
		var f fortisim.DropEntry
		err := fields(n, readers{"attribute": text(&f.Attribute), "key": text(&f.Key)})
		return f, needed(n, err, f.Attribute != "" && f.Key != "", "attribute and key")
	case "become":
		var f fortisim.Become
		err := fields(n, readers{"serial": into(&f.Serial, fortisim.IsSerial, "a serial number"), "version": release(&f.Version), "build": count(&f.Build)})
		return f, needed(n, err, f != fortisim.Become{}, "serial or version")
	case "lose-management":
		var f fortisim.LoseManagement
		err := fields(n, readers{"for": duration(&f.For), "answer": truth(&f.Answer)})
		return f, err
	}
	return nil, at(name, "%q is not a fault, or takes no values", name.Value)
}

func needed(n *yaml.Node, err error, ok bool, what string) error {
	if err == nil && !ok {
		return at(n, "the fault needs %s", what)
	}
	return err
}

func release(to *catalog.Version) func(*yaml.Node) error {
	return func(n *yaml.Node) error {
		v, err := catalog.ParseVersion(n.Value)
		if err != nil {
			return at(n, "%q is not a release such as 7.6.5", n.Value)
		}
		*to = v
		return nil
	}
}
