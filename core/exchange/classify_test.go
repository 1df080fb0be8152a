package exchange

import (
	"fmt"
	"testing"
)

var target = Target{Serial: "FGT60FTEST000001", VDOM: "root"}

// done is a whole answer by the target; tests change what they are about.
func done(status int, api string) Exchange {
	return Exchange{
		Sent: true, HeaderComplete: true, Status: status, Body: BodyObject, BodyComplete: true,
		APIStatus: api, Serial: target.Serial, VDOM: target.VDOM,
	}
}

func with(x Exchange, change func(x *Exchange)) Exchange {
	change(&x)
	return x
}

func kind(status int, body BodyKind) Exchange {
	return Exchange{Sent: true, HeaderComplete: true, Status: status, Body: body, BodyComplete: true}
}

func revision(changed bool) *bool { return &changed }

func TestWhatHappenedDecidesTheClass(t *testing.T) {
	tests := []struct {
		name     string
		x        Exchange
		want     Class
		readBack bool
	}{
		{"row 1: a dial that fails sent nothing", Exchange{Failure: FailDial}, NotSent, false},
		{"row 2: a handshake that fails is a security event", Exchange{Failure: FailTLS}, TLSFailed, false},
		{"row 3: a deadline before the first byte sent nothing", Exchange{Failure: FailDeadline}, NotSent, false},
		{"row 4: an alert after the handshake proves nothing", Exchange{Sent: true, Failure: FailTLS}, Ambiguous, true},
		{"row 5: an error while writing proves nothing", Exchange{Sent: true, Failure: FailWrite}, Ambiguous, true},
		{"row 6: a timeout waiting for headers proves nothing", Exchange{Sent: true, Failure: FailDeadline}, Ambiguous, true},
		{"row 7: a reset before a status line proves nothing", Exchange{Sent: true, Failure: FailRead}, Ambiguous, true},
		{"row 7: an answer that is not HTTP proves nothing", Exchange{Sent: true, Failure: FailRefused}, Ambiguous, true},
		{"row 8: a body cut short proves nothing, even with 200",
			with(done(200, "success"), func(x *Exchange) { x.Failure, x.BodyComplete = FailBody, false }), Ambiguous, true},
		{"row 8: a body cut short proves nothing, even with 500",
			with(done(500, "error"), func(x *Exchange) { x.ErrorNumber, x.BodyComplete = -5, false }), Ambiguous, true},
		{"row 9: 200 and success by the target is accepted", done(200, "success"), Accepted, true},
		{"row 10: 200 and error is refused until seen otherwise", done(200, "error"), RefusedDoubtful, true},
		{"row 11: 200 without a status is no answer", done(200, ""), Ambiguous, true},
		{"row 11: 200 with a list is no answer", kind(200, BodyJSON), Ambiguous, true},
		{"row 11: 200 with an empty body is no answer", kind(200, BodyNone), Ambiguous, true},
		{"row 11: 200 with invalid JSON is no answer", kind(200, BodyOther), Ambiguous, true},
		{"row 12: 200 with HTML is not the API", kind(200, BodyHTML), NotAPI, true},
		{"row 13: 301 is not followed", kind(301, BodyHTML), Redirect, true},
		{"row 13: 307 is not followed", kind(307, BodyNone), Redirect, true},
		{"row 14: 400 is refused", done(400, "error"), Refused, true},
		{"row 14: 404 is refused", done(404, "error"), Refused, true},
		{"row 14: 405 is refused", done(405, "error"), Refused, true},
		{"row 14: 413 is refused", done(413, "error"), Refused, true},
		{"row 14: 424 is refused", done(424, "error"), Refused, true},
		{"row 14: 404 without FortiOS JSON may come from anywhere", kind(404, BodyHTML), Ambiguous, true},
		{"row 15: 401 is not read back", kind(401, BodyHTML), AuthRefused, false},
		{"row 15: 403 with HTML is read back", kind(403, BodyHTML), AuthRefused, true},
		{"row 15: 403 with JSON that names no device is read back",
			with(kind(403, BodyObject), func(x *Exchange) { x.APIStatus, x.VDOM = "error", "root" }), AuthRefused, true},
		{"row 16: 429 with HTML is the lock-out and not read back", kind(429, BodyHTML), LockedOut, false},
		{"row 17: 500 with an error number is refused until seen otherwise",
			with(done(500, "error"), func(x *Exchange) { x.ErrorNumber = -651 }), RefusedDoubtful, true},
		{"row 17: 500 with the device's words is refused until seen otherwise",
			with(done(500, "error"), func(x *Exchange) { x.Text = "Command fail." }), RefusedDoubtful, true},
		{"row 18: 500 without an error is anybody's", done(500, "error"), Ambiguous, true},
		{"row 18: 500 with HTML is anybody's", kind(500, BodyHTML), Ambiguous, true},
		{"row 18: 502 is anybody's", kind(502, BodyHTML), Ambiguous, true},
		{"row 18: 503 is anybody's, whatever it says",
			with(done(503, "error"), func(x *Exchange) { x.ErrorNumber = -5 }), Ambiguous, true},
		{"row 18: 504 is anybody's", kind(504, BodyNone), Ambiguous, true},
		{"row 19: 204 is no success", kind(204, BodyNone), Ambiguous, true},
		{"row 19: 201 with success is no success", done(201, "success"), Ambiguous, true},
		{"row 20: another serial is another device",
			with(done(200, "success"), func(x *Exchange) { x.Serial = "FGT60FTEST000002" }), WrongDevice, false},
		{"row 20: another VDOM is the wrong place",
			with(done(200, "success"), func(x *Exchange) { x.VDOM = "edge" }), WrongDevice, false},
		{"row 20: an error by another device is no refusal",
			with(done(500, "error"), func(x *Exchange) { x.Serial, x.ErrorNumber = "FGT60FTEST000002", -5 }), WrongDevice, false},
		{"row 20: another serial outweighs a body cut short",
			with(done(200, "success"), func(x *Exchange) { x.Serial, x.BodyComplete = "FGT60FTEST000002", false }), WrongDevice, false},
		{"row 21: success with nothing changed is accepted",
			with(done(200, "success"), func(x *Exchange) { x.RevisionChanged = revision(false) }), Accepted, true},
		{"success without a serial is nobody's",
			with(done(200, "success"), func(x *Exchange) { x.Serial = "" }), Ambiguous, true},
		{"success without a VDOM is from nowhere",
			with(done(200, "success"), func(x *Exchange) { x.VDOM = "" }), Ambiguous, true},
		{"success with an error number contradicts itself",
			with(done(200, "success"), func(x *Exchange) { x.ErrorNumber = -5 }), Ambiguous, true},
		{"the zero exchange proves nothing", Exchange{}, Ambiguous, true},
		{"an answer to what was not sent proves nothing",
			with(done(200, "success"), func(x *Exchange) { x.Sent, x.Failure = false, FailDial }), Ambiguous, true},
		{"a status that HTTP does not have proves nothing", kind(999, BodyObject), Ambiguous, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			class, readBack := Classify(test.x, target)
			if class != test.want || readBack != test.readBack {
				t.Errorf("Classify = %s, read-back %t; want %s, %t", class, readBack, test.want, test.readBack)
			}
		})
	}
}

