package screen

import (
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/plan"
	"pgregory.net/rapid"
)

func TestPromptAsksMoreOfDangerousPlans(t *testing.T) {
	tests := []struct {
		tier         plan.Tier
		lockout      bool
		text, wanted string
	}{
		{plan.Low, false, "Type the code  K7Q2M9  to approve: ", "K7Q2M9"},
		{plan.Medium, false, "Type the code  K7Q2M9  to approve: ", "K7Q2M9"},
		{plan.High, false, "Type  home K7Q2M9  to approve: ", "home K7Q2M9"},
		{plan.Critical, false, "Type the last 6 characters of the serial and the code  K7Q2M9  to approve: ", "012345 K7Q2M9"},
		{plan.Critical, true, "Type the last 6 characters of the serial and the code  K7Q2M9  and the word  lockout  to approve: ", "012345 K7Q2M9 lockout"},
		{"odd", false, "Type the last 6 characters of the serial and the code  K7Q2M9  to approve: ", "012345 K7Q2M9"},
	}
	for _, test := range tests {
		text, wanted := Prompt(test.tier, "home", "FGT60FTK20012345", "K7Q2M9", test.lockout)
		if text != test.text || wanted != test.wanted {
			t.Errorf("%s: %q wants %q; should be %q, %q", test.tier, text, wanted, test.text, test.wanted)
		}
	}
	if _, wanted := Prompt(plan.Critical, "home", "F1", "K7Q2M9", false); wanted != "F1 K7Q2M9" {
		t.Errorf("a short serial: %q", wanted)
	}
}

func TestCodes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		random := rapid.SliceOfN(rapid.Byte(), 16, 32).Draw(t, "random")
		digest := rapid.String().Draw(t, "digest")
		code := Code(random, digest)
		if len(code) != CodeLength || strings.Trim(code, alphabet) != "" || code != Code(random, digest) {
			t.Fatalf("code %q", code)
		}
	})
	if strings.ContainsAny(alphabet, "0O1IL") || len(alphabet) != 31 {
		t.Errorf("alphabet %q", alphabet)
	}
	seen := map[string]bool{}
	for i := range 1000 {
		seen[Code([]byte{byte(i), byte(i >> 8)}, "sha256:00")] = true
		seen[Code([]byte("session"), "sha256:"+strings.Repeat("0", i))] = true
	}
	if len(seen) < 1990 {
		t.Errorf("2000 sessions and digests gave %d codes", len(seen))
	}
}

func TestAddressesAreInterpreted(t *testing.T) {
	tests := map[string]string{
		"10.0.0.0 255.0.0.0":       " = 16,777,216 addresses, 10.0.0.0 to 10.255.255.255",
		"10.0.0.0/255.255.255.0":   " = 256 addresses, 10.0.0.0 to 10.0.0.255",
		"192.0.2.77/24":            " = 256 addresses, 192.0.2.0 to 192.0.2.255",
		"192.0.2.1/32":             " = 1 address",
		"0.0.0.0 0.0.0.0":          " = 4,294,967,296 addresses, 0.0.0.0 to 255.255.255.255",
		"2001:db8::/64":            " = 2^64 addresses, 2001:db8:: to 2001:db8::ffff:ffff:ffff:ffff",
		"2001:db8::/120":           " = 256 addresses, 2001:db8:: to 2001:db8::ff",
		"10.0.0.0 255.0.255.0":     "",
		"10.0.0.1":                 "",
		"a b":                      "",
		"":                         "",
		"10.0.0.0 255.0.0.0 extra": "",
	}
	for in, want := range tests {
		if got := interpret(in); string(got) != want {
			t.Errorf("interpret(%q) = %q, want %q", in, got, want)
		}
	}
}
