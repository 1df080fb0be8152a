package fortios_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/forti-mcp/forti/fortios-client/fortios"
)

const page = `<!DOCTYPE HTML PUBLIC "x"><html><title>Secret title</title><script>jump()</script></html>`

func refused(status, code int, cli string) string {
	return fmt.Sprintf(`{"http_method":"POST","status":"error","http_status":%d,"error":%d,"cli_error":%s,"vdom":"root"}`, status, code, cli)
}

func TestFaultSortsAnswers(t *testing.T) {
	for _, tc := range []struct {
		name        string
		status      int
		contentType string
		body        string
		kind        fortios.Kind // empty: success
		code        int
		want        []string // parts of the text
	}{
		{"success", 200, jsonType, envelope("root", "[]", ""), "", 0, nil},
		{"success without content type", 200, "", envelope("root", "[]", ""), "", 0, nil},
		{"success of every VDOM", 200, jsonType, "[" + envelope("a", "[]", "") + "," + envelope("b", "[]", "") + "]", "", 0, nil},
		{"refusal of one VDOM", 200, jsonType, "[" + envelope("a", "[]", "") + "," + refused(403, 0, `""`) + "]", fortios.KindForbidden, 0, []string{"VDOM"}},
		{"login page", 200, htmlType, page, fortios.KindNotFortiOS, 0, []string{"HTML page", "HTTP 200"}},
		{"login page without type", 200, "", "\ufeff \n" + page, fortios.KindNotFortiOS, 0, []string{"HTML page"}},
		{"JSON labelled as page", 200, htmlType, envelope("root", "[]", ""), fortios.KindNotFortiOS, 0, nil},
		{"empty", 200, jsonType, "", fortios.KindNotFortiOS, 0, []string{"not valid JSON"}},
		{"text", 200, "text/plain", "1document.location='/ng/'", fortios.KindNotFortiOS, 0, nil},
		{"compressed", 200, jsonType, "\x1f\x8b\x08\x00", fortios.KindNotFortiOS, 0, nil},
		{"cut JSON", 200, jsonType, `{"status":"success"`, fortios.KindNotFortiOS, 0, nil},
		{"other JSON", 200, jsonType, `{"jsonrpc":"2.0"}`, fortios.KindNotFortiOS, 0, []string{"not a FortiOS envelope"}},
		{"no status", 200, jsonType, `{"http_method":"GET","results":{}}`, fortios.KindNotFortiOS, 0, []string{"no member status"}},
		{"status error in 200", 200, jsonType, `{"http_method":"GET","status":"error","http_status":200}`, fortios.KindRefused, 0, []string{"HTTP 200"}},
		{"success with 201", 201, jsonType, `{"http_method":"POST","status":"success"}`, fortios.KindNotFortiOS, 0, []string{"HTTP 201"}},
		{"no content", 204, "", "", fortios.KindNotFortiOS, 0, nil},
		{"redirect", 302, htmlType, page, fortios.KindNotFortiOS, 0, []string{"redirect", "never followed"}},
		{"401 page", 401, htmlType, page, fortios.KindAuth, 0, []string{"trusted hosts", "lock this address out"}},
		{"401 JSON", 401, jsonType, refused(401, 0, `""`), fortios.KindAuth, 0, nil},
		{"429 page", 429, htmlType, page, fortios.KindLockedOut, 0, []string{"not a rate limit", "wait"}},
		{"403 page", 403, htmlType, page, fortios.KindForbidden, 0, []string{"trusted hosts", "admin profile", "VDOM"}},
		{"403 JSON without serial", 403, jsonType, `{"http_method":"GET","status":"error","http_status":403,"vdom":"root","path":"system","name":"status","action":""}`, fortios.KindForbidden, 0, []string{"admin profile"}},
		{"404 JSON", 404, jsonType, `{"http_method":"GET","status":"error","http_status":404,"revision":"1"}`, fortios.KindNotFound, 0, nil},
		{"404 page says nothing about an object", 404, htmlType, page, fortios.KindNotFortiOS, 0, []string{"HTTP 404"}},
		{"400", 400, jsonType, refused(400, 0, `""`), fortios.KindRefused, 0, []string{"the path or the form", "HTTP 400"}},
		{"413", 413, jsonType, refused(413, 0, `""`), fortios.KindRefused, 0, []string{"larger", "HTTP 413"}},
		{"424", 424, jsonType, refused(424, 0, `""`), fortios.KindRefused, 0, []string{"exists already", "parameter is missing", "not valid", "not set up", "HTTP 424"}},
		{"no such object, with a number", 500, jsonType, refused(500, -3, `""`), fortios.KindRefused, -3, []string{"does not exist"}},
		{"405", 405, jsonType, `{"http_method":"PUT","status":"error","http_status":405}`, fortios.KindMethodNotAllowed, 0, nil},
		{"in use", 500, jsonType, refused(500, -23, `"used by policy 1"`), fortios.KindInUse, -23, []string{"in use", "used by policy 1"}},
		{"in use by a kin", 500, jsonType, refused(500, -94, `""`), fortios.KindInUse, -94, nil},
		{"duplicate", 500, jsonType, refused(500, -5, `""`), fortios.KindDuplicate, -5, []string{"exists"}},
		{"duplicate entry", 424, jsonType, refused(424, -15, `""`), fortios.KindDuplicate, -15, nil},
		{"permission in 500", 500, jsonType, refused(500, -37, `""`), fortios.KindForbidden, -37, []string{"admin profile"}},
		{"cli_error text", 500, jsonType, refused(500, -651, `"node_check_object fail! for name x\n\nvalue parse error\n"`), fortios.KindRefused, -651, []string{"error -651", "a value is not valid", `name x\n\nvalue parse error`}},
		{"cli_error list", 500, jsonType, refused(500, -8102, `["admin's password required.","second"]`), fortios.KindForbidden, -8102, []string{"a person must", "required.; second"}},
		{"unknown number", 500, jsonType, refused(500, -4711, `""`), fortios.KindRefused, -4711, []string{"HTTP 500, error -4711"}},
		{"number as text", 500, jsonType, `{"http_method":"POST","status":"error","error":"-5"}`, fortios.KindDuplicate, -5, nil},
		{"500 page", 500, htmlType, page, fortios.KindNotFortiOS, 0, []string{"HTTP 500"}},
		{"503", 503, htmlType, page, fortios.KindNotFortiOS, 0, []string{"HTTP 503"}},
		{"413 without JSON", 413, htmlType, page, fortios.KindNotFortiOS, 0, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			d := newDevice(t, answer(tc.status, tc.contentType, tc.body))
			r := newClient(t, d.config()).Do(t.Context(), get(statusPath))
			if r.Err != nil || r.Status != tc.status || !r.BodyComplete {
				t.Fatalf("the facts: %+v", r)
			}
			if tc.kind == "" {
				if err := r.Fault(); err != nil {
					t.Errorf("fault %v", err)
				}
				return
			}
			e := wantKind(t, r.Fault(), tc.kind)
			if e.Code != tc.code || (e.Status != tc.status && tc.name != "refusal of one VDOM") {
				t.Errorf("code %d, status %d", e.Code, e.Status)
			}
			checkText(t, e.Error(), tc.want)
			if n := d.requests.Load(); n != 1 {
				t.Errorf("%d requests: nothing is retried", n)
			}
		})
	}
}

