package clients

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

type values = map[string]any

// simulator is a running forti simulate.
type simulator struct {
	harness.Simulation
	// requests is the file of what reached it.
	requests string
}

// simulate runs the program with flags until the end of the test.
func simulate(t *testing.T, flags ...string) *simulator {
	t.Helper()
	requests := filepath.Join(t.TempDir(), "requests.jsonl")
	return &simulator{harness.Empty(t).Simulate(append([]string{"--requests", requests}, flags...)...), requests}
}

// sent counts the requests of a method and a path.
func (s *simulator) sent(t *testing.T, method, path string) int {
	t.Helper()
	raw, err := os.ReadFile(s.requests)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Count(string(raw), `"method":"`+method+`","path":"/api/v2/`+path)
}

// ask sends one request without any of the clients, and gives the body of the answer,
// which must be a 200.
func (s *simulator) ask(t *testing.T, method, path, body string) []byte {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, "https://"+s.address()+"/api/v2/"+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+s.Token)
	client := &http.Client{Transport: &http.Transport{
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // a device on loopback that this test started
		DisableKeepAlives: true,
	}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close() //nolint:errcheck // read whole
	raw, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s %s: %d, %v\n%s", method, path, resp.StatusCode, err, raw)
	}
	return raw
}

// address is where it listens.
func (s *simulator) address() string { return net.JoinHostPort(s.Host, strconv.Itoa(s.Port)) }

// results decodes the results of a read.
func results[T any](t *testing.T, s *simulator, path string) T {
	t.Helper()
	var answer struct {
		Results T `json:"results"`
	}
	if err := json.Unmarshal(s.ask(t, http.MethodGet, path, ""), &answer); err != nil {
		t.Fatal(err)
	}
	return answer.Results
}

// rows are what the device has in a table.
func (s *simulator) rows(t *testing.T, table string) []values {
	t.Helper()
	return results[[]values](t, s, "cmdb/"+table)
}

// keys are the keys of a table's rows, in order.
func (s *simulator) keys(t *testing.T, table, key string) []string {
	t.Helper()
	var out []string
	for _, row := range s.rows(t, table) {
		out = append(out, fmt.Sprint(row[key]))
	}
	return out
}
