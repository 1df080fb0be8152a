package bench

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/forti-mcp/forti/e2e/internal/harness"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// tableOf is a device with a table of n addresses, made as they are asked for.
func tableOf(n int) *fortisim.Options {
	return &fortisim.Options{Seed: fortisim.Generate("firewall/address", n, func(i int) map[string]any {
		return map[string]any{"name": fmt.Sprintf("host-%d", i), "subnet": fmt.Sprintf("10.%d.%d.%d/32", i>>16&255, i>>8&255, i&255), "comment": "generated"}
	})}
}

// BenchmarkReadPage is forti_read of one page of a large table, against the bare HTTP
// exchanges that it makes, alternately.
func BenchmarkReadPage(b *testing.B) {
	lab := harness.New(b, &harness.Options{Device: tableOf(100_000)})
	session := lab.Serve()
	bare := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} //nolint:gosec // a device on loopback that this benchmark started
	lab.Device.ForgetRequests()
	session.Call("forti_read", `{"resource":"firewall/address"}`)
	requests := lab.Device.Requests()
	ours, theirs := []float64{}, []float64{}
	for b.Loop() {
		begin := time.Now()
		session.Begin("forti_read", `{"resource":"firewall/address"}`)
		if n := len(session.Raw()); n < 10_000 {
			b.Fatalf("%d bytes are no page", n)
		}
		ours = append(ours, time.Since(begin).Seconds()*1e3)
		begin = time.Now()
		for _, r := range requests {
			repeat(b, bare, lab, r)
		}
		bare.CloseIdleConnections() // a call of ours makes a connection of its own
		theirs = append(theirs, time.Since(begin).Seconds()*1e3)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(len(requests)), "requests")
	b.ReportMetric(median(ours), "forti-ms")
	b.ReportMetric(median(theirs), "bare-ms")
	b.ReportMetric(median(ours)/median(theirs), "ratio")
	b.Logf("%d requests, %.2f ms against %.2f ms bare, ratio %.2f (target 1.2)", len(requests), median(ours), median(theirs), median(ours)/median(theirs))
}

// BenchmarkReadAll is the most memory that forti read --all takes, in MiB, by the size
// of the table.
func BenchmarkReadAll(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			lab := harness.New(b, &harness.Options{Device: tableOf(n)})
			most := 0.0
			for b.Loop() {
				cmd := lab.Command("forti", "read", "firewall/address", "--all")
				null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
				if err != nil {
					b.Fatal(err)
				}
				cmd.Stdout = null
				if err := cmd.Run(); err != nil {
					b.Fatal(err)
				}
				_ = null.Close()
				if use, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
					most = max(most, float64(use.Maxrss)/1024)
				}
			}
			b.ReportMetric(most, "MiB")
			b.Logf("%d rows: %.1f MiB at most (target 64)", n, most)
		})
	}
}
