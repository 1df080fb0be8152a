package compare

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/schema"
)

var kinds = []string{
	"string", "var-string", "option", "integer", "user", "uuid", "datetime", "ether-type", "unheard-of",
	"ipv4-address", "ipv4-netmask", "ipv4-classnet", "ipv4-classnet-any", "ipv4-classnet-host",
	"ipv6-address", "ipv6-prefix", "ipv6-network", "ipv6-wildcard", "mac-address",
}

// anyValue draws canonical values, and texts that look like what devices send.
func anyValue(depth int) *rapid.Generator[any] {
	scalars := []*rapid.Generator[any]{
		rapid.Just[any](nil),
		rapid.Map(rapid.String(), func(s string) any { return s }),
		rapid.Map(rapid.Int64Range(-canon.MaxInteger, canon.MaxInteger), func(n int64) any { return n }),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Map(rapid.StringMatching(`-?[0-9]{1,30}(\.[0-9]{1,5})?`), func(s string) any { return canon.Number(s) }),
		rapid.SampledFrom([]any{
			"10.0.0.7/24", "10.0.0.7 255.255.255.0", "10.0.0.7", "0.0.0.0", "::/0", "2001:db8::7/64", "00:11:22:AA:bb:cc",
			"/24", "24", "ping https", ` "port9" 0 `, `"`, `"a`, `\"`, "ENC XXXX", "enable", "1", "007", "-0", "1.50", "::ffff:10.0.0.1",
		}),
	}
	if depth == 0 {
		return rapid.OneOf(scalars...)
	}
	below := anyValue(depth - 1)
	name := rapid.SampledFrom([]string{"name", "id", "ip", "key", "ha-direct", "q_origin_key", "uuid", "other", "$num"})
	return rapid.OneOf(append(scalars,
		rapid.Map(rapid.SliceOfN(below, 0, 4), func(l []any) any { return l }),
		rapid.Map(rapid.MapOfN(name, below, 0, 4), func(m map[string]any) any { return m }),
	)...)
}

func anyAttribute() *rapid.Generator[*schema.Attribute] {
	return rapid.Custom(func(t *rapid.T) *schema.Attribute {
		switch rapid.IntRange(0, 4).Draw(t, "shape") {
		case 0:
			return nil
		case 1:
			return rapid.SampledFrom([]*schema.Attribute{members, hosts, nested}).Draw(t, "nested")
		}
		return &schema.Attribute{
			Name: rapid.SampledFrom([]string{"x", "fqdn", "uuid", "start-utc", "q_type"}).Draw(t, "name"),
			Type: rapid.SampledFrom(kinds).Draw(t, "type"), Multi: rapid.Bool().Draw(t, "multi"),
			Default: rapid.SampledFrom([]any{nil, int64(0), "", "enable", "0.0.0.0"}).Draw(t, "default"),
			Options: rapid.SampledFrom([][]schema.Option{nil, {{Value: "enable"}, {Value: "1"}}}).Draw(t, "options"),
		}
	})
}

func TestEveryValueEqualsItself(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, v := anyAttribute().Draw(t, "attribute"), anyValue(3).Draw(t, "value")
		if equal, comparable := Equal(a, v, v); comparable && !equal {
			t.Fatalf("%#v does not equal itself as %+v", v, a)
		}
	})
}

func TestScalarsCompareTheSameBothWays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := anyAttribute().Draw(t, "attribute")
		v, w := anyValue(0).Draw(t, "v"), anyValue(0).Draw(t, "w")
		oneWay, comparable := Equal(a, v, w)
		otherWay, also := Equal(a, w, v)
		if oneWay != otherWay || comparable != also {
			t.Fatalf("%#v and %#v compare in one direction only", v, w)
		}
	})
}

func TestSpellingsOfANetworkAreEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.IntRange(0, 32).Draw(t, "bits")
		raw := rapid.Uint32().Draw(t, "address")
		mask, _ := mask4(fmt.Sprint(bits))
		spellings := []string{
			fmt.Sprintf("%s/%d", dotted(raw), bits), dotted(raw) + " " + dotted(mask), dotted(raw) + "  " + dotted(mask),
			dotted(raw) + "/" + dotted(mask),
		}
		if bits == 32 {
			spellings = append(spellings, dotted(raw))
		}
		for _, kind := range []string{"ipv4-classnet", "ipv4-classnet-any", "ipv4-classnet-host"} {
			for _, s := range spellings {
				if equal, comparable := Equal(attr(kind), spellings[0], s); !equal || !comparable {
					t.Fatalf("%s: %q and %q differ", kind, spellings[0], s)
				}
			}
		}
		cleared := dotted(raw&mask) + " " + dotted(mask)
		if equal, _ := Equal(attr("ipv4-classnet"), spellings[0], cleared); !equal {
			t.Fatalf("%q and %q differ as networks", spellings[0], cleared)
		}
		if equal, _ := Equal(attr("ipv4-classnet-host"), spellings[0], cleared); equal != (raw&mask == raw) {
			t.Fatalf("%q and %q as hosts: %t", spellings[0], cleared, equal)
		}
	})
}

func TestTheOrderOfSetsDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z0-9-]{1,8}`), 0, 6, rapid.ID[string]).Draw(t, "words")
		mixed := rapid.Permutation(words).Draw(t, "mixed")
		if equal, _ := Equal(multi("option"), strings.Join(words, " "), strings.Join(mixed, "  ")+" "); !equal {
			t.Fatalf("%q and %q differ as sets", words, mixed)
		}
		if equal, _ := Equal(members, named(words...), named(mixed...)); !equal {
			t.Fatalf("members %q and %q differ", words, mixed)
		}
		if len(words) == 0 {
			return
		}
		if equal, _ := Equal(members, named(words...), named(mixed[1:]...)); equal {
			t.Fatalf("members %q and %q are equal", words, mixed[1:])
		}
		if equal, _ := Equal(multi("option"), strings.Join(words, " "), strings.Join(mixed[1:], " ")); equal {
			t.Fatalf("%q and %q are equal as sets", words, mixed[1:])
		}
	})
}

func TestImagesAreCanonicalAndStable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		object := rapid.MapOfN(rapid.SampledFrom([]string{"name", "hosts", "member", "ipv6", "token", "speed", "new", "q_x"}),
			anyValue(3), 0, 6).Draw(t, "object")
		first, err := ImageDigest(resource, object)
		if err != nil {
			if strings.Contains(fmt.Sprint(err), "NUL") {
				t.Skip("a text with NUL has no canonical form")
			}
			t.Fatal(err)
		}
		again, err := ImageDigest(resource, Image(resource, object))
		if err != nil || again != first {
			t.Fatalf("the image of the image has another digest: %v", err)
		}
		for name := range Image(resource, object) {
			if name == "token" || name == "q_x" {
				t.Fatalf("%s is in the image", name)
			}
		}
	})
}
