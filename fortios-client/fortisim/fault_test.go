package fortisim_test

import (
	"context"
	"errors"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/forti-mcp/forti/fortios-client/fortisim"
)

// inject puts a fault on the writes of addresses.
func (l *lab) inject(f fortisim.Fault) *fortisim.Injection {
	l.t.Helper()
	in, err := l.device.Inject(fortisim.Rule{Match: fortisim.Match{Path: "cmdb/firewall/address"}, Do: f})
	if err != nil {
		l.t.Fatal(err)
	}
	return in
}

func (l *lab) comment(key string) any {
	row, _ := l.device.Get("root", "firewall/address", key)
	return row["comment"]
}

const newComment = `{"comment":"changed"}`

func TestBrokenConnectionsBeforeAndAfterTheEffect(t *testing.T) {
	for _, c := range []struct {
		name   string
		fault  fortisim.Fault
		effect bool
	}{
		{"closed before", fortisim.Refuse{}, false},
		{"reset before", fortisim.ResetBefore{}, false},
		{"reset after", fortisim.ResetAfter{}, true},
		{"answer cut", fortisim.Truncate{Bytes: 10}, true},
		{"answer cut at once", fortisim.Truncate{}, true},
	} {
		for _, http2 := range []bool{false, true} {
			t.Run(c.name+map[bool]string{true: " over HTTP 2"}[http2], func(t *testing.T) {
				l := newLab(t, nil)
				l.client = pinned(t, l.server.PinSHA256, http2)
				in := l.inject(c.fault)
				if g := l.send(t.Context(), "PUT", addresses+"/srv-web", newComment); g.err == nil {
					t.Errorf("an answer came: %d %s", g.status, g.text)
				}
				if got := l.comment("srv-web") == "changed"; got != c.effect {
					t.Errorf("effect: %v, want %v", got, c.effect)
				}
				if in.Acted() != 1 {
					t.Errorf("acted %d times", in.Acted())
				}
				in.Remove()
				l.ok("PUT", addresses+"/srv-web", `{"comment":"again"}`)
			})
		}
	}
}

func TestOtherAnswers(t *testing.T) {
	for _, c := range []struct {
		name   string
		fault  fortisim.Fault
		status int
		text   string
		effect bool
	}{
		{"status and body without effect", fortisim.Answer{Status: 503, Body: "busy", ContentType: "text/plain"}, 503, "busy", false},
		{"status and body with effect", fortisim.Answer{Status: 500, Body: `{"status":"error"}`, Effect: true}, 500, `"error"`, true},
		{"log-in page", fortisim.LoginPage{}, 200, "/login", false},
		{"redirect", fortisim.Redirect{To: "https://192.0.2.99/"}, 307, "192.0.2.99", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLab(t, nil)
			l.inject(c.fault)
			g := l.do("PUT", addresses+"/srv-web", newComment)
			if g.status != c.status || !strings.Contains(g.text+g.header.Get("Location"), c.text) {
				t.Errorf("answer: %d %q", g.status, g.text)
			}
			if got := l.comment("srv-web") == "changed"; got != c.effect {
				t.Errorf("effect: %v, want %v", got, c.effect)
			}
		})
	}
}

func TestAWriteCanSucceedAndDoSomethingElse(t *testing.T) {
	l := newLab(t, nil)
	in := l.inject(fortisim.IgnoreWrite{})
	before := l.device.Snapshot()
	if l.ok("PUT", addresses+"/srv-web", newComment)["revision_changed"] != true || before != l.device.Snapshot() {
		t.Error("the write was not ignored in silence")
	}
	l.no("PUT", addresses+"/srv-web", `{"color":99}`, 500, -651)
	in.Remove()

	in = l.inject(fortisim.Shorten{Attribute: "comment", Length: 4})
	l.ok("PUT", addresses+"/srv-web", newComment)
	if l.comment("srv-web") != "chan" {
		t.Errorf("comment is %v", l.comment("srv-web"))
	}
	in.Remove()

	in = l.inject(fortisim.Serial{Value: "FGVMSIM000000009"})
	if got := l.ok("PUT", addresses+"/srv-web", newComment)["serial"]; got != "FGVMSIM000000009" {
		t.Errorf("serial is %v", got)
	}
	in.Remove()
	if got := l.ok("GET", addresses, "")["serial"]; got != "FGVMSIM000000001" {
		t.Errorf("later serial is %v", got)
	}

	if _, err := l.device.Inject(fortisim.Rule{Do: fortisim.DropEntry{Attribute: "member", Key: "srv-web"}}); err != nil {
		t.Fatal(err)
	}
	l.ok("PUT", groups+"/grp-servers", `{"member":[{"name":"srv-web"},{"name":"srv-files"}]}`)
	if got := len(l.one(groups + "/grp-servers")["member"].([]any)); got != 1 {
		t.Errorf("%d members", got)
	}
}

