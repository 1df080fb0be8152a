package main

import (
	"fmt"
	"regexp"
	"slices"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

var (
	release = regexp.MustCompile(`^[0-9]+\.[0-9]+\.[0-9]+$`)
	branch  = regexp.MustCompile(`^[0-9]+\.[0-9]+$`)
)

// check refuses facts that the catalog would read wrongly.
func (f facts) check() error {
	seen := make(map[string]bool)
	for _, r := range f.resources {
		if seen[r.Path] || r.Kind != catalog.Table && r.Kind != catalog.Singleton {
			return fmt.Errorf("%s: path twice or unknown kind %q", r.Path, r.Kind)
		}
		seen[r.Path] = true
		if err := checkWindow(r.Path, r.Window); err != nil {
			return err
		}
		if err := checkAttributes(r.Path, r.Attributes); err != nil {
			return err
		}
	}
	for _, e := range f.endpoints {
		if seen[e.Path] || len(e.Calls) == 0 {
			return fmt.Errorf("%s: path twice or no calls", e.Path)
		}
		seen[e.Path] = true
		for _, c := range e.Calls {
			if err := checkWindow(e.Path, c.Window); err != nil {
				return err
			}
		}
	}
	if len(f.resources) == 0 || len(f.endpoints) == 0 || len(f.releases.All) == 0 {
		return fmt.Errorf("no resources, no endpoints or no releases")
	}
	return nil
}

func checkAttributes(where string, list []catalog.Attribute) error {
	seen := make(map[string]bool)
	for _, a := range list {
		at := where + " " + a.Name
		if seen[a.Name] || a.Name == "" || a.Type == "" {
			return fmt.Errorf("%s: name twice, no name or no type", at)
		}
		seen[a.Name] = true
		if err := checkWindow(at, a.Window); err != nil {
			return err
		}
		for _, o := range a.Options {
			if err := checkWindow(at+" "+o.Value, o.Window); err != nil {
				return err
			}
		}
		for _, w := range a.Was {
			if !isEnd(w.Until) || w.Until == "" {
				return fmt.Errorf("%s: was until %q is neither a release nor a branch", at, w.Until)
			}
		}
		if err := checkAttributes(at, a.Attributes); err != nil {
			return err
		}
	}
	return nil
}

func checkWindow(at string, w catalog.Window) error {
	spans := append([][2]string{{w.Since, w.Until}}, w.Spans...)
	if slices.ContainsFunc(spans, func(s [2]string) bool { return !isStart(s[0]) || !isEnd(s[1]) }) {
		return fmt.Errorf("%s: the window %q has a bound that is no release", at, spans)
	}
	return nil
}

func isStart(text string) bool { return text == "" || release.MatchString(text) }

func isEnd(text string) bool { return isStart(text) || branch.MatchString(text) }
