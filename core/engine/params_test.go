package engine_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/forti-mcp/forti/core/engine"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/schema"
)

// An endpoint that the catalog lacks gets no parameter that every FortiOS endpoint
// understands and that could tell of what is masked, or lead out of the VDOM.
func TestAnUnknownEndpointGetsNoParameterThatGuesses(t *testing.T) {
	guesses := []string{
		"filter", "Filter", "filters", "filter_logic", "FILTER-x", "sort", "sort_by", "sortkey", "order_by", "search", "search_tables", "key", "key_only",
		"pattern", "format", "datasource", "attr", "acs", "with_contents_hash", "with-contents-hash", "with_meta", "exclude-default-values", "unfiltered_count",
	}
	for name, want := range map[string]string{
		"vdom": "name one VDOM in the field vdom", "VDOM": "field vdom", "vdoms": "field vdom", "global": "field vdom", "scope": "field vdom",
		"action": "the last part of the path", "plain-text-password": "is a secret", "plain_text_password": "is a secret", "access_token": "is a secret", "password": "is a secret",
		"": "is not the name", "a b": "is not the name", "a&filter": "is not the name", "filter[]": "is not the name", "a=b": "is not the name", "ä": "is not the name", strings.Repeat("x", 65): "is not the name",
	} {
		wantUnsent(t, name, want)
	}
	for _, name := range guesses {
		wantUnsent(t, name, "it could be used to guess what is masked")
	}
	t.Run("all at once", func(t *testing.T) {
		r := newRig(t)
		_, err := r.read(`{"resource":"monitor/vendor/thing","params":{"filter":"a==b","mkey":[1],"vdom":"edge"}}`)
		r.wantProblems(err, fault.Usage, "/params/filter: is not passed on", "/params/mkey: must be a string", "/params/vdom: is not passed on")
	})
	t.Run("others are passed on", func(t *testing.T) {
		r := newRig(t)
		r.start(func(p *engine.Ports) { p.Devices = untyped{r.world.Device, "fine"} })
		if found := r.mustRead(`{"resource":"monitor/vendor/thing","params":{"mkey":"x","start":1,"count":5,"with_ca":true,"ip_version":"ipv4"}}`); found.Data != "fine" {
			t.Errorf("read %v", found.Data)
		}
	})
}

// wantUnsent reads an unknown endpoint with one parameter, which must be refused before
// anything is sent.
func wantUnsent(t *testing.T, name, want string) {
	t.Helper()
	r := newRig(t)
	quoted, err := json.Marshal(name)
	if err != nil {
		t.Fatal(err)
	}
	_, err = r.read(`{"resource":"monitor/vendor/thing","params":{` + string(quoted) + `:"x"}}`)
	if fault.CodeOf(err) != fault.Usage || !strings.Contains(err.Error(), want) {
		t.Errorf("%q: got %v, want %s", name, err, want)
	}
	if n := len(r.world.Device.Requests()); n != 0 {
		t.Errorf("%q: %d requests were sent", name, n)
	}
}

// Of what the catalog knows as parameters, none can be used for guessing either.
func TestAKnownParameterDoesNotGuess(t *testing.T) {
	query := func(name string, secret bool) schema.Param {
		return schema.Param{Name: name, Type: "string", In: "query", Secret: secret}
	}
	r := newRig(t, listed, knows(schema.Resource{Path: "monitor/vendor/known", Kind: schema.Monitor, Calls: []schema.Call{{Method: "GET", Params: []schema.Param{
		query("filter", false), query("sort_by", false), query("search", false), query("password", true), query("user", false),
	}}}}))
	for params, want := range map[string]string{
		`"password":"hunter2"`:                  "/params/password: is a secret",
		`"password":{"$secret":{"name":"psk"}}`: "/params/password: is a secret",
		`"search":"x"`:                          "/params/search: searches every value",
		`"filter":"user==x,psksecret=@a"`:       "/params/filter: names a secret",
		`"filter":"{\"api_key\":\"a\"}"`:        "/params/filter: names a secret",
		`"sort_by":"Password"`:                  "/params/sort_by: names a secret",
	} {
		_, err := r.read(`{"resource":"monitor/vendor/known","params":{` + params + `}}`)
		r.wantProblems(err, fault.Usage, want)
		if err != nil && strings.Contains(err.Error(), "hunter2") {
			t.Error("the secret is repeated")
		}
	}
	if n := len(r.world.Device.Requests()); n != 0 {
		t.Errorf("%d requests were sent", n)
	}
	if _, err := r.read(`{"resource":"monitor/vendor/known","params":{"filter":"srcip==192.0.2.1","sort_by":"bytes","user":"password"}}`); fault.CodeOf(err) == fault.Usage {
		t.Errorf("harmless parameters are refused: %v", err)
	}
}