func TestHoldWaitsForTheRelease(t *testing.T) {
	for _, after := range []bool{false, true} {
		l := newLab(t, nil)
		hold := fortisim.NewHold(after)
		l.inject(hold)
		done := make(chan got, 1)
		go func() { done <- l.send(context.Background(), "PUT", addresses+"/srv-web", newComment) }()
		<-hold.Held()
		if effect := l.comment("srv-web") == "changed"; effect != after {
			t.Errorf("effect while held: %v, want %v", effect, after)
		}
		hold.Release()
		if g := <-done; g.err != nil || g.status != http.StatusOK {
			t.Errorf("after the release: %d %v", g.status, g.err)
		}
		hold.Release()
	}
}

func TestAHeldRequestEndsWithItsClient(t *testing.T) {
	l := newLab(t, nil)
	hold := fortisim.NewHold(false)
	l.inject(hold)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan got, 1)
	go func() { done <- l.send(ctx, "PUT", addresses+"/srv-web", newComment) }()
	<-hold.Held()
	cancel()
	if g := <-done; !errors.Is(g.err, context.Canceled) {
		t.Errorf("error %v", g.err)
	}
}

func TestWaitsGoThroughTheInjectedSleep(t *testing.T) {
	var slept atomic.Int64
	l := newLab(t, &fortisim.Options{Sleep: func(_ context.Context, d time.Duration) error {
		slept.Add(int64(d))
		return nil
	}})
	in := l.inject(fortisim.Latency{Wait: time.Hour})
	l.ok("PUT", addresses+"/srv-web", newComment)
	if got := time.Duration(slept.Swap(0)); got != time.Hour {
		t.Errorf("slept %v", got)
	}
	in.Remove()
	l.inject(fortisim.SlowDrip{Bytes: 100, Wait: time.Minute})
	g := l.do("GET", addresses+"/srv-web", "")
	if want := time.Duration((len(g.text)-1)/100) * time.Minute; time.Duration(slept.Load()) != want {
		t.Errorf("slept %v for %d bytes, want %v", time.Duration(slept.Load()), len(g.text), want)
	}
}

func TestWhichRequestsARuleIsAbout(t *testing.T) {
	for _, c := range []struct {
		name  string
		match fortisim.Match
		want  string // of the requests below, which get the fault
	}{
		{"all", fortisim.Match{}, "xxxxxx"},
		{"method", fortisim.Match{Method: "PUT"}, "..xx.."},
		{"path and below", fortisim.Match{Path: "cmdb/firewall/address"}, "xxx..."},
		{"path with a slash at its end", fortisim.Match{Path: "cmdb/firewall/address/"}, "xxx..."},
		{"pattern", fortisim.Match{Path: "cmdb/*/srv-web"}, ".xx..."},
		{"pattern with two gaps", fortisim.Match{Path: "*firewall*1"}, "...x.."},
		{"query", fortisim.Match{Query: "action=move"}, "...x.."},
		{"second", fortisim.Match{Path: "cmdb", Nth: 2}, ".x...."},
		{"after two", fortisim.Match{After: 2}, "..xxxx"},
		{"at most two", fortisim.Match{Count: 2}, "xx...."},
		{"after one, at most two", fortisim.Match{After: 1, Count: 2}, ".xx..."},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLab(t, &fortisim.Options{Faults: []fortisim.Rule{{Match: c.match, Do: fortisim.Answer{Status: 418}}}})
			var got strings.Builder
			for _, request := range [][2]string{
				{"GET", addresses}, {"GET", addresses + "/srv-web"}, {"PUT", addresses + "/srv-web"},
				{"PUT", policy + "/1?action=move&after=1"}, {"GET", policy}, {"GET", "/api/v2/monitor/system/status"},
			} {
				mark := byte('.')
				if l.do(request[0], request[1], "{}").status == 418 {
					mark = 'x'
				}
				got.WriteByte(mark)
			}
			if got.String() != c.want {
				t.Errorf("%s, want %s", got.String(), c.want)
			}
		})
	}
}

func TestTheNewestRuleActsFirstAndABadRuleIsRefused(t *testing.T) {
	l := newLab(t, nil)
	l.inject(fortisim.Answer{Status: 501})
	l.inject(fortisim.Answer{Status: 502})
	if g := l.do("GET", addresses, ""); g.status != 502 {
		t.Errorf("status %d", g.status)
	}
	for _, rule := range []fortisim.Rule{{}, {Do: fortisim.Refuse{}, Match: fortisim.Match{Nth: -1}}} {
		if _, err := l.device.Inject(rule); err == nil {
			t.Errorf("%+v was taken", rule)
		}
	}
}

func TestAnObjectStaysInUseForAWhileWhereSaid(t *testing.T) {
	c := newClock()
	b := fortisim.DefaultBehaviour(release(t, "7.4.8"))
	b.DeleteSettles = 5 * time.Second
	l := newLab(t, &fortisim.Options{Now: c.Now, Behaviour: &b})
	l.ok("DELETE", groups+"/grp-printers", "")
	l.no("DELETE", addresses+"/printer-1", "", 500, -23)
	c.advance(6 * time.Second)
	l.ok("DELETE", addresses+"/printer-1", "")
}
