package mcp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestInitializeRequiresVersionCapabilitiesAndClientInfo(t *testing.T) {
	t.Parallel()
	const v, c, i = `"protocolVersion":"2025-11-25"`, `"capabilities":{}`, `"clientInfo":{}`
	for name, x := range map[string]struct {
		params, want string
		offers       bool
	}{
		"all":                      {v + `,` + c + `,` + i, "1 result", false},
		"no version":               {c + `,` + i, "1 -32602", true},
		"a version of digits":      {`"protocolVersion":20251125,` + c + `,` + i, "1 -32602", true},
		"no capabilities":          {v + `,` + i, "1 -32602", false},
		"capabilities as a list":   {v + `,"capabilities":[],` + i, "1 -32602", false},
		"no clientInfo":            {v + `,` + c, "1 -32602", false},
		"clientInfo as a string":   {v + `,` + c + `,"clientInfo":"x"`, "1 -32602", false},
		"nothing":                  {``, "1 -32602", true},
		"anything else is welcome": {v + `,` + c + `,` + i + `,"more":[1],"_meta":{}`, "1 result", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := talk(t, newServer(t, newFake(), nil), legacy("initialize", `{`+x.params+`}`))
			expect(t, got, x.want)
			if x.offers {
				if diff := cmp.Diff(allVersions, supported(t, got[0])); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func TestInitializeWithoutParamsIsInvalid(t *testing.T) {
	t.Parallel()
	expect(t, talk(t, newServer(t, newFake(), nil), `{"jsonrpc":"2.0","id":1,"method":"initialize"}`), "1 -32602")
}

func TestTheServerAnswersWithTheRequestedVersionOrOffers20251125(t *testing.T) {
	t.Parallel()
	for requested, want := range map[string]string{
		"2025-11-25": "2025-11-25", "2025-06-18": "2025-06-18", "2025-03-26": "2025-11-25",
		"2026-07-28": "2025-11-25", "": "2025-11-25", "soon": "2025-11-25",
	} {
		got := parse(t, talk(t, newServer(t, newFake(), nil), strings.Replace(initialize, "2025-11-25", requested, 1))[0]).Result
		info := serverInfo()
		if want == "2025-06-18" {
			delete(info, "description") // which predates it
		}
		if diff := cmp.Diff(map[string]any{
			"protocolVersion": want, "capabilities": map[string]any{"tools": map[string]any{}},
			"serverInfo": info, "instructions": instructionsText,
		}, got); diff != "" {
			t.Errorf("%q: %s", requested, diff)
		}
	}
}

func TestASecondInitializeIsAnError(t *testing.T) {
	t.Parallel()
	expect(t, talk(t, newServer(t, newFake(), nil), initialize, initialize, legacy("initialize", `{}`), legacy("tools/list", `{}`)),
		`"i" result`, `"i" -32600`, "1 -32600", "1 result")
}

func TestARefusedInitializeStartsNoSession(t *testing.T) {
	t.Parallel()
	expect(t, talk(t, newServer(t, newFake(), nil), legacy("initialize", `{}`), legacy("tools/list", `{}`), initialize),
		"1 -32602", "1 -32602", `"i" result`)
}

func TestPingIsAllowedBeforeInitialize(t *testing.T) {
	t.Parallel()
	got := talk(t, newServer(t, newFake(), nil), `{"jsonrpc":"2.0","id":1,"method":"ping"}`, initialize, legacy("ping", `{}`))
	want := `{"id":1,"jsonrpc":"2.0","result":{}}`
	if got[0] != want || got[2] != want {
		t.Errorf("got %s and %s", got[0], got[2])
	}
}

func TestALegacyMethodBeforeInitializeOffersTheVersions(t *testing.T) {
	t.Parallel()
	call := `{"name":"forti_discover","arguments":{"what":"devices"}}`
	for _, line := range []string{
		legacy("tools/list", `{}`), legacy("tools/call", call), legacy("server/discover", `{}`),
		`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`,
	} {
		got := talk(t, newServer(t, newFake(), nil), line)
		expect(t, got, "1 -32602")
		if diff := cmp.Diff(allVersions, supported(t, got[0])); diff != "" {
			t.Errorf("%s: %s", line, diff)
		}
	}
	expect(t, talk(t, newServer(t, newFake(), nil), initialize, legacy("server/discover", `{}`)), `"i" result`, "1 -32602")
}

func TestUnknownMethodsAreNotFoundWithAndWithoutASession(t *testing.T) {
	t.Parallel()
	unknown := []string{legacy("resources/list", `{}`), legacy("logging/setLevel", `{}`), legacy("", `{}`), legacy("rpc.discover", `{}`)}
	want := []string{"1 -32601", "1 -32601", "1 -32601", "1 -32601"}
	expect(t, talk(t, newServer(t, newFake(), nil), unknown...), want...)
	expect(t, talk(t, newServer(t, newFake(), nil), append([]string{initialize}, unknown...)...), append([]string{`"i" result`}, want...)...)
}

func TestTheSessionLastsForOneClientOfTheServer(t *testing.T) {
	t.Parallel()
	s := newServer(t, newFake(), nil)
	expect(t, talk(t, s, initialize, legacy("tools/list", `{}`)), `"i" result`, "1 result")
	expect(t, talk(t, s, legacy("tools/list", `{}`)), "1 -32602")
}

func TestLegacyResultsCarryNothingOfTheModernEra(t *testing.T) {
	t.Parallel()
	got := talk(t, newServer(t, newFake(), nil), initialize, legacy("tools/list", `{}`), legacy("tools/call", `{"name":"forti_discover","arguments":{"what":"devices"}}`))
	for _, line := range got {
		for _, name := range []string{"_meta", "resultType", "ttlMs", "cacheScope"} {
			if _, ok := parse(t, line).Result[name]; ok {
				t.Errorf("%s in %.100s", name, line)
			}
		}
	}
}