func TestAGlobalResourceTakesAnyVDOMInTheAnswer(t *testing.T) {
	class, _ := Classify(done(200, "success"), Target{Serial: target.Serial})
	if class != Accepted {
		t.Errorf("Classify = %s, want %s", class, Accepted)
	}
}

func TestATargetWithoutASerialIsNobody(t *testing.T) {
	class, _ := Classify(done(200, "success"), Target{VDOM: "root"})
	if class != WrongDevice {
		t.Errorf("Classify = %s, want %s", class, WrongDevice)
	}
}

// Every status with every body, cut or whole: what may be believed is a short list.
func TestOnlyAWholeKnownAnswerIsBelieved(t *testing.T) {
	bodies := []BodyKind{BodyNone, BodyObject, BodyJSON, BodyHTML, BodyOther, "unheard of"}
	for status := range 700 {
		for _, body := range bodies {
			for _, api := range []string{"", "success", "error", "other"} {
				for _, number := range []int{0, -5} {
					x := done(status, api)
					x.Body, x.ErrorNumber = body, number
					checkBelief(t, x)
				}
			}
		}
	}
}

func checkBelief(t *testing.T, x Exchange) {
	t.Helper()
	what := fmt.Sprintf("%d %s %q %d", x.Status, x.Body, x.APIStatus, x.ErrorNumber)
	class, _ := Classify(x, target)
	json := x.Body == BodyObject
	if believed := class == Accepted; believed != (x.Status == 200 && json && x.APIStatus == "success" && x.ErrorNumber == 0) {
		t.Errorf("%s: class %s", what, class)
	}
	if class == Refused && (!json || x.APIStatus != "error" || x.Status < 400 || x.Status > 424) {
		t.Errorf("%s: believed as a refusal", what)
	}
	if class == RefusedDoubtful && (!json || x.APIStatus != "error") {
		t.Errorf("%s: believed as a doubtful refusal", what)
	}
	if redirected := class == Redirect; redirected != (x.Status >= 300 && x.Status < 400) {
		t.Errorf("%s: class %s", what, class)
	}
	if x.Status > 500 && class != Ambiguous {
		t.Errorf("%s: class %s", what, class)
	}
	if class == NotSent || class == TLSFailed {
		t.Errorf("%s: an answer counts as %s", what, class)
	}
	x.BodyComplete = false
	if cut, readBack := Classify(x, target); cut != Ambiguous || !readBack {
		t.Errorf("%s: cut short it is %s", what, cut)
	}
}

func TestNothingSentNeedsAProof(t *testing.T) {
	failures := []Failure{FailNone, FailDial, FailTLS, FailDeadline, FailWrite, FailRead, FailBody, FailRefused}
	for _, failure := range failures {
		for _, sent := range []bool{false, true} {
			class, _ := Classify(Exchange{Sent: sent, Failure: failure}, target)
			proved := class == NotSent || class == TLSFailed
			if want := !sent && failure != FailNone; proved != want {
				t.Errorf("sent %t, failure %q: class %s", sent, failure, class)
			}
		}
	}
}
