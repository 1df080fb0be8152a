// Package argument turns the fields of a request into flags and back: names,
// help and checks come from the request's own struct, so that the command line
// cannot differ from what tools are offered.
package argument

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/request"
)

// Set gathers the fields of one request.
type Set struct {
	flags  *pflag.FlagSet
	fields map[string]request.Field
	names  map[string]string // field to flag
	given  map[string]any
}

// repeated are lists whose entries may hold commas; their flag is repeated.
// singular are fields whose flag gives one entry at a time.
var (
	repeated = map[string]bool{"filter": true}
	singular = map[string]string{"params": "param"}
)

// New defines a flag for each of the named fields of a request.
func New(flags *pflag.FlagSet, of any, names ...string) *Set {
	s := &Set{flags: flags, fields: map[string]request.Field{}, names: map[string]string{}, given: map[string]any{}}
	for _, f := range request.Describe(of) {
		s.fields[f.Name] = f
	}
	for _, name := range names {
		s.define(name, s.fields[name])
	}
	return s
}

func (s *Set) define(name string, f request.Field) {
	flag := name
	if one, ok := singular[name]; ok {
		flag = one
	}
	s.names[name] = flag
	switch f.Shape {
	case request.Integer:
		s.flags.Int(flag, 0, f.Doc)
	case request.Boolean:
		s.flags.Bool(flag, false, f.Doc)
	case request.List:
		if repeated[name] {
			s.flags.StringArray(flag, nil, f.Doc)
			return
		}
		s.flags.StringSlice(flag, nil, f.Doc)
	case request.Object:
		s.flags.StringArray(flag, nil, f.Doc+" As name=value; may be repeated.")
	case request.Text, request.KeyShape, request.Anything:
		s.flags.String(flag, "", f.Doc)
	}
}

// Put gives a field that is no flag, such as a positional argument. Empty texts
// count as left out.
func (s *Set) Put(name, value string) {
	if value != "" {
		s.given[name] = value
	}
}

// Decoder reads JSON arguments into a request and checks them.
type Decoder interface {
	Decode(data []byte, into any) error
}

// Decode fills a request with what was given and checks it as any request.
func (s *Set) Decode(d Decoder, into any) error {
	for name, flag := range s.names {
		if !s.flags.Changed(flag) {
			continue
		}
		v, err := s.value(name, flag)
		if err != nil {
			return err
		}
		s.given[name] = v
	}
	data, err := json.Marshal(s.given)
	if err != nil {
		return fault.Wrap(err, fault.Usage, "the arguments are not valid text")
	}
	return d.Decode(data, into)
}

func (s *Set) value(name, flag string) (any, error) {
	switch s.fields[name].Shape {
	case request.Integer:
		return s.flags.GetInt(flag)
	case request.Boolean:
		return s.flags.GetBool(flag)
	case request.List:
		return s.entries(flag), nil
	case request.Object:
		return object(flag, s.entries(flag))
	case request.Text, request.KeyShape, request.Anything:
	}
	return s.flags.GetString(flag)
}

// entries are a list flag's values as they were given: the set's own getters lose
// a single empty one.
func (s *Set) entries(flag string) []string {
	if v, ok := s.flags.Lookup(flag).Value.(pflag.SliceValue); ok {
		return v.GetSlice()
	}
	return nil
}

// object reads name=value pairs. A value that is written as a JSON integer or
// boolean is one; everything else is text.
func object(flag string, pairs []string) (map[string]any, error) {
	o := map[string]any{}
	for i, pair := range pairs {
		name, value, ok := strings.Cut(pair, "=")
		at := fmt.Sprintf("--%s", flag)
		if !ok || name == "" {
			return nil, problem(at, fmt.Sprintf("entry %d must be name=value", i+1))
		}
		if _, twice := o[name]; twice {
			return nil, problem(at, fmt.Sprintf("%q is given twice", name))
		}
		o[name] = value
		switch v, err := canon.Decode([]byte(value)); v.(type) {
		case int64, bool:
			if err == nil {
				o[name] = v
			}
		}
	}
	return o, nil
}

func problem(at, text string) *fault.Error {
	return fault.New(fault.Usage, "%s: %s", at, text).With("problems", []fault.Problem{{Pointer: at, Problem: text}})
}
