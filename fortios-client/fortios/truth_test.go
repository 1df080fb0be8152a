package fortios_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/fortios-client/fortios"
)

// shape is what a recorded answer must decode to. The values themselves are
// compared with the file, read the plain way.
type shape struct {
	envelopes int
	results   byte         // first byte of the first results, 0 for none
	kind      fortios.Kind // of Response.Fault; empty for success
	code      int
	counts    bool // size, matched_count and next_idx are given
	rows      int  // what List yields; -1 where List must refuse
	undecoded bool // DecodeEnvelope refuses with kind
}

const (
	object, list = '{', '['
	notATable    = -1
)

// monitorOf and writeOf are the common shapes.
func monitorOf(envelopes int, results byte) shape {
	return shape{envelopes: envelopes, results: results, rows: notATable}
}

func writeDone() shape { return shape{envelopes: 1, rows: notATable} }

func refusedAs(kind fortios.Kind, code int) shape {
	return shape{envelopes: 1, kind: kind, code: code, rows: notATable}
}

var recorded = map[string]shape{
	"cmdb_action_schema_firewall.service_category.json": monitorOf(1, object),
	"cmdb_action_schema_firewall_addrgrp.json":          monitorOf(1, object),
	"cmdb_action_schema_router_static.json":             monitorOf(1, object),
	"cmdb_action_schema_system_vdom.json":               monitorOf(1, object),
	"cmdb_delete_done.json":                             writeDone(),
	"cmdb_firewall_address_list.json":                   {envelopes: 1, results: list, counts: true, rows: 6},
	"cmdb_firewall_policy_vdom_all_trimmed.json":        monitorOf(2, list),
	"cmdb_get_404.json":                                 refusedAs(fortios.KindNotFound, 0),
	"cmdb_get_group.json":                               {envelopes: 1, results: list, rows: 1},
	"cmdb_get_one_address.json":                         {envelopes: 1, results: list, rows: 1},
	"cmdb_interface_list_format.json":                   {envelopes: 1, results: list, counts: true, rows: 4},
	"cmdb_post_created.json":                            writeDone(),
	"cmdb_put_changed.json":                             writeDone(),
	"cmdb_system_ha_full.json":                          monitorOf(1, object),
	"cmdb_system_ha_without_permission.json":            monitorOf(1, object),
	"cmdb_system_interface_full_vlan.json":              {envelopes: 1, results: list, counts: true, rows: 1},
	"error_403_vdom_not_allowed.json":                   refusedAs(fortios.KindForbidden, 0),
	"error_405_post_on_singleton.json":                  refusedAs(fortios.KindMethodNotAllowed, 0),
	"error_405_put_without_key.json":                    refusedAs(fortios.KindMethodNotAllowed, 0),
	"error_651_missing_reference.json":                  refusedAs(fortios.KindRefused, -651),
	"error_8102_admin_password_required.json":           refusedAs(fortios.KindForbidden, -8102),
	"monitor_firewall_ippool_vdom_all.json":             monitorOf(1, object),
	"monitor_firewall_policy_v4_vdom_all.json":          monitorOf(2, list),
	"monitor_license_status.json":                       monitorOf(1, object),
	"monitor_license_status_registered.json":            monitorOf(1, object),
	"monitor_license_status_vm_trial.json":              monitorOf(1, object),
	"monitor_log_current-disk-usage.json":               monitorOf(1, object),
	"monitor_log_device_state_vdom_all.json":            monitorOf(2, object),
	"monitor_system_available-certificates_vdom.json":   monitorOf(1, list),
	"monitor_system_config-revision.json":               monitorOf(1, object),
	"monitor_system_fortimanager_status_vdom_all.json":  monitorOf(2, object),
	"monitor_system_ha-checksums.json":                  {envelopes: 1, results: list, rows: 2},
	// The source replaced the serial number by one that no device has.
	"monitor_system_ha-peer.json":                      {kind: fortios.KindNotFortiOS, undecoded: true, rows: notATable},
	"monitor_system_ha-statistics.json":                {envelopes: 1, results: list, rows: 2},
	"monitor_system_interface_vdom_all.json":           monitorOf(4, object),
	"monitor_system_link-monitor.json":                 monitorOf(1, object),
	"monitor_system_link-monitor_error_and_empty.json": monitorOf(2, object),
	"monitor_system_sdn-connector.json":                monitorOf(2, list),
	// The sources kept only a part of these envelopes, without the member status, and
	// where that is missing nothing is known to have succeeded.
	"monitor_system_firmware.json":             {envelopes: 1, results: object, kind: fortios.KindNotFortiOS, rows: notATable},
	"monitor_system_status.json":               {envelopes: 1, results: object, kind: fortios.KindNotFortiOS, rows: notATable},
	"monitor_system_status_empty_results.json": monitorOf(1, object),
	// Results without their envelope.
	"monitor_system_status_vm.json":       {kind: fortios.KindNotFortiOS, undecoded: true, rows: notATable},
	"monitor_system_time.json":            monitorOf(1, object),
	"monitor_vpn_ssl_stats_vdom_all.json": monitorOf(1, object),
	"monitor_web-ui_state.json":           monitorOf(1, object),
	"transaction_commit.json":             writeDone(),
	"transaction_show.json":               {envelopes: 1, results: list, rows: 9},
	"transaction_start.json":              monitorOf(1, object),
	"transaction_write_cached.json":       writeDone(),
}

