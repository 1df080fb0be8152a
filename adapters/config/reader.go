package config

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
)

// reader collects all problems of one file.
type reader struct{ problems fault.Problems }

// member takes the value of one member.
type member func(at string, v any)

type members map[string]member

func (r *reader) add(at, problem string) { r.problems.Add(at, problem) }

func (r *reader) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	texts := make([]string, 0, len(r.problems))
	for _, p := range r.problems {
		texts = append(texts, p.String())
	}
	return fault.New(fault.Config, "%s cannot be used: %s", fileName, strings.Join(texts, "; ")).
		With("problems", []fault.Problem(r.problems))
}

// object hands each member to its taker and reports unknown and missing ones.
func (r *reader) object(at string, v any, known members, required ...string) {
	o, ok := v.(map[string]any)
	if !ok {
		r.add(at, "must be an object")
		return
	}
	for _, name := range canon.Keys(o) {
		if take, ok := known[name]; ok {
			take(at+fault.Pointer(name), o[name])
			continue
		}
		r.add(at+fault.Pointer(name), "is an unknown key; the keys here are "+strings.Join(slices.Sorted(maps.Keys(known)), ", "))
	}
	for _, name := range required {
		if _, ok := o[name]; !ok {
			r.add(at+fault.Pointer(name), "is required")
		}
	}
}

// each hands the members of an object with free names to take.
func (r *reader) each(take func(at, name string, v any)) member {
	return func(at string, v any) {
		o, ok := v.(map[string]any)
		if !ok {
			r.add(at, "must be an object")
			return
		}
		for _, name := range canon.Keys(o) {
			if problem := checkName(name); problem != "" {
				r.add(at+fault.Pointer(name), problem)
				continue
			}
			take(at+fault.Pointer(name), name, o[name])
		}
	}
}

// text reads a text; check gives what is wrong with it, or "".
func (r *reader) text(into *string, check func(string) string) member {
	return func(at string, v any) {
		s, ok := v.(string)
		if !ok {
			r.add(at, "must be a text")
			return
		}
		if problem := check(s); problem != "" {
			r.add(at, problem)
			return
		}
		*into = s
	}
}

// maxList bounds every list.
const maxList = 256

func (r *reader) texts(into *[]string, check func(string) string) member {
	return func(at string, v any) {
		list, ok := v.([]any)
		if !ok || len(list) > maxList {
			r.add(at, fmt.Sprintf("must be a list of at most %d texts", maxList))
			return
		}
		for i, item := range list {
			var s string
			r.text(&s, check)(at+fault.Pointer(i), item)
			*into = append(*into, s)
		}
	}
}

func (r *reader) truth(into *bool) member {
	return func(at string, v any) {
		b, ok := v.(bool)
		if !ok {
			r.add(at, "must be true or false")
			return
		}
		*into = b
	}
}

func (r *reader) number(into *int, least, most int64) member {
	return func(at string, v any) {
		n, ok := v.(int64)
		if !ok || n < least || n > most {
			r.add(at, fmt.Sprintf("must be a whole number from %d to %d", least, most))
			return
		}
		*into = int(n)
	}
}

// The bounds of a time limit.
const (
	minTimeout = time.Second
	maxTimeout = 10 * time.Minute
)

func (r *reader) duration(into *time.Duration) member {
	return func(at string, v any) {
		s, _ := v.(string)
		d, err := time.ParseDuration(s)
		if err != nil || d < minTimeout || d > maxTimeout {
			r.add(at, `must be a time such as "30s", from 1s to 10m`)
			return
		}
		*into = d
	}
}
