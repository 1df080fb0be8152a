package clients

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// watched are the questions that exporters for FortiGates ask, and the values taken from
// their answers. A number at the end of a path is a place in a list.
var watched = []struct{ name, path, keys string }{
	{"global", "cmdb/system/global", "results/admintimeout"},
	{"policy", "monitor/firewall/policy/select", "results/1/policyid results/2/policyid results/1/active_sessions results/1/bytes results/1/hit_count"},
	{"interface", "monitor/system/interface/select", "results/wan1/tx_bytes results/wan1/rx_packets results/wan1/speed results/lan/tx_bytes build"},
	{"usage", "monitor/system/resource/usage", "results/cpu/0/current results/mem/0/current results/session/0/current"},
	{"resources", "monitor/system/vdom-resource/select?vdom=*", "0/results/memory 0/results/ipsec-phase1-interface/current_usage"},
	{"tunnels", "monitor/vpn/ipsec?vdom=*", "0/results/0/connection_count 0/results/0/proxyid/0/incoming_bytes"},
	{"policies", "cmdb/firewall/policy", "size"},
	{"cluster", "monitor/system/ha-statistics", "results/0/sessions results/0/mem_usage"},
}

const collectdHead = `Hostname "watcher"
FQDNLookup false
Interval 1
BaseDir %q
PluginDir "/usr/lib/collectd"
TypesDB "/usr/share/collectd/types.db"
LoadPlugin curl_json
LoadPlugin write_prometheus
<Plugin write_prometheus>
  Host "127.0.0.1"
  Port "%d"
</Plugin>
<Plugin curl_json>
`

// collectd watches the device, and gives where it serves its metrics.
func (s *simulator) collectd(t *testing.T) (metrics string) {
	t.Helper()
	dir, port := t.TempDir(), freePort(t)
	var b strings.Builder
	fmt.Fprintf(&b, collectdHead, dir, port)
	for _, w := range watched {
		fmt.Fprintf(&b, "<URL \"https://%s/api/v2/%s\">\nInstance %q\nHeader \"Authorization: Bearer %s\"\nVerifyPeer false\nVerifyHost false\n", s.address(), w.path, w.name, s.Token)
		for _, key := range strings.Fields(w.keys) {
			fmt.Fprintf(&b, "<Key %q>\nType \"gauge\"\n</Key>\n", key)
		}
		b.WriteString("</URL>\n")
	}
	b.WriteString("</Plugin>\n")
	file := filepath.Join(dir, "collectd.conf")
	if err := os.WriteFile(file, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cmd := exec.CommandContext(ctx, "collectd", "-f", "-C", file)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = cmd.Wait()
	})
	return fmt.Sprintf("http://127.0.0.1:%d/metrics", port)
}

// freePort is a port of this machine that was free a moment ago.
func freePort(t *testing.T) int {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close() //nolint:errcheck // it is only asked for its port
	return l.Addr().(*net.TCPAddr).Port
}

var sample = regexp.MustCompile(`(?m)^collectd_curl_json_gauge\{curl_json="([^"]+)",type="([^"]+)",instance="watcher"\} (\S+)`)

// scrape reads metrics as Prometheus does: by the name of the question and the key.
func scrape(t *testing.T, url string) map[string]string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil // it does not listen yet
	}
	defer resp.Body.Close() //nolint:errcheck // read whole
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, m := range sample.FindAllStringSubmatch(string(raw), -1) {
		out[m[1]+" "+m[2]] = m[3]
	}
	return out
}

// scrapeUntil scrapes until the metrics are good, and gives the last ones.
func scrapeUntil(t *testing.T, url string, good func(map[string]string) bool) map[string]string {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		got := scrape(t, url)
		if good(got) || time.Now().After(deadline) {
			return got
		}
		<-tick.C
	}
}

// metricsOf are the metrics that the device's answers to the same questions make.
func (s *simulator) metricsOf(t *testing.T) map[string]string {
	t.Helper()
	out := map[string]string{}
	for _, w := range watched {
		var answer any
		if err := json.Unmarshal(s.ask(t, http.MethodGet, w.path, ""), &answer); err != nil {
			t.Fatal(err)
		}
		for _, key := range strings.Fields(w.keys) {
			out[w.name+" "+strings.ReplaceAll(key, "/", "-")] = fmt.Sprint(at(t, answer, strings.Split(key, "/")))
		}
	}
	return out
}

// at is what stands at a path of names and places.
func at(t *testing.T, v any, path []string) any {
	t.Helper()
	if len(path) == 0 {
		return v
	}
	switch v := v.(type) {
	case map[string]any:
		return at(t, v[path[0]], path[1:])
	case []any:
		if i, err := strconv.Atoi(path[0]); err == nil && i < len(v) {
			return at(t, v[i], path[1:])
		}
	}
	t.Fatalf("nothing stands at %q", path)
	return nil
}

func TestCollectdServesTheDevicesStateToPrometheus(t *testing.T) {
	t.Parallel()
	fromDebian(t, "collectd")
	s := simulate(t, "--release", "7.4.8")
	want := s.metricsOf(t)
	metrics := s.collectd(t)
	got := scrapeUntil(t, metrics, func(m map[string]string) bool { return len(m) == len(want) })
	if diff := cmp.Diff(want, got, sameNumber); diff != "" {
		t.Errorf("the metrics: %s", diff)
	}

	s.ask(t, http.MethodPut, "cmdb/system/global", `{"admintimeout":42}`)
	s.ask(t, http.MethodDelete, "cmdb/firewall/policy/99", "")
	want["global results-admintimeout"], want["policies size"] = "42", "5"
	got = scrapeUntil(t, metrics, func(m map[string]string) bool { return cmp.Equal(want, m, sameNumber) })
	if diff := cmp.Diff(want, got, sameNumber); diff != "" {
		t.Errorf("the metrics after the change: %s", diff)
	}
}

// sameNumber compares numbers however they are written.
var sameNumber = cmp.Comparer(func(a, b string) bool {
	x, err := strconv.ParseFloat(a, 64)
	y, err2 := strconv.ParseFloat(b, 64)
	return err == nil && err2 == nil && x == y
})
