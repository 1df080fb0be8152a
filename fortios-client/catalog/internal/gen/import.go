package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// importTable replaces facts/ below root by the fact table in dir.
func importTable(dir, root string) error {
	table, err := readTable(dir)
	if err != nil {
		return err
	}
	out := filepath.Join(root, "facts")
	if err := writeFacts(table, out); err != nil {
		return err
	}
	return proveLossless(dir, out)
}

func readTable(dir string) (facts, error) {
	var f facts
	var err error
	if f.resources, err = readLines[catalog.Resource](filepath.Join(dir, "cmdb.jsonl")); err != nil {
		return facts{}, err
	}
	if f.endpoints, err = readLines[catalog.Endpoint](filepath.Join(dir, "monitor.jsonl")); err != nil {
		return facts{}, err
	}
	if err := readFile(filepath.Join(dir, "releases.json"), &f.releases); err != nil {
		return facts{}, err
	}
	f.sort()
	return f, f.check()
}

func readLines[T any](file string) ([]T, error) {
	data, err := os.ReadFile(file) //nolint:gosec // the developer's own folder
	if err != nil {
		return nil, err
	}
	var list []T
	for line := range bytes.Lines(data) {
		var item T
		if err := strict(line, &item); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", file, len(list)+1, err)
		}
		list = append(list, item)
	}
	return list, nil
}

// writeFacts replaces the files of dir; a file whose resources are gone must go too.
func writeFacts(f facts, dir string) error {
	files, err := f.files()
	if err != nil {
		return err
	}
	for _, folder := range []string{"cmdb", "monitor"} {
		if err := os.RemoveAll(filepath.Join(dir, folder)); err != nil {
			return err
		}
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o755); err != nil { //nolint:gosec // source files
			return err
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil { //nolint:gosec // source files
			return err
		}
	}
	return nil
}

// proveLossless compares the facts on disk with the fact table byte by byte.
func proveLossless(table, dir string) error {
	f, err := readFacts(dir)
	if err != nil {
		return err
	}
	if err := sameLines(filepath.Join(table, "cmdb.jsonl"), f.resources); err != nil {
		return err
	}
	if err := sameLines(filepath.Join(table, "monitor.jsonl"), f.endpoints); err != nil {
		return err
	}
	want, err := os.ReadFile(filepath.Join(table, "releases.json")) //nolint:gosec // the developer's own folder
	if err != nil {
		return err
	}
	got, err := writeReleases(f.releases)
	if err == nil && !bytes.Equal(bytes.TrimSpace(want), bytes.TrimSpace(got)) {
		err = errors.New("facts differ from releases.json")
	}
	return err
}

func sameLines[T any](file string, list []T) error {
	want, err := os.ReadFile(file) //nolint:gosec // the developer's own folder
	if err != nil {
		return err
	}
	var got []byte
	for _, item := range list {
		text, err := compact(item)
		if err != nil {
			return err
		}
		got = append(append(got, text...), '\n')
	}
	if !bytes.Equal(bytes.TrimSpace(want), bytes.TrimSpace(got)) {
		return fmt.Errorf("facts differ from %s: a fact got lost or changed its place", file)
	}
	return nil
}

func writeReleases(r catalog.Releases) ([]byte, error) {
	text, err := json.MarshalIndent(r, "", " ")
	return append(text, '\n'), err
}
