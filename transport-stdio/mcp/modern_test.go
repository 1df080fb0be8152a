package mcp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestARequestIsModernWhenItsMetaHasAProtocolVersion(t *testing.T) {
	t.Parallel()
	const (
		ver  = `"io.modelcontextprotocol/protocolVersion":`
		caps = `"io.modelcontextprotocol/clientCapabilities":`
		info = `"io.modelcontextprotocol/clientInfo":`
	)
	for name, c := range map[string]struct{ meta, want string }{
		"complete":                              {ver + `"2026-07-28",` + caps + `{}`, "1 result"},
		"with clientInfo":                       {ver + `"2026-07-28",` + caps + `{"x":{}},` + info + `{"name":"n"}`, "1 result"},
		"with other names":                      {ver + `"2026-07-28",` + caps + `{},"progressToken":7`, "1 result"},
		"clientCapabilities missing":            {ver + `"2026-07-28"`, "1 -32602"},
		"clientCapabilities no object":          {ver + `"2026-07-28",` + caps + `[]`, "1 -32602"},
		"clientCapabilities null":               {ver + `"2026-07-28",` + caps + `null`, "1 -32602"},
		"clientInfo no object":                  {ver + `"2026-07-28",` + caps + `{},` + info + `"n"`, "1 -32602"},
		"clientInfo null":                       {ver + `"2026-07-28",` + caps + `{},` + info + `null`, "1 -32602"},
		"a version that is no string":           {ver + `20260728,` + caps + `{}`, "1 -32602"},
		"a null version":                        {ver + `null,` + caps + `{}`, "1 -32602"},
		"another version":                       {ver + `"2027-01-01",` + caps + `{}`, "1 -32022"},
		"a legacy version":                      {ver + `"2025-11-25",` + caps + `{}`, "1 -32022"},
		"another version, capabilities missing": {ver + `"2027-01-01"`, "1 -32022"},
		"capabilities without a version":        {caps + `{}`, "1 -32602"},
		"empty":                                 {``, "1 -32602"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			expect(t, talk(t, newServer(t, newFake(), nil), legacy("tools/list", `{"_meta":{`+c.meta+`}}`)), c.want)
		})
	}
}

func TestAnUnsupportedVersionIsAnsweredWithTheSupportedOnesAndTheRequested(t *testing.T) {
	t.Parallel()
	got := talk(t, newServer(t, newFake(), nil), strings.Replace(modern("ping"), "2026-07-28", `1900-01-01 <é>`, 1))
	expect(t, got, "1 -32022")
	if diff := cmp.Diff(map[string]any{"supported": allVersions, "requested": "1900-01-01 <é>"}, parse(t, got[0]).Error.Data); diff != "" {
		t.Error(diff)
	}
}

func TestModernMethods(t *testing.T) {
	t.Parallel()
	for method, want := range map[string]string{
		"server/discover": "1 result", "tools/list": "1 result", "ping": "1 -32601", "initialize": "1 -32601",
		"resources/list": "1 -32601", "": "1 -32601", "Tools/List": "1 -32601", "notifications/initialized": "1 -32601",
	} {
		expect(t, talk(t, newServer(t, newFake(), nil), modern(method)), want)
	}
}

func serverInfo() map[string]any {
	return map[string]any{
		"name": "forti-mcp", "title": "FortiOS (forti-mcp)", "version": "0.1.0",
		"description": "FortiGate configuration and monitoring over the FortiOS REST API",
	}
}

func TestEveryModernResultCarriesResultTypeAndServerInfo(t *testing.T) {
	t.Parallel()
	call := `,"name":"forti_discover","arguments":{"what":"devices"}`
	for _, line := range []string{modern("server/discover"), modern("tools/list"), modern("tools/call", call)} {
		got := parse(t, talk(t, newServer(t, newFake(), nil), line)[0]).Result
		if got["resultType"] != "complete" {
			t.Errorf("resultType %v", got["resultType"])
		}
		want := map[string]any{"io.modelcontextprotocol/serverInfo": serverInfo()}
		if diff := cmp.Diff(want, got["_meta"]); diff != "" {
			t.Error(diff)
		}
	}
}

func TestServerDiscover(t *testing.T) {
	t.Parallel()
	got := parse(t, talk(t, newServer(t, newFake(), nil), modern("server/discover"))[0]).Result
	delete(got, "_meta")
	want := map[string]any{
		"supportedVersions": allVersions, "capabilities": map[string]any{"tools": map[string]any{}},
		"instructions": instructionsText, "ttlMs": 300000.0, "cacheScope": "private", "resultType": "complete",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAModernToolsListMayBeCachedPrivatelyForFiveMinutes(t *testing.T) {
	t.Parallel()
	got := parse(t, talk(t, newServer(t, newFake(), nil), modern("tools/list"))[0]).Result
	if got["ttlMs"] != 300000.0 || got["cacheScope"] != "private" {
		t.Errorf("ttlMs %v, cacheScope %v", got["ttlMs"], got["cacheScope"])
	}
	call := parse(t, talk(t, newServer(t, newFake(), nil), modern("tools/call", `,"name":"forti_discover","arguments":{"what":"devices"}`))[0]).Result
	if call["ttlMs"] != nil || call["cacheScope"] != nil {
		t.Error("a call's result must not be cached")
	}
}

func TestModernRequestsNeedNoSessionAndStartNone(t *testing.T) {
	t.Parallel()
	got := talk(t, newServer(t, newFake(), nil),
		modern("tools/list"), legacy("tools/list", `{}`), initialize, legacy("tools/list", `{}`), modern("tools/list"), legacy("ping", `{}`), modern("ping"))
	expect(t, got, "1 result", "1 -32602", `"i" result`, "1 result", "1 result", "1 result", "1 -32601")
	if parse(t, got[3]).Result["resultType"] != nil || parse(t, got[4]).Result["resultType"] != "complete" {
		t.Error("each request is judged by its own _meta")
	}
}