func checkText(t *testing.T, text string, want []string) {
	t.Helper()
	for _, part := range want {
		if !strings.Contains(text, part) {
			t.Errorf("text %q does not contain %q", text, part)
		}
	}
	if strings.ContainsAny(text, "<>") || strings.Contains(text, "Secret title") || strings.ContainsFunc(text, unicode.IsControl) || strings.Contains(text, secret) {
		t.Errorf("text %q holds markup, control characters or the token", text)
	}
}

func TestTheDevicesTextIsEscapedAndCut(t *testing.T) {
	for in, want := range map[string]string{
		`"a\u001b[31mred\u0007"`:              `a\x1b[31mred\a`,
		`"right\u202eleft"`:                   `right\u202eleft`,
		`"zero\u200bwidth\ufeff"`:             `zero\u200bwidth\ufeff`,
		`"line\u2028end\r\n  "`:               `line\u2028end`,
		`"Grüße 日本"`:                          "Grüße 日本",
		`["a\tb", " c "]`:                     `a\tb; c`,
		`17`:                                  "17",
		`"` + strings.Repeat("x", 9000) + `"`: strings.Repeat("x", 2048) + "…",
	} {
		list, err := fortios.DecodeEnvelope([]byte(refused(500, -1, in)))
		if err != nil || list[0].CLIError != want {
			t.Errorf("%.40s: %q, error %v", in, list[0].CLIError, err)
		}
	}
}

func TestErrorsAreOneLineAndUnwrap(t *testing.T) {
	cause := errors.New("cause\nwith a line break")
	err := &fortios.Error{Kind: fortios.KindTLS, Op: "GET /x", Message: "what happened", CLIError: "said", Err: cause}
	if got, want := err.Error(), `fortios: GET /x: what happened: cause\nwith a line break; the device says: said`; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	wrapped := fmt.Errorf("outer: %w", err)
	if !errors.Is(wrapped, cause) || fortios.KindOf(wrapped) != fortios.KindTLS || fortios.KindOf(cause) != "" || fortios.KindOf(nil) != "" {
		t.Error("kind or cause is lost")
	}
}

func TestEveryKnownNumberHasAMeaning(t *testing.T) {
	for _, code := range []int{-1, -2, -3, -4, -5, -7, -8, -9, -10, -14, -15, -16, -17, -18, -19, -20, -23, -30, -31, -33, -36, -37, -39, -45, -48, -49,
		-50, -54, -55, -56, -61, -72, -73, -92, -94, -95, -96, -97, -98, -99, -100, -101, -107, -145, -146, -147, -160, -162, -163, -542, -553, -560,
		-580, -650, -651, -653, -901, -902, -8102, -10000, -10001, -10002} {
		if fortios.Meaning(code) == "" {
			t.Errorf("%d has no meaning", code)
		}
	}
	if fortios.Meaning(0) != "" || fortios.Meaning(-4711) != "" {
		t.Error("a meaning for an unknown number")
	}
}
