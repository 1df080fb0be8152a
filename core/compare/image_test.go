package compare

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/schema"
)

var resource = &schema.Resource{
	Path: "firewall/address", Kind: schema.Table, Key: "name", KeyType: "string",
	Attributes: append([]schema.Attribute{
		{Name: "speed", Type: "integer"}, {Name: "hits", Type: "integer", ReadOnly: true},
		{Name: "listing", Type: "key"}, {Name: "start-utc", Type: "user"}, {Name: "external", Type: "option"},
	}, address...),
}

func TestAnImageHoldsTheConfigurationOnly(t *testing.T) {
	read := object{
		"name": "lan", "q_origin_key": "lan", "subnet": "10.0.0.7/24", "comment": "",
		"uuid": "00000000-0000-51ea-0000-000000000001", "uuid-idx": int64(3), "snmp-index": int64(4), "start-utc": "1",
		"hits": int64(7), "listing": list("a"), "token": "ENC XXXX", "external": "enable",
		"speed": canon.Number("1000.0"), "color": 7,
		"member": named("b", "a"),
		"hosts":  list(object{"id": int64(1), "key": "ENC XXXX", "q_origin_key": int64(1)}),
		"ipv6":   object{"ip6-address": "::/0", "dhcp6-secret": "s"},
		"new":    object{"psksecret": "s", "big": canon.Number("18446744073709551615"), "uuid": "1", "text": "ENC XXXX"},
		"blobs":  list("ENC XXXX", "kept"),
		"weight": json.Number("12"), "ratio": json.Number("0.5"),
	}
	want := object{
		"name": "lan", "subnet": "10.0.0.7/24", "comment": "", "external": "enable",
		"speed": object{"$num": "1000.0"}, "color": int64(7),
		"member": list(object{"name": "b"}, object{"name": "a"}),
		"hosts":  list(object{"id": int64(1)}),
		"ipv6":   object{"ip6-address": "::/0"},
		"new":    object{"big": object{"$num": "18446744073709551615"}},
		"blobs":  list("kept"),
		"weight": int64(12), "ratio": object{"$num": "0.5"},
	}
	image := Image(resource, read)
	if diff := cmp.Diff(want, image); diff != "" {
		t.Errorf("image (-want +got):\n%s", diff)
	}
	if _, err := canon.Encode(image); err != nil {
		t.Errorf("the image is not canonical: %v", err)
	}
	if diff := cmp.Diff(image, Image(resource, image)); diff != "" {
		t.Errorf("the image of an image is another one (-want +got):\n%s", diff)
	}
}

func TestAnInterfacesStateIsNotConfiguration(t *testing.T) {
	read := object{"name": "port1", "external": "disable", "internal": int64(0), "cli-conn-status": int64(1), "devindex": int64(3)}
	image := Image(&schema.Resource{Path: "system/interface", Key: "name"}, read)
	if diff := cmp.Diff(object{"name": "port1"}, image); diff != "" {
		t.Errorf("image (-want +got):\n%s", diff)
	}
}

func TestAKeyStaysInTheImage(t *testing.T) {
	r := &schema.Resource{Key: "uuid", Attributes: []schema.Attribute{{Name: "uuid", Type: "uuid", ReadOnly: true}}}
	if diff := cmp.Diff(object{"uuid": "1"}, Image(r, object{"uuid": "1"})); diff != "" {
		t.Errorf("image (-want +got):\n%s", diff)
	}
}

func TestAnImageSharesNothing(t *testing.T) {
	read := object{"name": "lan", "member": named("a"), "ipv6": object{"ip6-address": "::/0"}}
	image := Image(resource, read)
	read["member"].([]any)[0].(object)["name"] = "changed"
	read["ipv6"].(object)["ip6-address"] = "changed"
	want := object{"name": "lan", "member": list(object{"name": "a"}), "ipv6": object{"ip6-address": "::/0"}}
	if diff := cmp.Diff(want, image); diff != "" {
		t.Errorf("image (-want +got):\n%s", diff)
	}
}

func TestADigestFollowsTheConfiguration(t *testing.T) {
	read := func(change object) canon.Digest {
		o := object{"name": "lan", "comment": "x", "token": "ENC AAAA", "uuid": "1"}
		for name, v := range change {
			o[name] = v
		}
		d, err := ImageDigest(resource, o)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	same := read(nil)
	if read(object{"token": "ENC BBBB", "uuid": "2", "hits": int64(9)}) != same {
		t.Error("a secret shown with new salt, a uuid or a counter changes the digest")
	}
	if read(object{"comment": "y"}) == same {
		t.Error("a comment does not change the digest")
	}
	if _, err := ImageDigest(resource, nil); err == nil {
		t.Error("no object has a digest")
	}
	if _, err := ImageDigest(resource, object{"comment": "a\x00b"}); err == nil {
		t.Error("a value without a canonical form has a digest")
	}
}

func TestMasksAreNeverSent(t *testing.T) {
	masked := []any{
		"ENC XXXX", "ENC 5hR2aZ==", " ENC x", `"ENC x"`, "enc x", "<redacted>", "<REDACTED>", "[masked]", "<secret>",
		"********", "**", "••••", "●●●●",
	}
	for _, v := range masked {
		if !LooksMasked(v) {
			t.Errorf("%q is taken for a secret", v)
		}
	}
	plain := []any{"", "*", "ENCRYPT", "redacted", "a*b", "s3cret", "<>", int64(0), nil, object{"$secret": "s0"}, list("**")}
	for _, v := range plain {
		if LooksMasked(v) {
			t.Errorf("%v is taken for a mask", v)
		}
	}
}
