package canon_test

import (
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/canon"
)

const sumOfNothing = "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

func TestSumIsSHA256(t *testing.T) {
	if got := canon.Sum(nil).String(); got != sumOfNothing {
		t.Errorf("Sum(nil) = %s", got)
	}
	if got := canon.SumIn("d", []byte("x")); got != canon.Sum([]byte("d\nx")) {
		t.Errorf("SumIn is not the hash of domain, newline and data: %s", got)
	}
}

func TestDomainsKeepHashesApart(t *testing.T) {
	if canon.SumIn("a", []byte("x")) == canon.SumIn("b", []byte("x")) {
		t.Error("two domains give one hash")
	}
}

func TestParseDigestTakesTheWrittenFormOnly(t *testing.T) {
	good, err := canon.ParseDigest(sumOfNothing)
	if err != nil || good != canon.Sum(nil) || good.String() != sumOfNothing || "sha256:"+good.Hex() != sumOfNothing {
		t.Fatalf("ParseDigest = %v, %v", good, err)
	}
	hex := strings.TrimPrefix(sumOfNothing, "sha256:")
	for name, text := range map[string]string{
		"nothing": "", "no algorithm": hex, "another algorithm": "sha512:" + hex, "upper case": "sha256:" + strings.ToUpper(hex),
		"too short": sumOfNothing[:len(sumOfNothing)-1], "too long": sumOfNothing + "0", "not hex": "sha256:" + strings.Repeat("g", 64),
		"white space": sumOfNothing + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			if d, err := canon.ParseDigest(text); err == nil || !d.IsZero() {
				t.Errorf("ParseDigest(%q) = %v, %v", text, d, err)
			}
		})
	}
}

func TestTheZeroDigestIsNoDigest(t *testing.T) {
	var zero canon.Digest
	zeros, err := canon.ParseDigest("sha256:" + strings.Repeat("0", 64))
	if err != nil {
		t.Fatal(err)
	}
	if !zero.IsZero() || zero.String() != "" || zero.Hex() != "" || zeros.IsZero() || zero == zeros {
		t.Error("the zero Digest is taken for a real one")
	}
	if err := zeros.UnmarshalText(nil); err != nil || !zeros.IsZero() {
		t.Errorf("empty text gave %v, %v", zeros, err)
	}
	if err := zeros.UnmarshalText([]byte("x")); err == nil {
		t.Error("text that is no digest was taken")
	}
}

func TestSumOfHashesTheEncoding(t *testing.T) {
	got, err := canon.SumOf(map[string]any{"b": 1, "a": 2})
	if err != nil || got != canon.Sum([]byte(`{"a":2,"b":1}`)) {
		t.Errorf("SumOf = %v, %v", got, err)
	}
	if d, err := canon.SumOf(1.5); err == nil || !d.IsZero() {
		t.Errorf("SumOf(1.5) = %v, %v", d, err)
	}
}
