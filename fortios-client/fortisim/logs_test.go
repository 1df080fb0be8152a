package fortisim_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLogsAreReadNewestFirstInPagesAndByFilter(t *testing.T) {
	l := newLab(t, nil)
	l.logToMemory()
	for i := range 30 {
		l.device.Log("root", "memory/event/system", map[string]any{"logid": fmt.Sprint(i), "level": []string{"notice", "warning"}[i%2]})
	}
	ids := func(path string) (out []string) {
		for _, row := range l.ok("GET", path, "")["results"].([]any) {
			out = append(out, row.(map[string]any)["logid"].(string))
		}
		return out
	}
	const path = "/api/v2/log/memory/event/system"
	if got := ids(path); len(got) != 20 || got[0] != "29" || got[19] != "10" {
		t.Errorf("the first page is %v", got)
	}
	if diff := cmp.Diff([]string{"1", "0"}, ids(path+"?start=28&rows=10")); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"29", "27"}, ids(path+"?rows=2&filter=level==warning")); diff != "" {
		t.Error(diff)
	}
	for _, beyond := range []string{"start=9223372036854775807", "start=9223372036854775807&rows=9223372036854775807", "start=30"} {
		if got := ids(path + "?" + beyond); len(got) > 0 {
			t.Errorf("%s: %v", beyond, got)
		}
	}
	if got := ids(path + "?start=1&rows=9223372036854775807"); len(got) != 29 {
		t.Errorf("all but the newest are %v", got)
	}
	answer := l.ok("GET", path+"?rows=3&session_id=7", "")
	for name, want := range map[string]any{"device": "memory", "category": "event", "subcategory": "system", "rows": 3.0, "total_lines": 30.0, "session_id": 7.0, "vdom": "root"} {
		if answer[name] != want {
			t.Errorf("%s is %v, want %v", name, answer[name], want)
		}
	}
	if got := l.send(t.Context(), "GET", path+"/raw?rows=1", ""); got.text != "level=\"warning\" logid=\"29\"\n" {
		t.Errorf("raw: %q", got.text)
	}
}

func TestALogThatIsNotThereIsRefused(t *testing.T) {
	l := newLab(t, nil)
	l.logToMemory()
	for path, want := range map[string]int{
		"/api/v2/log/memory/event":          404, // needs its part
		"/api/v2/log/memory/event/weather":  404,
		"/api/v2/log/memory/virus":          200,
		"/api/v2/log/memory":                404,
		"/api/v2/log/fortianalyzer/virus":   424, // none is set up
		"/api/v2/log/tape/virus":            424,
		"/api/v2/log/memory/traffic/local":  200,
		"/api/v2/log/memory/virus?vdom=no1": 403,
	} {
		if got := l.send(t.Context(), "GET", path, ""); got.status != want {
			t.Errorf("%s: %d, want %d", path, got.status, want)
		}
	}
	if got := l.send(t.Context(), "DELETE", "/api/v2/log/memory/virus", ""); got.status != 405 {
		t.Errorf("DELETE: %d", got.status)
	}
}

func (l *lab) logToMemory() {
	l.t.Helper()
	if err := l.device.Put("root", "log.memory/setting", "", map[string]any{"status": "enable"}); err != nil {
		l.t.Fatal(err)
	}
}
