package clients

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// desk is an SDK client at work, and the person's terminal beside it.
type desk struct {
	*testing.T
	lab     *harness.Lab
	session *mcp.ClientSession
	// suffix ends the commands that the server names.
	suffix string
}

// connect starts forti-mcp through the SDK's own transport. version is the one
// that the client asks for; "" is the SDK's choice.
func connect(t *testing.T, lab *harness.Lab, version string, args ...string) *mcp.ClientSession {
	t.Helper()
	client := mcp.NewClient(&mcp.Implementation{Name: "sdk-client", Version: "1"}, nil)
	cmd := lab.Command("forti-mcp", args...)
	cmd.Stderr = os.Stderr
	session, err := client.Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	return session
}

func TestTheOfficialGoSDKCompletesTheWorkflow(t *testing.T) {
	t.Parallel()
	for name, version := range map[string]string{"of its own choice": "", "2025-11-25": "2025-11-25", "2025-06-18": "2025-06-18"} {
		t.Run("against the demo, version "+name, func(t *testing.T) {
			t.Parallel()
			lab := harness.Empty(t)
			home := filepath.Join(lab.User, "demo home")
			session := connect(t, lab, version, "--demo", "--home", home)
			d := &desk{T: t, lab: lab, session: session, suffix: " --home '" + home + "'"}
			d.workflow(version, "demo")
		})
		t.Run("against a profile, version "+name, func(t *testing.T) {
			t.Parallel()
			lab := harness.New(t, nil)
			before := lab.Device.Snapshot()
			d := &desk{T: t, lab: lab, session: connect(t, lab, version)}
			d.workflow(version, harness.Profile)
			if lab.Device.Snapshot() != before {
				t.Error("after the rollback the configuration is not as it was")
			}
			lab.WantWrites(4)
		})
	}
}

// workflow is the main job, from the first look to the rollback.
func (d *desk) workflow(version, profile string) {
	d.Helper()
	d.greeting(version)
	d.discover(profile)
	d.read()
	plan := d.plan(profile)
	d.refused(plan, "missing")
	d.approve(plan)
	x := d.apply(plan)
	if got := d.members("grp-printers"); !slices.Contains(got, "printer-3") {
		d.Errorf("the group has the members %v", got)
	}
	d.refused(plan, "used")
	d.refused(x.Rollback.PlanID, "missing")
	d.approve(x.Rollback.PlanID)
	d.apply(x.Rollback.PlanID)
	d.call("forti_read", `{"resource":"firewall/address","key":"printer-3"}`).Failed(d, "not_found")
	if err := d.session.Close(); err != nil {
		d.Errorf("the server did not end well: %v", err)
	}
}

// greeting checks what the SDK learned when it connected, and the tools.
func (d *desk) greeting(version string) {
	d.Helper()
	if version == "" {
		version = "2026-07-28"
	}
	hello := d.session.InitializeResult()
	if hello.ProtocolVersion != version || hello.ServerInfo == nil || hello.ServerInfo.Name != "forti-mcp" ||
		!strings.HasPrefix(hello.Instructions, "forti-mcp manages FortiGate firewalls through the FortiOS REST API only") {
		d.Errorf("greeting: %+v", hello)
	}
	list, err := d.session.ListTools(d.Context(), nil)
	if err != nil {
		d.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	if diff := cmp.Diff([]string{"forti_discover", "forti_read", "forti_plan", "forti_apply"}, names); diff != "" {
		d.Error(diff)
	}
}

// raw calls a tool and gives all of its result.
func (d *desk) raw(tool, arguments string) (harness.Envelope, *mcp.CallToolResult) {
	d.Helper()
	result, err := d.session.CallTool(d.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		d.Fatalf("%s %s: %v", tool, arguments, err)
	}
	var e harness.Envelope
	text, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		d.Fatalf("%s: the first block is no text: %T", tool, result.Content[0])
	}
	if err := json.Unmarshal([]byte(text.Text), &e); err != nil {
		d.Fatal(err)
	}
	var fromText any
	if err := json.Unmarshal([]byte(text.Text), &fromText); err != nil {
		d.Fatal(err)
	}
	if diff := cmp.Diff(fromText, result.StructuredContent); diff != "" {
		d.Errorf("%s: text and structured content differ:\n%s", tool, diff)
	}
	if result.IsError == e.OK {
		d.Errorf("%s: isError %v, ok %v", tool, result.IsError, e.OK)
	}
	return e, result
}

func (d *desk) call(tool, arguments string) harness.Envelope {
	d.Helper()
	e, _ := d.raw(tool, arguments)
	return e
}