const pagesFile = "error_html_bodies.json"

func truthFiles(t *testing.T) map[string][]byte {
	t.Helper()
	root := os.Getenv("FORTI_TRUTH")
	if root == "" {
		t.Skip("FORTI_TRUTH is not set: truth data absent")
	}
	paths, err := filepath.Glob(filepath.Join(root, "fortios", "recorded", "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no recorded answers in FORTI_TRUTH: %v", err)
	}
	files := map[string][]byte{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files[filepath.Base(path)] = data
	}
	return files
}

func TestTruthEveryRecordedAnswerHasAnExpectation(t *testing.T) {
	files := truthFiles(t)
	for name := range files {
		if _, ok := recorded[name]; !ok && name != pagesFile {
			t.Errorf("%s has no expectation", name)
		}
	}
	for name := range recorded {
		if files[name] == nil {
			t.Errorf("%s is expected and not there", name)
		}
	}
}

func TestTruthRecordedAnswersDecode(t *testing.T) {
	for name, data := range truthFiles(t) {
		want, ok := recorded[name]
		if !ok {
			continue // Reported by the test above, or a page.
		}
		t.Run(name, func(t *testing.T) {
			plain := plainly(t, data)
			d := newDevice(t, answer(statusOf(plain[0]), jsonType, string(data)))
			client := newClient(t, d.config())
			r := client.Do(t.Context(), get(statusPath))
			checkFault(t, r.Fault(), want)
			envelopes, err := fortios.DecodeEnvelope(r.Body)
			if want.undecoded {
				wantKind(t, err, want.kind)
				return
			}
			if err != nil || len(envelopes) != want.envelopes {
				t.Fatalf("%d envelopes, error %v", len(envelopes), err)
			}
			for i := range envelopes {
				compare(t, &envelopes[i], plain[i])
			}
			checkShape(t, &envelopes[0], want)
			checkRows(t, client, want)
		})
	}
}

// plainly reads a file without this package.
func plainly(t *testing.T, data []byte) []map[string]any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	var any1 any
	if err := dec.Decode(&any1); err != nil {
		t.Fatal(err)
	}
	members, ok := any1.([]any)
	if !ok {
		members = []any{any1}
	}
	var plain []map[string]any
	for _, m := range members {
		plain = append(plain, m.(map[string]any))
	}
	return plain
}

func statusOf(plain map[string]any) int {
	if n, ok := plain["http_status"].(json.Number); ok {
		status, _ := n.Int64()
		return int(status)
	}
	return 200
}

func checkFault(t *testing.T, err error, want shape) {
	t.Helper()
	if fortios.KindOf(err) != want.kind {
		t.Errorf("fault %v, want kind %q", err, want.kind)
	}
	if want.code != 0 && wantKind(t, err, want.kind).Code != want.code {
		t.Errorf("fault %v, want code %d", err, want.code)
	}
}

