package fortios_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/fortios-client/fortios"
)

const configFile = "#config-version=FGT60F-7.4.8-FW-build2795-000000:opmode=0:vdom=0:user=api\n#conf_file_ver=1\nconfig system global\nend\n"

const backupPOST, backupGET = "POST /api/v2/monitor/system/config/backup", "GET /api/v2/monitor/system/config/backup?destination=file&scope=global"

func TestTheVerbOfABackupFollowsTheRelease(t *testing.T) {
	for _, tc := range []struct {
		version, takes string // takes is the method that the device accepts
		want           []string
		kind           fortios.Kind
	}{
		{"v7.4.8", "POST", []string{backupPOST}, ""},
		{"7.0.0", "POST", []string{backupPOST}, ""},
		{"", "POST", []string{backupPOST}, ""},
		{"unknown", "POST", []string{backupPOST}, ""},
		{"v10.0.1", "POST", []string{backupPOST}, ""},
		{"v6.4.4", "GET", []string{backupGET}, ""},
		{"v6.2.0", "POST", []string{backupGET, backupPOST}, ""},
		{"v7.0.0", "GET", []string{backupPOST, backupGET}, ""},
		{"v7.6.0", "PUT", []string{backupPOST, backupGET}, fortios.KindMethodNotAllowed},
	} {
		t.Run(tc.version+" "+tc.takes, func(t *testing.T) {
			var got []string
			d := newDevice(t, func(w http.ResponseWriter, r *http.Request) {
				got = append(got, r.Method+" "+r.RequestURI)
				if r.Method == "POST" {
					wantBody(t, r.Body, map[string]string{"destination": "file", "scope": "global"})
				}
				if r.Method != tc.takes {
					answer(405, jsonType, `{"http_method":"`+r.Method+`","status":"error","http_status":405}`)(w, r)
					return
				}
				w.Header().Set("Content-Disposition", "attachment; filename=x.conf")
				answer(200, "application/octet-stream", configFile)(w, r)
			})
			var file bytes.Buffer
			n, err := newClient(t, d.config()).Backup(t.Context(), tc.version, &file, 0)
			if fortios.KindOf(err) != tc.kind || int(n) != file.Len() || (tc.kind == "" && file.String() != configFile) {
				t.Errorf("%d bytes, error %v, file %q", n, err, file.String())
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func wantBody(t *testing.T, body io.Reader, want map[string]string) {
	t.Helper()
	var got map[string]string
	if err := json.NewDecoder(body).Decode(&got); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyAConfigurationFileIsWritten(t *testing.T) {
	for _, tc := range []struct {
		name        string
		status      int
		contentType string
		body        string
		want        fortios.Kind
	}{
		{"login page", 200, htmlType, page, fortios.KindNotFortiOS},
		{"login page without type", 200, "", page, fortios.KindNotFortiOS},
		{"page that begins well", 200, htmlType, configFile, fortios.KindNotFortiOS},
		{"JSON that begins well", 200, jsonType, configFile, fortios.KindNotFortiOS},
		{"success in JSON", 200, jsonType, envelope("root", "{}", ""), fortios.KindNotFortiOS},
		{"success in JSON without type", 200, "", envelope("root", "{}", ""), fortios.KindNotFortiOS},
		{"refusal in JSON without type", 200, "", refused(500, -901, `""`), fortios.KindRefused},
		{"empty", 200, "text/plain", "", fortios.KindNotFortiOS},
		{"other text", 200, "text/plain", "#config-ver", fortios.KindNotFortiOS},
		{"encrypted", 200, "text/plain", "#FGBK|4|FGT", fortios.KindNotFortiOS},
		{"401", 401, htmlType, page, fortios.KindAuth},
		{"429", 429, htmlType, page, fortios.KindLockedOut},
		{"403", 403, jsonType, refused(403, 0, `""`), fortios.KindForbidden},
		{"500", 500, jsonType, refused(500, -901, `""`), fortios.KindRefused},
		{"file in an error", 500, "text/plain", configFile, fortios.KindNotFortiOS},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newDevice(t, answer(tc.status, tc.contentType, tc.body))
			var file bytes.Buffer
			n, err := newClient(t, d.config()).Backup(t.Context(), "v7.4.8", &file, 0)
			checkText(t, wantKind(t, err, tc.want).Error(), nil)
			if n != 0 || file.Len() != 0 || d.requests.Load() != 1 {
				t.Errorf("%d bytes, %d requests", file.Len(), d.requests.Load())
			}
		})
	}
}

func TestABackupIsBoundedAndWhole(t *testing.T) {
	size := int64(len(configFile))
	d := newDevice(t, answer(200, "text/plain", configFile))
	for limit, want := range map[int64]fortios.Kind{size: "", size + 1: "", size - 1: fortios.KindTooLarge} {
		n, err := newClient(t, d.config()).Backup(t.Context(), "", io.Discard, limit)
		if fortios.KindOf(err) != want || n != min(limit, size) {
			t.Errorf("limit %d: %d bytes, error %v", limit, n, err)
		}
	}
	cut := rawDevice(t, say("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"+configFile))
	_, err := newClient(t, cut).Backup(t.Context(), "", io.Discard, 0)
	wantKind(t, err, fortios.KindTruncated)
	cutEarly := rawDevice(t, say("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n#conf"))
	_, err = newClient(t, cutEarly).Backup(t.Context(), "", io.Discard, 0)
	wantKind(t, err, fortios.KindTruncated)
}

func TestABackupMayBeLargerThanOtherAnswers(t *testing.T) {
	large := configFile + strings.Repeat("# line\n", 10_000)
	d := newDevice(t, answer(200, "text/plain", large))
	cfg := d.config()
	cfg.MaxBody = 1000
	var file bytes.Buffer
	if _, err := newClient(t, cfg).Backup(t.Context(), "", &file, 0); err != nil || file.String() != large {
		t.Errorf("%d bytes, error %v", file.Len(), err)
	}
}

func TestAWriterThatFailsIsNotTheDevicesFault(t *testing.T) {
	d := newDevice(t, answer(200, "text/plain", configFile))
	full := errors.New("disk full")
	_, err := newClient(t, d.config()).Backup(t.Context(), "", failing{full}, 0)
	if !errors.Is(err, full) || fortios.KindOf(err) != "" {
		t.Errorf("error %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
