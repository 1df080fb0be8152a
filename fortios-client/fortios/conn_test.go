package fortios_test

import (
	"crypto/tls"
	"io"
	"net/http"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forti-mcp/forti/fortios-client/fortios"
)

// clock is set by the test.
type clock struct{ ns atomic.Int64 }

func (c *clock) now() time.Time          { return time.Unix(0, c.ns.Load()) }
func (c *clock) advance(d time.Duration) { c.ns.Add(int64(d)) }

func TestAConnectionIsReusedForTwoSeconds(t *testing.T) {
	d := newDevice(t, answer(200, jsonType, envelope("root", "{}", "")))
	cfg, ticks := d.config(), &clock{}
	cfg.Now = ticks.now
	client := newClient(t, cfg)
	for _, step := range []struct {
		name    string
		advance time.Duration
		fresh   bool
		want    int32 // connections so far
	}{
		{"the first request", 0, false, 1},
		{"at once", 0, false, 1},
		{"after 2 s", 2 * time.Second, false, 1},
		{"after 2 s more: an answer starts the time again", 2 * time.Second, false, 1},
		{"after more than 2 s", 2*time.Second + 1, false, 2},
		{"where fresh is asked", 0, true, 3},
		{"after a fresh one", 0, false, 3},
		{"when the clock goes back", -1, false, 4},
	} {
		ticks.advance(step.advance)
		req := get(statusPath)
		req.Fresh = step.fresh
		if r := client.Do(t.Context(), req); r.Err != nil || !r.Sent {
			t.Fatalf("%s: sent %v, error %v", step.name, r.Sent, r.Err)
		}
		if n := d.accepted.Load(); n != step.want {
			t.Errorf("%s: %d connections, want %d", step.name, n, step.want)
		}
	}
	client.Close()
	if r := client.Do(t.Context(), get(statusPath)); r.Err != nil || d.accepted.Load() != 5 {
		t.Errorf("after Close: %d connections, error %v", d.accepted.Load(), r.Err)
	}
}

func TestNothingIsReusedAfterAnyOtherAnswer(t *testing.T) {
	large := answer(200, jsonType, string(make([]byte, 2000)))
	for name, handler := range map[string]http.HandlerFunc{
		"301": answer(301, htmlType, ""), "400": answer(400, jsonType, "{}"), "401": answer(401, htmlType, "<html>"), "404": answer(404, jsonType, "{}"),
		"500": answer(500, jsonType, "{}"), "503": answer(503, htmlType, "<html>"), "over the limit": large,
		"close": func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Connection", "close")
			answer(200, jsonType, "{}")(w, r)
		},
	} {
		t.Run(name, func(t *testing.T) {
			d := newDevice(t, handler)
			cfg := d.config()
			cfg.MaxBody = 1000
			client := newClient(t, cfg)
			for range 3 {
				client.Do(t.Context(), get(statusPath))
			}
			if n := d.accepted.Load(); n != 3 {
				t.Errorf("%d connections for 3 requests", n)
			}
		})
	}
}

// A request on a connection that has ended would be of unknown outcome.
func TestAConnectionThatTheDeviceEndedIsNotUsed(t *testing.T) {
	const one = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
	for name, after := range map[string]func(*tls.Conn){
		"closed":        func(c *tls.Conn) { _ = c.NetConn().Close() },
		"farewell":      func(c *tls.Conn) { _ = c.Close() },
		"spoke unasked": func(c *tls.Conn) { _, _ = io.WriteString(c, one) },
		"reset":         func(c *tls.Conn) { reset(c); _ = c.NetConn().Close() },
	} {
		t.Run(name, func(t *testing.T) {
			var connections atomic.Int32
			answered, ended := make(chan struct{}, 2), make(chan struct{}, 2)
			cfg := rawDevice(t, func(c *tls.Conn) {
				connections.Add(1)
				say(one)(c)
				<-answered // The client has all of its answer.
				after(c)
				ended <- struct{}{}
				_, _ = io.Copy(io.Discard, c)
			})
			client := newClient(t, cfg)
			for i := range 2 {
				if r := client.Do(t.Context(), get(statusPath)); r.Err != nil {
					t.Errorf("request %d: %v", i, r.Err)
				}
				answered <- struct{}{}
				<-ended
			}
			if n := connections.Load(); n != 2 {
				t.Errorf("%d connections, want 2", n)
			}
		})
	}
}

func TestBytesBehindTheAnswerEndTheConnection(t *testing.T) {
	const one = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"
	var connections atomic.Int32
	client := newClient(t, rawDevice(t, func(c *tls.Conn) {
		connections.Add(1)
		say(one + one)(c)
		_, _ = io.Copy(io.Discard, c)
	}))
	for i := range 2 {
		if r := client.Do(t.Context(), get(statusPath)); r.Err != nil {
			t.Errorf("request %d: %v", i, r.Err)
		}
	}
	if n := connections.Load(); n != 2 {
		t.Errorf("%d connections, want 2", n)
	}
}

func TestRequestsAtTheSameTimeShareNoConnection(t *testing.T) {
	var inside sync.WaitGroup
	inside.Add(4)
	d := newDevice(t, func(w http.ResponseWriter, r *http.Request) {
		inside.Done()
		inside.Wait() // Answers come only once all are here.
		answer(200, jsonType, envelope("root", "{}", ""))(w, r)
	})
	client := newClient(t, d.config())
	var running sync.WaitGroup
	for range 4 {
		running.Go(func() {
			if r := client.Do(t.Context(), get(statusPath)); r.Fault() != nil {
				t.Error(r.Fault())
			}
		})
	}
	running.Wait()
	if n := d.accepted.Load(); n != 4 {
		t.Errorf("%d connections for 4 requests at a time", n)
	}
}

func TestADoubtfulAnswerAlsoEndsAConnectionKeptMeanwhile(t *testing.T) {
	arrived, release := make(chan struct{}), make(chan struct{})
	d := newDevice(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method == "POST" {
			close(arrived)
			<-release
			answer(500, jsonType, "{}")(w, r)
			return
		}
		answer(200, jsonType, "{}")(w, r)
	})
	client := newClient(t, d.config())
	var running sync.WaitGroup
	running.Go(func() {
		client.Do(t.Context(), fortios.Request{Method: "POST", Path: "/api/v2/monitor/x/y"})
	})
	<-arrived
	client.Do(t.Context(), get(statusPath)) // Its connection is kept.
	close(release)
	running.Wait()
	client.Do(t.Context(), get(statusPath))
	if n := d.accepted.Load(); n != 3 {
		t.Errorf("%d connections, want 3: the read-back must be on a fresh one", n)
	}
}

func TestTheSentFlagIsThatOfTheRequestAndNotOfTheConnection(t *testing.T) {
	d := newDevice(t, answer(200, jsonType, envelope("root", "{}", "")))
	client := newClient(t, d.config())
	if r := client.Do(t.Context(), get(statusPath)); !r.Sent || r.Local == "" || r.Remote != d.Listener.Addr().String() {
		t.Fatalf("%+v", r)
	}
	d.Close()
	r := client.Do(t.Context(), get(statusPath)) // The kept connection is gone, and so is the port.
	if wantKind(t, r.Err, fortios.KindUnreachable); r.Sent {
		t.Error("sent, though no connection could be made")
	}
}
