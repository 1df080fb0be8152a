package fortiosdevice_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
)

// strangeAnswer is an answer that is not what FortiOS's API answers, or not whole.
type strangeAnswer struct {
	name string
	// answer writes it; it may go on as long as the client listens.
	answer http.HandlerFunc
	code   fault.Code
	// says are words of the message.
	says string
	// list is the code of a listing, where that is another.
	list fault.Code
	// patience is the profile's time limit, where the answer never ends by itself.
	patience time.Duration
}

const goodHead = `{"http_method":"GET","status":"success","http_status":200,"vdom":"root","serial":"FGVMSIM000000001","version":"v7.4.8","build":2795,"results":`

func says(status int, kind, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// raw writes bytes as the whole answer, header included, and closes the connection.
func raw(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := w.(http.Hijacker).Hijack()
		if err != nil {
			panic(err)
		}
		defer conn.Close() //nolint:errcheck // it is being broken on purpose
		_, _ = io.WriteString(conn, text)
	}
}

// forever repeats a text until the client has enough.
func forever(head, again string, pause time.Duration) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, err := io.WriteString(w, head)
		for err == nil {
			if pause > 0 {
				select {
				case <-r.Context().Done():
					return
				case <-time.After(pause):
				}
			}
			if _, err = io.WriteString(w, again); err == nil {
				err = http.NewResponseController(w).Flush()
			}
		}
	}
}

func zipped(body string) string {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = io.WriteString(z, body)
	_ = z.Close()
	return b.String()
}

func withHeader(name, value string, h http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set(name, value)
		h(w, r)
	}
}

const (
	hint  = "check that host and port are those of the HTTPS administration"
	whole = goodHead + `[{"q_origin_key":"1","name":"1"}]}`
)

var strangeAnswers = []strangeAnswer{
	{name: "a log-in page", answer: says(200, "text/html", "<html><script>top.location='/login'</script></html>"), code: fault.NotFortiOS, says: "HTML page"},
	{name: "a page that calls itself JSON", answer: says(200, "application/json", "\n <!DOCTYPE html><p>hello"), code: fault.NotFortiOS, says: "HTML page"},
	{name: "a redirect to the log-in", answer: withHeader("Location", "/login", says(302, "text/html", "")), code: fault.NotFortiOS, says: "redirect"},
	{name: "a redirect to another host", answer: withHeader("Location", "https://192.0.2.99/", says(308, "text/html", "")), code: fault.NotFortiOS, says: "never followed"},
	{name: "plain text", answer: says(200, "text/plain", "It works!"), code: fault.NotFortiOS, says: hint},
	{name: "an empty body", answer: says(200, "application/json", ""), code: fault.NotFortiOS, says: hint},
	{name: "binary", answer: says(200, "application/octet-stream", "\x00\x01\x02\xff\xfe\x80"), code: fault.NotFortiOS, says: hint},
	{name: "JSON of another kind", answer: says(200, "application/json", `{"jsonrpc":"2.0"}`), code: fault.NotFortiOS, says: "not a FortiOS envelope"},
	{name: "a JSON number", answer: says(200, "application/json", `17`), code: fault.NotFortiOS, says: hint},
	{name: "two JSON documents", answer: says(200, "application/json", whole+whole), code: fault.NotFortiOS, says: "not valid JSON"},
	{name: "JSON cut, the length fitting", answer: says(200, "application/json", whole[:len(whole)-9]), code: fault.NotFortiOS, says: "not valid JSON"},
	{name: "gzip without a label", answer: says(200, "application/json", zipped(whole)), code: fault.NotFortiOS, says: "compressed"},
	{name: "gzip with its label", answer: withHeader("Content-Encoding", "gzip", says(200, "application/json", zipped(whole))), code: fault.NotFortiOS, says: "compressed"},
	{name: "a body shorter than its length", answer: raw("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n" + whole), code: fault.DeviceUnreachable, says: "ended before"},
	{name: "a body longer than its length", answer: raw(fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(whole)-5, whole)), code: fault.NotFortiOS, says: "not valid JSON"},
	{name: "two lengths", answer: raw("HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n{}}}"), code: fault.NotFortiOS, says: "HTTP"},
	{name: "a chunk that breaks off", answer: raw("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nff\r\n" + goodHead), code: fault.DeviceUnreachable, says: "ended before"},
	{name: "no HTTP at all", answer: raw("SSH-2.0-OpenSSH_9.6\r\n"), code: fault.NotFortiOS, says: "HTTP"},
	{name: "a body that never ends", answer: forever(goodHead+`{"x":"`, strings.Repeat("y", 1<<16), 0), code: fault.DeviceError, says: "larger than this program takes"},
	{name: "a row that never ends", answer: forever(goodHead+`[{"x":"`, strings.Repeat("y", 1<<16), 0), code: fault.DeviceError, says: "larger than this program takes"},
	{name: "a header that never ends", answer: raw("HTTP/1.1 200 OK\r\n" + strings.Repeat("X-Y: "+strings.Repeat("z", 1000)+"\r\n", 4000)), code: fault.DeviceError, says: "larger than this program takes"},
	{name: "nesting that never ends", answer: forever(goodHead, strings.Repeat("[", 1<<12), 0), code: fault.DeviceError, says: "larger than this program takes", list: fault.NotFortiOS},
	{name: "a slow drip", answer: forever(goodHead+`[`, ` `, 5*time.Millisecond), code: fault.DeviceUnreachable, says: "time", patience: 150 * time.Millisecond},
	{name: "silence", answer: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }, code: fault.DeviceUnreachable, says: "time", patience: 150 * time.Millisecond},
}

