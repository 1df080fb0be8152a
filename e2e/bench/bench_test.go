package bench

import (
	"testing"
	"time"
)

func BenchmarkStart(b *testing.B) {
	compare(b, "ms", goal{ratio: 1.0}, func(p program) float64 {
		begin := time.Now()
		r := start(b, p)
		took := time.Since(begin)
		r.end(b)
		return took.Seconds() * 1e3
	})
}

func BenchmarkPipelined(b *testing.B) {
	const n = 2000
	compare(b, "per-s", goal{ratio: 3.0, atLeast: true}, func(p program) float64 {
		r := start(b, p)
		r.pipeline(b, list, n/4) // warm
		begin := time.Now()
		r.pipeline(b, list, n)
		took := time.Since(begin)
		r.end(b)
		return n / took.Seconds()
	})
}

func BenchmarkPingPongList(b *testing.B) { pingPong(b, list) }

func BenchmarkPingPongCall(b *testing.B) { pingPong(b, call) }

// pingPong takes the p50 of each round; the p99 of all rounds is reported beside it.
func pingPong(b *testing.B, line string) {
	b.Helper()
	const n = 500
	slow := map[string][]float64{}
	compare(b, "p50-us", goal{ratio: 0.8}, func(p program) float64 {
		r := start(b, p)
		var round []float64
		for i := range n + n/10 {
			begin := time.Now()
			r.ask(b, line)
			if i >= n/10 { // warm
				round = append(round, time.Since(begin).Seconds()*1e6)
			}
		}
		r.end(b)
		slow[p.name] = append(slow[p.name], quantile(round, 0.99))
		return median(round)
	})
	for name, list := range slow {
		b.ReportMetric(median(list), name+"-p99-us")
	}
}

func BenchmarkCPU(b *testing.B) {
	const n, scale = 5000, 20
	compare(b, "s-per-100k", goal{ratio: 0.4}, func(p program) float64 {
		idle := start(b, p).end(b)
		r := start(b, p)
		r.pipeline(b, list, n)
		return (r.end(b) - idle).Seconds() * scale
	})
}
