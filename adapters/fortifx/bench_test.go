package fortifx_test

import (
	"testing"

	"github.com/forti-mcp/forti/adapters/fortifx"
)

// BenchmarkBuild is what the graph adds to a program's start.
func BenchmarkBuild(b *testing.B) {
	for b.Loop() {
		_, stop, err := fortifx.Build(b.Context(), fortifx.Options{Home: "/nowhere"})
		if err != nil {
			b.Fatal(err)
		}
		if err := stop(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
