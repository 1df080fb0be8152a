package harness

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// State is a path in the state directory.
func (l *Lab) State(elements ...string) string {
	return filepath.Join(append([]string{l.Home, "state"}, elements...)...)
}

// Read reads a file.
func (l *Lab) Read(path string) string {
	l.TB.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		l.TB.Fatal(err)
	}
	return string(data)
}

// Replace writes a file of the user's alone in the place of another.
func (l *Lab) Replace(path, content string) {
	l.TB.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		l.TB.Fatal(err)
	}
}

// Exists reports whether there is a file.
func (l *Lab) Exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// AuditRecord is what tests look at of a line of the audit log.
type AuditRecord struct {
	Seq       int    `json:"seq"`
	Event     string `json:"event"`
	PlanID    string `json:"plan_id"`
	Outcome   string `json:"outcome"`
	Recovered bool   `json:"recovered"`
	Program   string `json:"prog"`
	Client    string `json:"client"`
	Ops       []struct {
		Status string `json:"status"`
	} `json:"ops"`
}

// Audit is the audit log's records of a plan.
func (l *Lab) Audit(id string) []AuditRecord {
	l.TB.Helper()
	var records []AuditRecord
	for line := range strings.Lines(l.Read(l.State("audit.jsonl"))) {
		var r AuditRecord
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			l.TB.Fatalf("%v in %s", err, line)
		}
		if r.PlanID == id {
			records = append(records, r)
		}
	}
	return records
}

// Events are the names of records, in order.
func Events(records []AuditRecord) []string {
	list := make([]string, 0, len(records))
	for _, r := range records {
		list = append(list, r.Event)
	}
	return list
}

// WantAbsent looks for texts in every file below a folder, and in the names.
func (l *Lab) WantAbsent(dir string, texts ...string) {
	l.TB.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		for _, text := range texts {
			if bytes.Contains(data, []byte(text)) || strings.Contains(path, text) {
				l.TB.Errorf("%s holds a secret", path)
			}
		}
		return err
	})
	if err != nil {
		l.TB.Fatal(err)
	}
	if files == 0 {
		l.TB.Fatalf("%s has no files to look into", dir)
	}
}
