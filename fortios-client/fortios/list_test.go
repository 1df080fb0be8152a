package fortios_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/fortios-client/fortios"
)

var table = fortios.ListQuery{Resource: "firewall/address", VDOM: "root"}

// collect lists everything.
func collect(t *testing.T, cfg fortios.Config, q fortios.ListQuery) ([]string, fortios.ListInfo, error) {
	t.Helper()
	var rows []string
	info, err := newClient(t, cfg).List(t.Context(), q, func(row json.RawMessage) bool { rows = append(rows, string(row)); return true })
	return rows, info, err
}

func TestAListingYieldsRowAfterRow(t *testing.T) {
	before := `{"http_method":"GET","size":9,"matched_count":2,"next_idx":1,"revision":"r1","vdom":"root","status":"success","serial":"FGTEST0000000001","version":"v7.4.8","build":2795,`
	info := fortios.ListInfo{Rows: 2, Serial: "FGTEST0000000001", VDOM: "root", Version: "v7.4.8", Build: 2795}
	counted, empty := info, info
	counted.Size, counted.Matched, counted.Revision = ptr(9), ptr(2), "r1"
	empty.Rows = 0
	for _, tc := range []struct {
		name, body string
		rows       []string
		info       fortios.ListInfo
	}{
		{"rows first", envelope("root", `[{"a":1}, {"b":"]}"}]`, ""), []string{`{"a":1}`, `{"b":"]}"}`}, info},
		{"rows last", before + `"results":[{"a":1},{"b":2}]}`, []string{`{"a":1}`, `{"b":2}`}, counted},
		{"no rows", envelope("root", `[]`, ""), nil, empty},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newDevice(t, answer(200, jsonType, tc.body))
			rows, got, err := collect(t, d.config(), table)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.rows, rows); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(tc.info, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAListingAsksForWhatItSays(t *testing.T) {
	for _, tc := range []struct {
		query fortios.ListQuery
		want  string
	}{
		{table, "?vdom=root"},
		{fortios.ListQuery{Resource: "cmdb/firewall/address"}, "?vdom=home"},
		{fortios.ListQuery{Resource: "firewall/address", Filter: []string{"name=@a,name=@b", `subnet==10\.0`}, Format: []string{"name", "member.name"}, Start: 20, Count: 10},
			"?vdom=home&filter=name%3D%40a%2Cname%3D%40b&filter=subnet%3D%3D10%5C.0&format=name%7Cmember.name&start=20&count=10"},
	} {
		var targets []string
		cfg := recorder(t, &targets, 200, envelope("root", "[]", ""))
		cfg.VDOM = "home"
		tc.query.AnyVDOM = true
		if _, _, err := collect(t, cfg, tc.query); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]string{"GET /api/v2/cmdb/firewall/address" + tc.want}, targets); diff != "" {
			t.Error(diff)
		}
	}
}

func TestAListingThatCannotBeAsked(t *testing.T) {
	d := newDevice(t, answer(200, jsonType, envelope("root", "[]", "")))
	for name, q := range map[string]fortios.ListQuery{
		"resource": {Resource: "address"}, "VDOM list": {Resource: "a/b", VDOM: "a,b"}, "every VDOM": {Resource: "a/b", VDOM: "*"},
		"negative start": {Resource: "a/b", Start: -1}, "negative count": {Resource: "a/b", Count: -1},
		"format": {Resource: "a/b", Format: []string{"name|x"}}, "empty format": {Resource: "a/b", Format: []string{""}},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := collect(t, d.config(), q)
			wantKind(t, err, fortios.KindInvalid)
		})
	}
	if n := d.accepted.Load(); n != 0 {
		t.Errorf("%d connections, want none", n)
	}
}

func TestAListingThatIsNoGoodAnswer(t *testing.T) {
	for _, tc := range []struct {
		name   string
		status int
		kind   string
		body   string
		want   fortios.Kind
	}{
		{"401", 401, htmlType, page, fortios.KindAuth},
		{"429", 429, htmlType, page, fortios.KindLockedOut},
		{"404", 404, jsonType, `{"http_method":"GET","status":"error","http_status":404,"vdom":"root"}`, fortios.KindNotFound},
		{"424", 424, jsonType, refused(424, -651, `"x"`), fortios.KindRefused},
		{"login page", 200, htmlType, page, fortios.KindNotFortiOS},
		{"login page without type", 200, "", page, fortios.KindNotFortiOS},
		{"redirect", 302, htmlType, "", fortios.KindNotFortiOS},
		{"status error behind rows", 200, jsonType, `{"http_method":"GET","results":[1],"status":"error","http_status":500,"error":-37}`, fortios.KindForbidden},
		{"no status", 200, jsonType, `{"http_method":"GET","results":[1]}`, fortios.KindNotFortiOS},
		{"another VDOM", 200, jsonType, envelope("edge", "[1]", ""), fortios.KindMismatch},
		{"a singleton", 200, jsonType, envelope("root", `{"a":{"b":[{}]}}`, ""), fortios.KindNotFortiOS},
		{"no results", 200, jsonType, `{"http_method":"GET","status":"success"}`, fortios.KindNotFortiOS},
		{"null results", 200, jsonType, envelope("root", `null`, ""), fortios.KindNotFortiOS},
		{"results twice", 200, jsonType, envelope("root", "[1]", `,"results":[2]`), fortios.KindNotFortiOS},
		{"list of envelopes", 200, jsonType, "[" + envelope("root", "[1]", "") + "]", fortios.KindNotFortiOS},
		{"trailing bytes", 200, jsonType, envelope("root", "[1]", "") + "x", fortios.KindNotFortiOS},
		{"cut JSON", 200, jsonType, `{"http_method":"GET","results":[1,2`, fortios.KindNotFortiOS},
		{"invalid row", 200, jsonType, `{"http_method":"GET","results":[{]}`, fortios.KindNotFortiOS},
		{"deep row", 200, jsonType, envelope("root", "["+strings.Repeat("[", 63)+strings.Repeat("]", 63)+"]", ""), fortios.KindNotFortiOS},
		{"deep singleton", 200, jsonType, envelope("root", strings.Repeat(`{"a":`, 64)+"1"+strings.Repeat("}", 64), ""), fortios.KindNotFortiOS},
		{"large row", 200, jsonType, envelope("root", `[1,"`+strings.Repeat("x", 5000)+`"]`, ""), fortios.KindTooLarge},
		{"row a little too large", 200, jsonType, envelope("root", `[1,"`+strings.Repeat("x", 4100)+`"]`, ""), fortios.KindTooLarge},
		{"large member", 200, jsonType, envelope("root", `[1]`, `,"x":"`+strings.Repeat("x", 5000)+`"`), fortios.KindTooLarge},
		{"large singleton", 200, jsonType, envelope("root", `{"x":"`+strings.Repeat("x", 5000)+`"}`, ""), fortios.KindTooLarge},
		{"endless blanks", 200, jsonType, envelope("root", `[1]`, "") + strings.Repeat(" ", 5000), fortios.KindTooLarge},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newDevice(t, answer(tc.status, tc.kind, tc.body))
			cfg := d.config()
			cfg.MaxBody = 4000
			_, _, err := collect(t, cfg, table)
			checkText(t, wantKind(t, err, tc.want).Error(), nil)
			if n := d.requests.Load(); n != 1 {
				t.Errorf("%d requests: nothing is retried", n)
			}
		})
	}
}

