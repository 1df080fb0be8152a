package redact

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/schema"
)

// tunnel is a schema with secrets at every depth.
var tunnel = []schema.Attribute{
	{Name: "name", Type: "string"},
	{Name: "comments", Type: "var-string"},
	{Name: "password-policy", Type: "option"},
	{Name: "psksecret", Type: "password-3", Secret: true},
	{Name: "pin", Type: "integer", Secret: true},
	{Name: "headers", Type: "table", Key: "header", Attributes: []schema.Attribute{{Name: "header", Type: "string", Secret: true}}},
	{Name: "peer", Type: "table", Key: "id", Attributes: []schema.Attribute{
		{Name: "id", Type: "integer"},
		{Name: "auth-password", Type: "password", Secret: true},
		{Name: "backup", Type: "complex", Attributes: []schema.Attribute{
			{Name: "key", Type: "password", Secret: true}, {Name: "host", Type: "string"},
		}},
	}},
}

type object = map[string]any

const (
	hash = "SH2kWnHn5Vz0000000000000000000000000000000000000000000000000000000="
	pem  = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMIIB\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----"
)

func TestSecretsOfAnObjectAreMasked(t *testing.T) {
	tests := []struct {
		name         string
		read, masked object
		pointers     []string
	}{
		{"marked by the schema", object{"psksecret": "s3cret"}, object{"psksecret": Mask}, []string{"/psksecret"}},
		{"in the device's own masked form", object{"psksecret": "ENC XXXX"}, object{"psksecret": Mask}, []string{"/psksecret"}},
		{"unset stays visible", object{"psksecret": "", "pin": nil}, object{"psksecret": "", "pin": nil}, nil},
		{"a number", object{"pin": int64(1234)}, object{"pin": Mask}, []string{"/pin"}},
		{"in an unexpected shape", object{"psksecret": []any{object{"v": "s3cret"}}}, object{"psksecret": Mask}, []string{"/psksecret"}},
		{
			"inside rows and objects",
			object{"peer": []any{
				object{"id": int64(1), "auth-password": "a"},
				object{"id": int64(2), "backup": object{"key": "b", "host": "h"}},
			}},
			object{"peer": []any{
				object{"id": int64(1), "auth-password": Mask},
				object{"id": int64(2), "backup": object{"key": Mask, "host": "h"}},
			}},
			[]string{"/peer/0/auth-password", "/peer/1/backup/key"},
		},
		{"encrypted in an attribute that is none", object{"name": "ENC AAAA"}, object{"name": Mask}, []string{"/name"}},
		{
			"pasted into a comment",
			object{"comments": "was: set psksecret ENC 5hR2aZ+Q0w==, keep\n" + pem + "\nhash " + hash + " end"},
			object{"comments": "was: set psksecret " + Mask + ", keep\n" + Mask + "\nhash " + Mask + " end"},
			[]string{"/comments"},
		},
		{
			"deep inside what the schema does not have",
			object{"new~thing": object{"list/of": []any{"x", pem}}},
			object{"new~thing": object{"list/of": []any{"x", Mask}}},
			[]string{"/new~0thing/list~1of/1"},
		},
		{
			"by name where the schema does not have it",
			object{"new": object{"api-key": "k", "api-key-type": "rsa"}, "enc-password2": "p"},
			object{"new": object{"api-key": Mask, "api-key-type": "rsa"}, "enc-password2": Mask},
			[]string{"/enc-password2", "/new/api-key"},
		},
		{"not by name where the schema says otherwise", object{"password-policy": "enable"}, object{"password-policy": "enable"}, nil},
		{
			"nothing else",
			object{"name": "ENCLAVE", "comments": "see ENC Standards, SH2 hash, PRIVATE KEY and ENC XXXX", "q": canon.Number("1.5")},
			object{"name": "ENCLAVE", "comments": "see ENC Standards, SH2 hash, PRIVATE KEY and ENC XXXX", "q": canon.Number("1.5")},
			nil,
		},
		{
			"the key of rows that is a secret, also where the device repeats it",
			object{"headers": []any{object{"header": "s", "q_origin_key": "s"}, object{"q_origin_key": int64(7)}}, "peer": []any{object{"id": int64(1), "q_origin_key": int64(1)}}},
			object{"headers": []any{object{"header": Mask, "q_origin_key": Mask}, object{"q_origin_key": Mask}}, "peer": []any{object{"id": int64(1), "q_origin_key": int64(1)}}},
			[]string{"/headers/0/header", "/headers/0/q_origin_key", "/headers/1/q_origin_key"},
		},
		{"no object", nil, nil, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			masked, pointers := Object(tunnel, test.read)
			if diff := cmp.Diff(test.masked, masked); diff != "" {
				t.Errorf("masked (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(test.pointers, pointers); diff != "" {
				t.Errorf("pointers (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSecretsHaveForms(t *testing.T) {
	secret := []string{
		"ENC XXXX", `"ENC abc"`, "  ENC abc", "set key ENC abcd1234", "set key ENC \"AbCd+/12==\"", hash, "x " + hash,
		"AK1Zq4Vt0000000000000000000000000000000000000=", pem,
		"-----BEGIN RSA PRIVATE KEY-----\nMIIB cut off", "-----BEGIN PRIVATE KEY-----\\nMII\\n-----END PRIVATE KEY-----",
		"-----BEGIN PGP PRIVATE KEY BLOCK-----\nx\n-----END PGP PRIVATE KEY BLOCK-----",
	}
	for _, text := range secret {
		if !SecretText(text) {
			t.Errorf("not found: %q", text)
		}
	}
	plain := []string{
		"", "ENC", "ENCODE abcd1234", "frequENC abcd1234", "see ENC Standards", "SH2", "SH256 digest", "FRESH2000000000000000000000000",
		"-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----", "-----BEGIN PUBLIC KEY-----", Mask,
	}
	for _, text := range plain {
		if SecretText(text) {
			t.Errorf("found in %q", text)
		}
	}
}

func TestNamesThatPromiseASecret(t *testing.T) {
	secret := []string{
		"password", "Password", "passwd", "user_password", "password2", "login-passwd", "enc-password", "secret", "clientSecret",
		"token", "access_token", "accessToken", "api_key", "api-key", "apikey", "APIKey", "psk", "psksecret", "psksecret-remote",
		"private-key", "privateKey", "preshared-key", "pre-shared-key", "auth-key", "passphrase", "passcode", "credentials", "pwd", "auth-password-l1", "md5-key", "secondary-key", "authkey",
		"activation_code", "sim1-pin-code", "sim_pin", "puk1", "server-key", "license_key", "eab-key-hmac", "key-string", "auth-string", "passwd-value", "password_hash", "session_cookie", "passwords", "ddns-key",
	}
	for _, name := range secret {
		if !SecretName(name) {
			t.Errorf("%s passes", name)
		}
	}
	plain := []string{
		"", "name", "key", "mkey", "public-key", "password-policy", "password_expire", "token-type", "fortitoken", "secretary",
		"passwd-time", "keyword", "serial", "---", "123", "pinned", "shipping", "code", "zip-code", "status_code", "hash", "config_hash", "public_key", "foreign-key", "string", "init", "spin", "otpauth",
		"cookies", "bypass", "pass", "seed", "value", "community", "license",
	}
	for _, name := range plain {
		if SecretName(name) {
			t.Errorf("%s is taken for a secret", name)
		}
	}
}

func TestUntypedDataIsMaskedByNameAndByValue(t *testing.T) {
	read := []any{object{
		"user": "alice", "password": "p", "password_set": true, "token": object{"id": int64(7), "on": true, "values": []any{"v", "", nil}},
		"secret": "", "api_key": nil, "passwd": false, "note": "key " + hash,
	}}
	want := []any{object{
		"user": "alice", "password": Mask, "password_set": true, "token": object{"id": Mask, "on": true, "values": []any{Mask, "", nil}},
		"secret": "", "api_key": nil, "passwd": false, "note": "key " + Mask,
	}}
	masked, pointers := Untyped(read, SecretName)
	if diff := cmp.Diff(any(want), masked); diff != "" {
		t.Errorf("masked (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"/0/note", "/0/password", "/0/token/id", "/0/token/values/0"}, pointers); diff != "" {
		t.Errorf("pointers (-want +got):\n%s", diff)
	}
}

func TestTheCallerNamesTheSecretsOfUntypedData(t *testing.T) {
	masked, pointers := Untyped(object{"password": "p", "seed": "s"}, func(name string) bool { return name == "seed" })
	if diff := cmp.Diff(any(object{"password": "p", "seed": Mask}), masked); diff != "" {
		t.Errorf("masked (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"/seed"}, pointers); diff != "" {
		t.Errorf("pointers (-want +got):\n%s", diff)
	}
}

// marked is text that tests put where a secret is; open where none is.
const (
	marked = "s3cret-marker"
	open   = "plain-marker"
)

// drawn is an object with marked secrets and plain values, and how many of each.
type drawn struct {
	value          any
	secrets, plain int
}

func drawObject(t *rapid.T, attrs []schema.Attribute) drawn {
	d := drawn{}
	o := object{}
	for _, a := range attrs {
		if !rapid.Bool().Draw(t, "has "+a.Name) {
			continue
		}
		part := drawAttribute(t, a)
		o[a.Name] = part.value
		d.secrets, d.plain = d.secrets+part.secrets, d.plain+part.plain
	}
	d.value = o
	return d
}

func drawAttribute(t *rapid.T, a schema.Attribute) drawn {
	switch {
	case a.Secret:
		text := rapid.SampledFrom([]any{marked, []any{marked}, object{"x": marked}, "ENC " + marked}).Draw(t, "secret")
		return drawn{value: text, secrets: 1}
	case a.Type == "table":
		d := drawn{}
		rows := []any{}
		for range rapid.IntRange(0, 3).Draw(t, "rows") {
			row := drawObject(t, a.Attributes)
			rows = append(rows, row.value)
			d.secrets, d.plain = d.secrets+row.secrets, d.plain+row.plain
		}
		d.value = rows
		return d
	case a.Type == "complex":
		return drawObject(t, a.Attributes)
	}
	pasted := rapid.SampledFrom([]string{
		"", pem, hash, "-----BEGIN PRIVATE KEY-----\n" + marked, "ENC c2VjcmV0" + "MTIzNDU2Nzg5MA==",
	}).Draw(t, "pasted")
	if pasted == "" {
		return drawn{value: open, plain: 1}
	}
	return drawn{value: open + " " + pasted, secrets: 1, plain: 1}
}

func TestNoMarkedSecretSurvivesAndNothingElseIsLost(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := drawObject(t, tunnel)
		read, _ := d.value.(object)
		before := text(read)
		masked, pointers := Object(tunnel, read)
		after := text(masked)
		for _, secret := range []string{marked, "MIIB", hash, "c2VjcmV0"} {
			if strings.Contains(after, secret) {
				t.Fatalf("a secret survived in %s", after)
			}
		}
		if n := strings.Count(after, open); n != d.plain {
			t.Fatalf("%d of %d plain values are left", n, d.plain)
		}
		if len(pointers) != d.secrets {
			t.Fatalf("%d pointers for %d secrets", len(pointers), d.secrets)
		}
		for _, p := range pointers {
			if at, ok := resolve(masked, p).(string); !ok || !strings.Contains(at, Mask) {
				t.Fatalf("%s does not lead to a mask", p)
			}
		}
		if text(read) != before {
			t.Fatal("the object itself was changed")
		}
		again, _ := Object(tunnel, masked)
		if text(again) != after {
			t.Fatal("masking twice gives something else")
		}
	})
}

func TestMaskingSharesNothing(t *testing.T) {
	read := object{"peer": []any{object{"id": int64(1)}}, "new": object{"a": []any{"b"}}}
	masked, _ := Object(tunnel, read)
	want := text(masked)
	read["peer"].([]any)[0].(object)["id"] = int64(2)
	read["new"].(object)["a"].([]any)[0] = "changed"
	if text(masked) != want {
		t.Error("a change of the object shows in the masked copy")
	}
}

func text(v any) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return fmt.Sprint(err)
	}
	return b.String()
}

// resolve follows a pointer that [fault.Pointer] wrote.
func resolve(v any, pointer string) any {
	for _, token := range strings.Split(pointer, "/")[1:] {
		switch x := v.(type) {
		case object:
			v = x[strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")]
		case []any:
			var i int
			if _, err := fmt.Sscan(token, &i); err != nil || fault.Pointer(i) != "/"+token || i >= len(x) {
				return nil
			}
			v = x[i]
		default:
			return nil
		}
	}
	return v
}

// What a device says in words is masked before it is cut, whichever way its line ends
// and signs are written there.
func TestTheWordsOfADeviceAreMasked(t *testing.T) {
	const body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ"
	tests := map[string]struct{ in, want string }{
		"plain words stay":                {"value parse error before 'x' in firewall/address", "value parse error before 'x' in firewall/address"},
		"an encrypted value":              {"node_check_object fail! for comment ENC Ab3+/9Zk0w== now", "node_check_object fail! for comment " + Mask + " now"},
		"with escaped slashes":            {`{"x":"ENC Ab3\/9Zk0wAb3\/9Zk0w=="}`, `{"x":"` + Mask + `"}`},
		"over an escaped line end":        {`was ENC ` + strings.Repeat("Ab3d", 16) + `\nAb3d9Zk0w== end`, "was " + Mask + " end"},
		"behind an escaped line end":      {`a\nENC Ab3d9Zk0w==\nSH2kWnHn5Vz00000000000000\nset psksecret hunter2\nmore end`, `a\n` + Mask + `\n` + Mask + `\nset psksecret ` + Mask + ` end`},
		"with escaped quotes":             {`was ENC \"Ab3d9Zk0w==\"`, `was ` + Mask + `\"`},
		"in a query":                      {"filter=x==ENC%20Ab3d9Zk0w==", "filter=x==" + Mask},
		"a hash with escaped slashes":     {`SH2kWn\/Hn5Vz000000000000\/00000=`, Mask},
		"a key":                           {"a " + pem + " b", "a " + Mask + " b"},
		"a key with escaped line ends":    {`a -----BEGIN RSA PRIVATE KEY-----\n` + body + `\n-----END RSA PRIVATE KEY----- b`, "a " + Mask + " b"},
		"a key without its end":           {"a -----BEGIN RSA PRIVATE KEY-----\n" + body, "a " + Mask},
		"a key without its beginning":     {"before '" + body + "\n" + body + "=\n-----END PRIVATE KEY-----' b", "before '" + Mask + "' b"},
		"the rest of a key, escaped ends": {"before '" + body + `\n` + body + `\r\n-----END PRIVATE KEY-----' b`, "before '" + Mask + "' b"},
		"a value behind a secret name":    {"set psksecret hunter2; next", "set psksecret " + Mask + "; next"},
		"a quoted one":                    {`set passwd "hunter 2" and`, "set passwd " + Mask + " and"},
		"as a check repeats it":           {"node_check_object fail! for passwd hunter2", "node_check_object fail! for passwd " + Mask},
		"another attribute's stays":       {"node_check_object fail! for subnet 10.0.0.0/33", "node_check_object fail! for subnet 10.0.0.0/33"},
		"a policy for passwords stays":    {"set password-policy enable", "set password-policy enable"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			got := Text(test.in)
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if again := Text(got); again != got {
				t.Errorf("masking again gives %q", again)
			}
		})
	}
}

// A cut does not take the form away by which a secret is known.
func TestALineIsMaskedBeforeItIsCut(t *testing.T) {
	for _, secret := range []string{pem, hash, "ENC Ab3d9Zk0wAb3d9Zk0w=="} {
		for before := range 80 {
			in := strings.Repeat("x", before) + " " + secret
			if got := Line(in, 80); strings.Contains(got, secret[:12]) {
				t.Fatalf("%d columns before it: %q", before, got)
			}
		}
	}
}
