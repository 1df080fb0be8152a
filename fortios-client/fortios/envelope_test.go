package fortios_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/fortios-client/fortios"
)

func ptr[T any](v T) *T { return &v }

func TestAnEnvelopeIsDecodedMemberByMember(t *testing.T) {
	for _, tc := range []struct {
		name, body string
		want       fortios.Envelope
	}{
		{"table", `{"http_method":"GET","size":3,"matched_count":2,"next_idx":2,"revision":"r","results":[ {"a":1} ],"vdom":"root","path":"firewall","name":"address",` +
			`"status":"success","http_status":200,"serial":"FGTEST0000000001","version":"v7.4.8","build":2795,"action":"","limit_reached":false}`,
			fortios.Envelope{HTTPMethod: "GET", Size: ptr(3), MatchedCount: ptr(2), NextIdx: ptr(2), Revision: "r", Results: []byte(`[ {"a":1} ]`), VDOM: "root", Path: "firewall",
				Name: "address", Status: "success", HTTPStatus: 200, Serial: "FGTEST0000000001", Version: "v7.4.8", Build: 2795}},
		{"write", `{"http_method":"POST","revision":"b","revision_changed":true,"old_revision":"a","mkey":17,"status":"success","http_status":200}`,
			fortios.Envelope{HTTPMethod: "POST", Revision: "b", RevisionChanged: ptr(true), OldRevision: "a", MKey: "17", Status: "success", HTTPStatus: 200}},
		{"large key keeps its digits", `{"status":"success","mkey":12345678901234567890123}`, fortios.Envelope{Status: "success", MKey: "12345678901234567890123"}},
		{"numbers as text and text as numbers", `{"status":"success","build":"7","revision":1652165894,"size":"0","http_status":"200"}`,
			fortios.Envelope{Status: "success", Build: 7, Revision: "1652165894", Size: ptr(0), HTTPStatus: 200}},
		{"null is absent", `{"status":"error","serial":null,"results":null,"size":null,"cli_error":null,"revision_changed":null,"error":null,"vdom":null}`, fortios.Envelope{Status: "error"}},
		{"names are literal", `{"status":"error","Status":"success","SERIAL":"FGTEST0000000001"}`, fortios.Envelope{Status: "error"}},
		{"escaped slash", `{"status":"success","mkey":"a\/b","revision_changed":false}`, fortios.Envelope{Status: "success", MKey: "a/b", RevisionChanged: ptr(false)}},
		{"blanks around", " \r\n\t{\"status\":\"success\"}\n ", fortios.Envelope{Status: "success"}},
		{"empty serial", `{"status":"success","serial":""}`, fortios.Envelope{Status: "success"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, form := range []string{tc.body, "[" + tc.body + "]"} {
				got, err := fortios.DecodeEnvelope([]byte(form))
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff([]fortios.Envelope{tc.want}, got); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func TestWhatIsNoEnvelope(t *testing.T) {
	deep := func(n int) string {
		return `{"status":"success","results":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}"
	}
	if _, err := fortios.DecodeEnvelope([]byte(deep(63))); err != nil {
		t.Errorf("64 levels: %v", err)
	}
	if _, err := fortios.DecodeEnvelope([]byte(`{"status":"success","results":"` + strings.Repeat("[", 100) + `\"[["}`)); err != nil {
		t.Errorf("brackets in a text: %v", err)
	}
	many := "{"
	for i := range 300 {
		many += `"m` + strings.Repeat("x", i) + `":0,`
	}
	for name, body := range map[string]string{
		"empty": "", "blanks": "  \n", "number": "1", "text": `"x"`, "null": "null", "page": page, "cut": `{"status":"suc`, "cut list": `[{"status":"success"}`,
		"trailing": `{"status":"success"}x`, "two": `{"status":"success"}{"status":"success"}`, "empty list": "[]", "list of numbers": "[1]", "list in a list": `[[{"status":"success"}]]`,
		"no member of an envelope": `{"a":1}`, "too deep": deep(64), "far too deep": strings.Repeat("[", 100000), "twice": `{"status":"error","status":"success"}`,
		"twice, escaped": `{"status":"error","stat\u0075s":"success"}`, "many members": many + `"status":"success"}`,
		"serial in lower case": `{"status":"success","serial":"fgtest0000000001"}`, "serial with a line break": `{"status":"success","serial":"FGTEST0000000001\n"}`,
		"short serial": `{"status":"success","serial":"FGT"}`, "long serial": `{"status":"success","serial":"` + strings.Repeat("A", 33) + `"}`, "serial is a list": `{"status":"success","serial":[]}`,
		"status is a list": `{"status":[]}`, "error is a text": `{"status":"error","error":"bad"}`, "error is a fraction": `{"status":"error","error":-5.5}`,
		"size is an object": `{"status":"success","size":{}}`, "changed is a text": `{"status":"success","revision_changed":"yes"}`, "cli_error is an object": `{"status":"error","cli_error":{}}`,
		"byte order mark": "\ufeff" + `{"status":"success"}`,
	} {
		t.Run(name, func(t *testing.T) {
			got, err := fortios.DecodeEnvelope([]byte(body))
			e := wantKind(t, err, fortios.KindNotFortiOS)
			if got != nil {
				t.Errorf("envelopes %v with an error", got)
			}
			checkText(t, e.Error(), nil)
		})
	}
}

func FuzzDecodeEnvelope(f *testing.F) {
	for _, seed := range []string{envelope("root", "[]", ""), "[" + envelope("a", "{}", `,"size":1`) + "]", refused(500, -5, `["a","b"]`), page, "", `{"status":"success","serial":"x"}`, `[[]]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		list, err := fortios.DecodeEnvelope(body)
		if err != nil {
			checkText(t, wantKind(t, err, fortios.KindNotFortiOS).Error(), nil)
			return
		}
		if len(list) == 0 {
			t.Error("neither envelope nor error")
		}
		for _, e := range list {
			if e.Serial != "" && (len(e.Serial) < 6 || strings.Trim(e.Serial, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "") {
				t.Errorf("serial %q", e.Serial)
			}
			if strings.ContainsAny(e.CLIError, "\n\r\x00\x1b") || len(e.CLIError) > 2<<10+len("…") {
				t.Errorf("cli_error %q", e.CLIError)
			}
		}
	})
}
