package bench

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// goal is the target of a ratio: at most, or at least.
type goal struct {
	ratio   float64
	atLeast bool
}

// compare measures every program in each round and reports the medians and the ratio
// of forti-mcp to the better of the others.
func compare(b *testing.B, unit string, g goal, measure func(p program) float64) {
	b.Helper()
	all := programs(b)
	samples := make([][]float64, len(all))
	b.ResetTimer()
	for b.Loop() {
		for i, p := range all {
			samples[i] = append(samples[i], measure(p))
		}
	}
	b.StopTimer()
	b.ReportMetric(0, "ns/op") // the rounds' own time says nothing
	var text strings.Builder
	medians := make([]float64, len(all))
	for i, p := range all {
		medians[i] = median(samples[i])
		b.ReportMetric(medians[i], p.name+"-"+unit)
		fmt.Fprintf(&text, "%s %.4g %s, ", p.name, medians[i], unit)
	}
	best := slices.Min(medians[1:])
	word := "≤"
	if g.atLeast {
		best, word = slices.Max(medians[1:]), "≥"
	}
	ratio := medians[0] / best
	met := ratio <= g.ratio
	if g.atLeast {
		met = ratio >= g.ratio
	}
	b.ReportMetric(ratio, "ratio")
	b.Logf("%sratio %.2f (target %s %.1f: %s)", &text, ratio, word, g.ratio, map[bool]string{true: "met", false: "MISSED"}[met])
}

func median(list []float64) float64 { return quantile(list, 0.5) }

// quantile is the value below which a part q of the list lies.
func quantile(list []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[min(int(q*float64(len(sorted))), len(sorted)-1)]
}
