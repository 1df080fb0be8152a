package bench

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

func BenchmarkResident(b *testing.B) {
	compare(b, "MiB", goal{ratio: 1.5}, func(p program) float64 {
		r := start(b, p)
		r.ask(b, list)
		size := memory(b, r, "VmRSS")
		r.end(b)
		return size
	})
}

// BenchmarkLongLine has no counterpart: the others keep what they read.
func BenchmarkLongLine(b *testing.B) {
	p := programs(b)[0]
	block := strings.Repeat("x", 1<<20)
	most := 0.0
	for b.Loop() {
		r := start(b, p)
		r.ask(b, list)
		before := memory(b, r, "VmRSS")
		r.send(b, `{"jsonrpc":"2.0","id":0,"x":"`)
		for range 200 {
			r.send(b, block)
		}
		r.send(b, "\"}\n")
		r.lines(b, 1)
		r.ask(b, list)
		most = max(most, memory(b, r, "VmHWM")-before)
		r.end(b)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(most, "growth-MiB")
	b.Logf("grew by %.1f MiB (target < 8)", most)
}

// memory is a figure of a process's memory in MiB: VmRSS now, VmHWM at its most.
func memory(b *testing.B, r *running, name string) float64 {
	b.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", r.cmd.Process.Pid))
	if err != nil {
		b.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(text), name+":")
	kib, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		b.Fatal(err)
	}
	return float64(kib) / 1024
}