// Whatever answers, and however it goes on: an error that says what it was, in the
// profile's time and in bounded memory, for each kind of read; no row counts.
func TestStrangeAnswersAreBoundedAndClear(t *testing.T) {
	reads := map[string]func(ctx context.Context, d port.Device) error{
		"an object": func(ctx context.Context, d port.Device) error {
			_, err := d.Object(ctx, at("firewall/address"), key("1"))
			return err
		},
		"a monitor": func(ctx context.Context, d port.Device) error {
			_, err := d.Monitor(ctx, port.MonitorQuery{At: at("monitor/system/time")})
			return err
		},
		"identity": func(ctx context.Context, d port.Device) error { _, err := d.Identity(ctx); return err },
		"the schema": func(ctx context.Context, d port.Device) error {
			_, err := d.Schema(ctx, at("firewall/address"))
			return err
		},
		"a listing": func(ctx context.Context, d port.Device) error {
			_, err := d.List(ctx, port.ListQuery{At: at("firewall/address"), Count: 100}, func(map[string]any) bool { return true })
			return err
		},
	}
	for _, c := range strangeAnswers {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := bareLab(t, c.answer)
			l.profile.Timeout = time.Minute
			if c.patience > 0 {
				l.profile.Timeout = c.patience
			}
			for what, read := range reads {
				code, words := c.code, c.says
				if what == "a listing" && c.list != "" {
					code, words = c.list, ""
				}
				f := wantCode(t, read(t.Context(), l.open()), code)
				if !strings.Contains(f.Message, words) {
					t.Errorf("%s: %q does not say %q", what, f.Message, words)
				}
			}
		})
	}
}

// A gzip label on a body that is plain is only a label, and rows without end are cut off
// at the number that was asked for.
func TestWhatCanBeReadAllTheSameIsRead(t *testing.T) {
	t.Run("a false label", func(t *testing.T) {
		l := bareLab(t, withHeader("Content-Encoding", "gzip", says(200, "application/json", whole)))
		if row, err := l.open().Object(t.Context(), at("firewall/address"), key("1")); err != nil || row["name"] != "1" {
			t.Errorf("%v, %v", row, err)
		}
	})
	t.Run("rows without end", func(t *testing.T) {
		l := bareLab(t, forever(goodHead+`[{"name":"a"}`, strings.Repeat(`,{"name":"a"}`, 100), 0))
		rows := 0
		if _, err := l.open().List(t.Context(), port.ListQuery{At: at("firewall/address"), Count: 250}, func(map[string]any) bool { rows++; return true }); err != nil || rows != 250 {
			t.Errorf("%d rows, %v", rows, err)
		}
	})
}
