package fortiosdevice_test

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/exchange"
	"github.com/forti-mcp/forti/core/operation"
	"github.com/forti-mcp/forti/core/redact"
)

// recordedAnswer is a recorded body with the status it came with.
func recordedAnswer(t *testing.T, file string) (body []byte, status int, envelope map[string]any) {
	t.Helper()
	root := os.Getenv("FORTI_TRUTH")
	if root == "" {
		t.Skip("FORTI_TRUTH is not set: truth data absent")
	}
	body, err := os.ReadFile(filepath.Join(root, "fortios", "recorded", file+".json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(body, &envelope); err != nil {
		t.Fatal(err)
	}
	status = http.StatusOK
	if n, ok := envelope["http_status"].(float64); ok {
		status = int(n)
	}
	return body, status, envelope
}

func TestTruthRecordedAnswersToWritesAreClassified(t *testing.T) {
	for file, want := range map[string]exchange.Class{
		"cmdb_post_created":                  exchange.Accepted,
		"cmdb_put_changed":                   exchange.Accepted,
		"cmdb_delete_done":                   exchange.Accepted,
		"error_403_vdom_not_allowed":         exchange.AuthRefused,
		"error_405_post_on_singleton":        exchange.Refused,
		"error_405_put_without_key":          exchange.Refused,
		"error_651_missing_reference":        exchange.RefusedDoubtful,
		"error_8102_admin_password_required": exchange.RefusedDoubtful,
	} {
		t.Run(file, func(t *testing.T) {
			body, status, envelope := recordedAnswer(t, file)
			l := bareLab(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(status)
				_, _ = w.Write(body)
			})
			x := l.open().Send(t.Context(), createAddress(t, "x"), nil)
			of := exchange.Target{VDOM: "root"}
			of.Serial, _ = envelope["serial"].(string)
			if class, _ := exchange.Classify(x, of); class != want {
				t.Errorf("%s from %+v", class, x)
			}
			if number, _ := envelope["error"].(float64); x.ErrorNumber != int(number) {
				t.Errorf("error number %d instead of %v", x.ErrorNumber, number)
			}
		})
	}
}

func TestTruthARecordedObjectIsRead(t *testing.T) {
	body, _, envelope := recordedAnswer(t, "cmdb_get_one_address")
	l := bareLab(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(body) })
	name, _ := envelope["results"].([]any)[0].(map[string]any)["name"].(string)
	row, err := l.open().Object(t.Context(), at("firewall/address"), operation.TextKey(name))
	if err != nil || row["name"] != name {
		t.Errorf("got %v, %v", row["name"], err)
	}
}

// What real devices answered loses nothing but the one password that is set in it,
// whether or not a schema describes it.
func TestTruthMaskingTakesNothingHarmlessAway(t *testing.T) {
	root := os.Getenv("FORTI_TRUTH")
	if root == "" {
		t.Skip("FORTI_TRUTH is not set: truth data absent")
	}
	files, err := filepath.Glob(filepath.Join(root, "fortios", "recorded", "*.json"))
	if err != nil || len(files) < 40 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	masked := map[string][]string{}
	for _, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		v, err := canon.DecodeLoose(body)
		if err != nil {
			continue // several documents, or a page
		}
		if _, pointers := redact.Untyped(v, redact.SecretName); len(pointers) > 0 {
			masked[filepath.Base(file)] = pointers
		}
	}
	want := map[string][]string{"cmdb_system_ha_full.json": {"/results/password"}}
	if diff := cmp.Diff(want, masked); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
