package schema

import (
	"testing"

	"pgregory.net/rapid"
)

func TestReleasesAreThreeNumbers(t *testing.T) {
	good := map[string]Version{
		"7.4.8": {7, 4, 8}, "v7.4.8": {7, 4, 8}, "7.0.17": {7, 0, 17}, "8.0.0": {8, 0, 0}, "6.2.999": {6, 2, 999},
	}
	for text, want := range good {
		if v, ok := ParseVersion(text); !ok || v != want {
			t.Errorf("%q: %v, %t", text, v, ok)
		}
	}
	bad := []string{
		"", "7", "7.4", "7.4.8.1", "7.4.x", "v", "vv7.4.8", "V7.4.8", " 7.4.8", "7.4.8 ", "7..8", "7.-4.8", "+7.4.8", "7.4.+8",
		"7.4.1000", "7.4.08", "07.4.8", "-0.1.2", "7.4.8-beta", "7,4,8", "0.0.0", "7.4.99999999999999999999",
	}
	for _, text := range bad {
		if v, ok := ParseVersion(text); ok || !v.IsZero() {
			t.Errorf("%q: taken for %v", text, v)
		}
	}
}

func TestAReleaseIsWrittenAsItIsRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.IntRange(0, 999)
		v := Version{part.Draw(t, "major"), part.Draw(t, "minor"), part.Draw(t, "patch")}
		if v.IsZero() {
			if v.String() != "" {
				t.Fatal("no release has a name")
			}
			return
		}
		if again, ok := ParseVersion(v.String()); !ok || again != v {
			t.Fatalf("%v is read as %v", v, again)
		}
	})
}

func TestReleasesAreOrderedByNumber(t *testing.T) {
	ascending := []Version{{}, {6, 4, 15}, {7, 0, 2}, {7, 0, 10}, {7, 2, 0}, {7, 10, 0}, {8, 0, 0}}
	for i, a := range ascending {
		for j, b := range ascending {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := a.Compare(b); got != want {
				t.Errorf("%v to %v: %d, want %d", a, b, got, want)
			}
		}
	}
}

func TestAttributesAreFoundByPath(t *testing.T) {
	r := &Resource{
		KeyType: "integer",
		Attributes: []Attribute{
			{Name: "name"},
			{Name: "member", Type: "table", Attributes: []Attribute{{Name: "name", Size: 79}}},
		},
	}
	if a, ok := r.Find("member/name"); !ok || a.Size != 79 {
		t.Errorf("member/name: %+v, %t", a, ok)
	}
	if a, ok := r.Attribute("member"); !ok || !a.IsTable() {
		t.Errorf("member: %+v, %t", a, ok)
	}
	for _, path := range []string{"", "/", "member/", "member/x", "name/x", "member/name/x", "x"} {
		if a, ok := r.Find(path); ok || a != nil {
			t.Errorf("%q: found %+v", path, a)
		}
	}
	if member, _ := r.Attribute("member"); member.HoldsSecret() {
		t.Error("member holds no secret")
	}
	if _, ok := r.Attributes[1].Attribute("x"); ok {
		t.Error("a child attribute is found that is none")
	}
	if !r.IntegerKey() || (&Resource{KeyType: "string"}).IntegerKey() {
		t.Error("the kind of key is wrong")
	}
}

func TestASecretBelowIsASecretHeld(t *testing.T) {
	deep := Attribute{Attributes: []Attribute{{Name: "x"}, {Attributes: []Attribute{{Secret: true}}}}}
	if !deep.HoldsSecret() || !(&Attribute{Secret: true}).HoldsSecret() || (&Attribute{Attributes: []Attribute{{}}}).HoldsSecret() {
		t.Error("HoldsSecret does not look below")
	}
}