func (d *desk) discover(profile string) {
	d.Helper()
	var devices []struct{ Name, Mode, Host string }
	d.call("forti_discover", `{"what":"devices"}`).Into(d, &devices)
	if len(devices) != 1 || devices[0].Name != profile || devices[0].Mode != "guarded" || devices[0].Host != "127.0.0.1" {
		d.Errorf("devices: %+v", devices)
	}
	var device struct{ Serial, Version, Mode string }
	d.call("forti_discover", `{"what":"capabilities","profile":"`+profile+`"}`).Into(d, &device)
	if device.Serial != "FGVMSIM000000001" || device.Mode != "guarded" || device.Version == "" {
		d.Errorf("capabilities: %+v", device)
	}
	var hits []struct{ Path string }
	d.call("forti_discover", `{"what":"resources","query":"addr","kind":"table"}`).Into(d, &hits)
	if !slices.ContainsFunc(hits, func(h struct{ Path string }) bool { return h.Path == "firewall/address" }) {
		d.Errorf("resources: %+v", hits)
	}
	var resource struct {
		Key        string
		Attributes map[string]any
	}
	d.call("forti_discover", `{"what":"resource","resource":"firewall/address","fields":["type","subnet"]}`).Into(d, &resource)
	if resource.Key != "name" || resource.Attributes["subnet"] == nil {
		d.Errorf("resource: %+v", resource)
	}
}

func (d *desk) read() {
	d.Helper()
	var row struct{ Name, Subnet string }
	d.call("forti_read", `{"resource":"firewall/address","key":"net-lan"}`).Into(d, &row)
	if row.Subnet != "192.168.10.0 255.255.255.0" {
		d.Errorf("row: %+v", row)
	}
	var rows []struct{ Name, Subnet string }
	d.call("forti_read", `{"resource":"firewall/address","filter":["type==ipmask","name=@printer"],"fields":["name","subnet"],"count":100}`).Into(d, &rows)
	if len(rows) != 2 {
		d.Errorf("rows: %+v", rows)
	}
	var status struct {
		Hostname string `json:"hostname"`
	}
	d.call("forti_read", `{"resource":"monitor/system/status"}`).Into(d, &status)
	if status.Hostname != "fortisim" {
		d.Errorf("status: %+v", status)
	}
}

// members are the names of a group's members.
func (d *desk) members(group string) []string {
	d.Helper()
	var g struct{ Member []struct{ Name string } }
	d.call("forti_read", `{"resource":"firewall/addrgrp","key":"`+group+`","fields":["member"]}`).Into(d, &g)
	var names []string
	for _, m := range g.Member {
		names = append(names, m.Name)
	}
	return names
}

// plan stores a plan of two operations.
func (d *desk) plan(profile string) string {
	d.Helper()
	var p harness.Plan
	d.call("forti_plan", `{"profile":"`+profile+`","reason":"a third printer","operations":[
		{"op":"create","resource":"firewall/address","object":{"name":"printer-3","subnet":"192.168.10.203/32"}},
		{"op":"update","resource":"firewall/addrgrp","key":"grp-printers","add":{"member":[{"name":"printer-3"}]}}]}`).Into(d, &p)
	if p.Mode != "guarded" || p.Approve != "forti plan approve "+p.PlanID+d.suffix || p.Apply != "forti apply "+p.PlanID+d.suffix {
		d.Errorf("plan: %+v", p)
	}
	return p.PlanID
}

// refused checks the answer to an apply that needs a human.
func (d *desk) refused(plan, reason string) {
	d.Helper()
	e, result := d.raw("forti_apply", `{"plan_id":"`+plan+`"}`)
	f := e.Failed(d, "approval_required")
	details := f.Read(d)
	command := "forti plan approve " + plan + d.suffix
	if details.Reason != reason || details.PlanID != plan || details.ApproveCommand != command {
		d.Errorf("details: %+v", details)
	}
	if len(result.Content) != 2 {
		d.Fatalf("%d blocks", len(result.Content))
	}
	advice, _ := result.Content[1].(*mcp.TextContent)
	if reason == "missing" {
		want := "Approval required (guarded mode). Ask the user to run this in their own terminal, then call forti_apply again with the same plan_id:\n  " + command
		if advice == nil || advice.Text != want || f.Message != "plan "+plan+" needs a human approval (guarded mode): "+command {
			d.Errorf("got %q and %+v", f.Message, advice)
		}
		return
	}
	if advice == nil || !strings.Contains(advice.Text, "new plan") {
		d.Errorf("advice: %+v", advice)
	}
}

// approve runs the very command that the server named, at a terminal.
func (d *desk) approve(plan string) {
	d.Helper()
	home := strings.Trim(strings.TrimPrefix(d.suffix, " --home "), "'")
	args := []string{"plan", "approve", plan}
	if home != "" {
		args = append(args, "--home", home)
	}
	t := d.lab.Terminal(args...)
	screen := t.Expect("to approve: ")
	t.Type(d.lab.Answer(screen) + "\n")
	t.End().Must(0)
}

func (d *desk) apply(plan string) harness.Execution {
	d.Helper()
	var x harness.Execution
	d.call("forti_apply", `{"plan_id":"`+plan+`"}`).Into(d, &x)
	if x.Status != "applied" || x.Verified != 2 || x.Rollback == nil || x.Rollback.PlanID == "" {
		d.Fatalf("execution: %+v", x)
	}
	return x
}
