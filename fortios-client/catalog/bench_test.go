package catalog

import "testing"

func BenchmarkSearch(b *testing.B) {
	c := Open()
	for _, query := range []string{"firewall address", "srcaddr", "static route gateway", "e"} {
		b.Run(query, func(b *testing.B) {
			c.Search(query, "")
			b.ReportAllocs()
			for b.Loop() {
				c.Search(query, "")
			}
		})
	}
}
