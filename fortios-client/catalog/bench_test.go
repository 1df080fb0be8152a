package catalog

import "testing"

// The target is one millisecond for a search, once the first has been made.
func BenchmarkSearch(b *testing.B) {
	for _, query := range []string{"firewall address", "srcaddr", "static route gateway", "e"} {
		b.Run(query, func(b *testing.B) {
			c := Open()
			c.Search(query, "")
			b.ReportAllocs()
			for b.Loop() {
				c.Search(query, "")
			}
		})
	}
}

func BenchmarkFirstSearch(b *testing.B) {
	for b.Loop() {
		Open().Search("address", "")
	}
}

func BenchmarkFirstLookUp(b *testing.B) {
	for _, path := range []string{"firewall/address", "firewall/policy"} {
		b.Run(path, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Open().Resource(path); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkLookUp(b *testing.B) {
	c := Open()
	for b.Loop() {
		if _, err := c.ResourceAt("firewall/policy", Version{7, 4, 8}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkOpen(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Open()
	}
}
