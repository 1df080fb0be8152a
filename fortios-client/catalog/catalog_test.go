package catalog

import "testing"

func TestCountsAreThoseOfTheFactTable(t *testing.T) {
	c := Open()
	for kind, want := range map[Kind]int{Table: 483, Singleton: 229, Monitor: 424, "": 1136} {
		if got := c.Len(kind); got != want {
			t.Errorf("Len(%q) = %d, want %d", kind, got, want)
		}
	}
	if got := c.Decoded(); got != 0 {
		t.Errorf("counting decoded %d records", got)
	}
	for e := range c.Entries("") {
		var err error
		if e.Kind == Monitor {
			_, err = c.Endpoint(e.Path)
		} else {
			_, err = c.ResourceAt(e.Path, Version{})
		}
		if err != nil {
			t.Error(err)
		}
	}
	if c.Decoded() != 1136 {
		t.Error(c.Decoded())
	}
}

func BenchmarkPolicy(b *testing.B) {
	for b.Loop() {
		Open().Resource("firewall/policy")
	}
}
func BenchmarkAddress(b *testing.B) {
	c := Open()
	for b.Loop() {
		decode[Resource](c, "firewall/address", Table)
	}
}
