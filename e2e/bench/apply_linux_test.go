package bench

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/e2e/internal/harness"
	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// changed is how many objects the measured plan changes.
const changed = 10

// answer is how long a device takes for an answer where it takes any time: a small
// FortiGate hardly answers faster.
const answer = 20 * time.Millisecond

// BenchmarkApply is forti_apply of ten changes, against the bare HTTP exchanges that it
// makes, alternately: of a device that answers at once, where nothing but our own work is left to
// measure, of one that takes its time, and of that one with an audit log of 100,000 records.
func BenchmarkApply(b *testing.B) {
	for _, c := range []struct {
		name    string
		wait    time.Duration
		records int
	}{{"at-once", 0, 0}, {"device", answer, 0}, {"device-100000-records", answer, 100_000}} {
		b.Run(c.name, func(b *testing.B) { benchmarkApply(b, c.wait, c.records) })
	}
}

func benchmarkApply(b *testing.B, wait time.Duration, records int) {
	lab := harness.New(b, &harness.Options{Device: tableOf(changed), Mode: "autonomous"})
	if wait > 0 {
		lab.Inject(fortisim.Match{}, fortisim.Latency{Wait: wait})
	}
	lab.Plan(changes("first")) // begins the state
	lengthen(b, lab, records)
	session := lab.Serve()
	bare := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}} //nolint:gosec // a device on loopback that this benchmark started
	ours, theirs, requests := []float64{}, []float64{}, 0
	for n := 0; b.Loop(); n++ {
		id := lab.Plan(changes(fmt.Sprint("round ", n))).PlanID
		lab.Device.ForgetRequests()
		begin := time.Now()
		if r := session.Call("forti_apply", `{"plan_id":"`+id+`"}`); r.IsError {
			b.Fatalf("%+v", r)
		}
		ours = append(ours, time.Since(begin).Seconds()*1e3)
		made := lab.Device.Requests()
		requests = len(made)
		begin = time.Now()
		for _, r := range made {
			repeat(b, bare, lab, r)
		}
		bare.CloseIdleConnections()
		theirs = append(theirs, time.Since(begin).Seconds()*1e3)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(requests), "requests")
	b.ReportMetric(median(ours), "forti-ms")
	b.ReportMetric(median(theirs), "bare-ms")
	b.ReportMetric(median(ours)/median(theirs), "ratio")
	b.Logf("%d requests, %.1f ms against %.1f ms bare, ratio %.2f (target 1.1)", requests, median(ours), median(theirs), median(ours)/median(theirs))
}

// changes are operations that give each of the device's addresses another comment.
func changes(comment string) string {
	var list []string
	for i := range changed {
		list = append(list, fmt.Sprintf(`{"op":"update","resource":"firewall/address","key":"host-%d","set":{"comment":%q}}`, i, comment))
	}
	return "[" + strings.Join(list, ",") + "]"
}

// repeat makes an exchange again, its body included.
func repeat(b *testing.B, client *http.Client, lab *harness.Lab, r fortisim.RequestRecord) {
	b.Helper()
	req, err := http.NewRequestWithContext(b.Context(), r.Method, "https://"+lab.Server.Addr+r.Path+"?"+r.Query, bytes.NewReader(r.Body))
	if err != nil {
		b.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+lab.Server.Token)
	resp, err := client.Do(req)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		b.Fatal(err)
	}
	_ = resp.Body.Close()
}

// lengthen gives the audit log of a lab as many records more of other plans: of each that
// it was made, and began and ended its apply.
func lengthen(b *testing.B, lab *harness.Lab, records int) {
	b.Helper()
	path := lab.State("audit.jsonl")
	log := []byte(lab.Read(path))
	lines := slices.Collect(bytes.Lines(log))
	last, err := audit.ParseLine(bytes.TrimSuffix(lines[len(lines)-1], []byte("\n")))
	if err != nil {
		b.Fatal(err)
	}
	head := audit.Head{Seq: last.Seq, Hash: last.Hash}
	events := []audit.Event{audit.PlanCreated, audit.ApplyBegin, audit.ApplyEnd}
	at := last.At.Add(-24 * time.Hour)
	var more bytes.Buffer
	for i := range records {
		e := last.Entry
		e.Ops = e.Ops[:min(1, len(e.Ops))]
		e.Event, e.At = events[i%len(events)], at.Add(time.Duration(i)*time.Millisecond)
		e.PlanID = plan.NewID(at, [plan.RandomBytes]byte{byte(i / 3 >> 16), byte(i / 3 >> 8), byte(i / 3)})
		var line []byte
		if line, head, err = audit.Seal(e, audit.After(head)); err != nil {
			b.Fatal(err)
		}
		more.Write(line)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := f.Write(more.Bytes()); err != nil {
		b.Fatal(err)
	}
	if err := f.Close(); err != nil {
		b.Fatal(err)
	}
	b.Logf("the audit log has %.1f MiB", float64(len(log)+more.Len())/(1<<20))
}
