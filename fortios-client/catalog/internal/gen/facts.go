package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// facts is the whole fact table.
type facts struct {
	resources []catalog.Resource // by path
	endpoints []catalog.Endpoint // by path
	releases  catalog.Releases
}

// readFacts reads a folder of facts.
func readFacts(dir string) (facts, error) {
	var f facts
	var err error
	if f.resources, err = readFolder[catalog.Resource](dir, "cmdb"); err != nil {
		return facts{}, err
	}
	if f.endpoints, err = readFolder[catalog.Endpoint](dir, "monitor"); err != nil {
		return facts{}, err
	}
	if err := readFile(filepath.Join(dir, "releases.json"), &f.releases); err != nil {
		return facts{}, err
	}
	f.sort()
	return f, f.check()
}

func (f facts) sort() {
	slices.SortFunc(f.resources, func(a, b catalog.Resource) int { return cmp.Compare(a.Path, b.Path) })
	slices.SortFunc(f.endpoints, func(a, b catalog.Endpoint) int { return cmp.Compare(a.Path, b.Path) })
}

func readFolder[T any](dir, name string) ([]T, error) {
	files, err := filepath.Glob(filepath.Join(dir, name, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []T
	for _, file := range files {
		var list []T
		if err := readFile(file, &list); err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

func readFile(file string, into any) error {
	data, err := os.ReadFile(file) //nolint:gosec // the developer's own folder
	if err != nil {
		return err
	}
	if err := strict(data, into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}

// files is the content of each file of facts by its name below facts/.
func (f facts) files() (map[string][]byte, error) {
	out := make(map[string][]byte)
	for name, list := range groups(f.resources, func(r catalog.Resource) string { return r.Path }) {
		text, err := writeResources(list)
		if err != nil {
			return nil, err
		}
		out[name] = append(text, '\n')
	}
	for name, list := range groups(f.endpoints, func(e catalog.Endpoint) string { return e.Path }) {
		text, err := writeEndpoints(list)
		if err != nil {
			return nil, err
		}
		out[name] = append(text, '\n')
	}
	text, err := writeReleases(f.releases)
	if err != nil {
		return nil, err
	}
	out["releases.json"] = text
	return out, nil
}

func groups[T any](list []T, path func(T) string) map[string][]T {
	out := make(map[string][]T)
	for _, item := range list {
		name := fileOf(path(item))
		out[name] = append(out[name], item)
	}
	return out
}