// compare checks each member against the file.
func compare(t *testing.T, e *fortios.Envelope, plain map[string]any) {
	t.Helper()
	got := map[string]string{
		"http_method": e.HTTPMethod, "vdom": e.VDOM, "path": e.Path, "name": e.Name, "action": e.Action, "mkey": e.MKey, "status": e.Status, "serial": e.Serial,
		"version": e.Version, "revision": e.Revision, "old_revision": e.OldRevision, "build": number(e.Build), "http_status": number(e.HTTPStatus), "error": number(e.Error),
		"size": pointed(e.Size), "matched_count": pointed(e.MatchedCount), "next_idx": pointed(e.NextIdx),
	}
	want := map[string]string{}
	for name := range got {
		want[name] = ""
		if v, ok := plain[name]; ok {
			want[name] = text(v)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	changed, given := plain["revision_changed"]
	if given != (e.RevisionChanged != nil) || (given && changed != *e.RevisionChanged) {
		t.Errorf("revision_changed %v, want %v", e.RevisionChanged, changed)
	}
	if said, ok := plain["cli_error"]; ok != (e.CLIError != "") || (ok && !strings.Contains(e.CLIError, firstLine(said))) {
		t.Errorf("cli_error %q", e.CLIError)
	}
	checkResults(t, e, plain)
}

func checkResults(t *testing.T, e *fortios.Envelope, plain map[string]any) {
	t.Helper()
	want, given := plain["results"]
	if given != (e.Results != nil) {
		t.Fatalf("results %v", e.Results)
	}
	if !given {
		return
	}
	dec := json.NewDecoder(bytes.NewReader(e.Results))
	dec.UseNumber()
	var got any
	if err := dec.Decode(&got); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func pointed(n *int) string {
	if n == nil {
		return ""
	}
	return strconv.Itoa(*n)
}

func text(v any) string {
	if n, ok := v.(json.Number); ok {
		return n.String()
	}
	s, _ := v.(string)
	return s
}

func firstLine(said any) string {
	if all, ok := said.([]any); ok {
		said = all[0]
	}
	line, _, _ := strings.Cut(text(said), "\n")
	return line
}

func checkShape(t *testing.T, e *fortios.Envelope, want shape) {
	t.Helper()
	first := byte(0)
	if len(e.Results) > 0 {
		first = e.Results[0]
	}
	if first != want.results {
		t.Errorf("results begin with %q, want %q", first, want.results)
	}
	if counts := e.Size != nil || e.MatchedCount != nil || e.NextIdx != nil; counts != want.counts {
		t.Errorf("counts given: %v, want %v", counts, want.counts)
	}
}

func checkRows(t *testing.T, client *fortios.Client, want shape) {
	t.Helper()
	q := fortios.ListQuery{Resource: "firewall/address"}
	info, err := client.List(t.Context(), q, func(json.RawMessage) bool { return true })
	if (err != nil) != (want.rows == notATable) || (err == nil && info.Rows != want.rows) {
		t.Errorf("%d rows, error %v, want %d", info.Rows, err, want.rows)
	}
}

func TestTruthRecordedPages(t *testing.T) {
	var pages []struct {
		Name   string `json:"name"`
		Status int    `json:"http_status"`
		Type   string `json:"content_type"`
		Body   string `json:"body_start"`
	}
	if err := json.Unmarshal(truthFiles(t)[pagesFile], &pages); err != nil || len(pages) == 0 {
		t.Fatalf("%d pages, error %v", len(pages), err)
	}
	kinds := map[int]fortios.Kind{401: fortios.KindAuth, 403: fortios.KindForbidden, 429: fortios.KindLockedOut}
	for _, p := range pages {
		t.Run(p.Name, func(t *testing.T) {
			d := newDevice(t, answer(p.Status, p.Type, p.Body))
			_, err := newClient(t, d.config()).Status(t.Context())
			e := wantKind(t, err, kinds[p.Status])
			checkText(t, e.Error(), nil)
			if !slices.Contains([]int{401, 403, 429}, e.Status) || d.requests.Load() != 1 {
				t.Errorf("status %d, %d requests", e.Status, d.requests.Load())
			}
		})
	}
}

// The recorded answers also go through the reads that a program uses.
func TestTruthTypedReadsOfRecordedAnswers(t *testing.T) {
	files := truthFiles(t)
	replay := func(t *testing.T, name string) (*fortios.Client, map[string]any) {
		plain := plainly(t, files[name])[0]
		return newClient(t, newDevice(t, answer(statusOf(plain), jsonType, string(files[name]))).config()), plain
	}
	t.Run("status of 6.2 without results", func(t *testing.T) {
		client, plain := replay(t, "monitor_system_status_empty_results.json")
		got, err := client.Status(t.Context())
		want := fortios.Status{Serial: text(plain["serial"]), Version: text(plain["version"]), VDOM: text(plain["vdom"]), Build: got.Build}
		if err != nil || got != want || strconv.Itoa(got.Build) != text(plain["build"]) {
			t.Errorf("status %+v, error %v", got, err)
		}
	})
	t.Run("one object", func(t *testing.T) {
		client, plain := replay(t, "cmdb_get_one_address.json")
		e, err := client.Object(t.Context(), "firewall/address", text(plain["mkey"]), text(plain["vdom"]))
		if err != nil || e.Results[0] != object {
			t.Errorf("error %v", err)
		}
		_, err = client.Object(t.Context(), "firewall/address", "another", text(plain["vdom"]))
		wantKind(t, err, fortios.KindMismatch)
	})
	t.Run("no such object", func(t *testing.T) {
		client, plain := replay(t, "cmdb_get_404.json")
		e, err := client.Object(t.Context(), "firewall/address6", text(plain["mkey"]), text(plain["vdom"]))
		if wantKind(t, err, fortios.KindNotFound); e == nil || e.Serial != text(plain["serial"]) {
			t.Errorf("envelope %+v", e)
		}
	})
	for _, name := range []string{"cmdb_system_ha_full.json", "cmdb_system_ha_without_permission.json"} {
		t.Run(name, func(t *testing.T) {
			client, plain := replay(t, name)
			if _, err := client.Singleton(t.Context(), "system/ha", text(plain["vdom"])); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("schema", func(t *testing.T) {
		client, plain := replay(t, "cmdb_action_schema_router_static.json")
		if raw, err := client.Schema(t.Context(), "router/static", text(plain["vdom"])); err != nil || raw[0] != object {
			t.Error(err)
		}
	})
	t.Run("every VDOM", func(t *testing.T) {
		client, _ := replay(t, "monitor_system_sdn-connector.json")
		all, err := client.GetAll(t.Context(), statusPath, [][2]string{{"vdom", "*"}})
		if err != nil || len(all) != 2 || all[0].VDOM == all[1].VDOM {
			t.Errorf("%d envelopes, error %v", len(all), err)
		}
	})
}