func TestTheLimitIsThatOfEachRowAndMember(t *testing.T) {
	part := strings.Repeat("x", 3000)
	d := newDevice(t, answer(200, jsonType, envelope("root", `["`+part+`","`+part+`"]`, `,"x":"`+part+`","y":"`+part+`"`)))
	cfg := d.config()
	cfg.MaxBody = 4000
	if rows, _, err := collect(t, cfg, table); err != nil || len(rows) != 2 {
		t.Errorf("%d rows, error %v", len(rows), err)
	}
}

func TestAListingThatIsCutOnTheWire(t *testing.T) {
	d := newDevice(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Length", "100000")
		_, _ = io.WriteString(w, `{"http_method":"GET","results":[{"a":1},{"b":`)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	})
	rows, info, err := collect(t, d.config(), table)
	wantKind(t, err, fortios.KindTruncated)
	if len(rows) != 1 || info.Rows != 1 {
		t.Errorf("%d rows, info %+v", len(rows), info)
	}
}

// endless is a table that has no end, so that it must be streamed and stopped.
func endless(written chan<- struct{}) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		defer close(written)
		_, _ = io.WriteString(w, `{"http_method":"GET","vdom":"root","results":[{"n":0}`)
		for n := 1; ; n++ {
			if _, err := fmt.Fprintf(w, `,{"n":%d,"pad":"%01000d"}`, n, 0); err != nil {
				return
			}
		}
	}
}

func TestStoppingAListingDropsItsConnection(t *testing.T) {
	written := make(chan struct{})
	d := newDevice(t, endless(written))
	client, rows := newClient(t, d.config()), 0
	info, err := client.List(t.Context(), table, func(json.RawMessage) bool { rows++; return rows < 5 })
	if err != nil || info.Rows != 5 || !info.Stopped || info.VDOM != "root" {
		t.Errorf("info %+v, error %v", info, err)
	}
	<-written // The device noticed.
}

func TestAStoppedListingIsJudgedByWhatCameBefore(t *testing.T) {
	d := newDevice(t, answer(200, jsonType, `{"http_method":"GET","vdom":"edge","results":[1,2]}`))
	_, err := newClient(t, d.config()).List(t.Context(), table, func(json.RawMessage) bool { return false })
	wantKind(t, err, fortios.KindMismatch)
}

func TestAFinishedListingKeepsItsConnection(t *testing.T) {
	d := newDevice(t, answer(200, jsonType, envelope("root", "[1,2,3]", "")))
	client := newClient(t, d.config())
	for range 3 {
		if _, err := client.List(t.Context(), table, func(json.RawMessage) bool { return true }); err != nil {
			t.Fatal(err)
		}
	}
	if n := d.accepted.Load(); n != 1 {
		t.Errorf("%d connections, want 1", n)
	}
}

func TestMemoryDoesNotGrowWithTheTable(t *testing.T) {
	d := newDevice(t, endless(make(chan struct{})))
	const rows = 40_000 // of 1 kB
	var first, peak uint64
	n := 0
	_, err := newClient(t, d.config()).List(t.Context(), table, func(json.RawMessage) bool {
		if n++; n%4000 == 0 {
			live := liveHeap()
			if first == 0 {
				first = live
			}
			peak = max(peak, live)
		}
		return n < rows
	})
	if err != nil {
		t.Fatal(err)
	}
	if peak > first+4<<20 {
		t.Errorf("live heap grew from %d to %d bytes over %d rows", first, peak, rows)
	}
}

func liveHeap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestRowsAreTheCallersToKeep(t *testing.T) {
	d := newDevice(t, answer(200, jsonType, envelope("root", `["first","second","third"]`, "")))
	var kept []json.RawMessage
	if _, err := newClient(t, d.config()).List(t.Context(), table, func(row json.RawMessage) bool { kept = append(kept, row); return true }); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]json.RawMessage{json.RawMessage(`"first"`), json.RawMessage(`"second"`), json.RawMessage(`"third"`)}, kept); diff != "" {
		t.Error(diff)
	}
}
