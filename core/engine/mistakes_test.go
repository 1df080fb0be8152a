package engine_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/fake"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/request"
)

func TestAnUnknownResourceDoesNotHideTheOtherMistakes(t *testing.T) {
	r := newRig(t)
	_, err := r.plan(`[
	 {"op":"create","resource":"firewall/adress","object":{"name":"x"}},
	 {"op":"create","resource":"firewall/address","object":{"nam":"x","color":99}},
	 {"op":"update","resource":"firewall/address","key":"lan","set":{"type":"ipmsk"}}
	]`)
	f := r.wantCode(err, fault.Usage)
	var places []string
	problems, _ := f.Details["problems"].([]fault.Problem)
	for _, p := range problems {
		places = append(places, p.Pointer)
	}
	want := []string{"/operations/0/resource", "/operations/1/object/color", "/operations/1/object/nam", "/operations/1/object/name", "/operations/2/set/type"}
	if diff := cmp.Diff(want, places); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	if len(r.world.Device.Writes()) != 0 {
		t.Error("something was sent")
	}
}

func TestOneAnswerNamesEveryMistake(t *testing.T) {
	r := newRig(t)
	const arguments = `{"extra":1,"operations":[
	 {"op":"create","resource":"firewall/adress","object":{"name":"x"}},
	 {"op":"drop","resource":"firewall/address"},
	 {"op":"update","resource":"firewall/address","set":{"color":99}},
	 {"op":"delete","resource":"firewall/address","key":"lan","set":{"color":1}},
	 {"op":"update","resource":"firewall/address","key":"nobody","set":{"subnet":"300.1.1.1/24"}},
	 {"op":"create","resource":"firewall/address","object":{"name":"broken","subnet":"x"}},
	 {"op":"update","resource":"firewall/addrgrp","key":"servers","add":{"member":["broken","missing"]}},
	 {"op":"delete","resource":"firewall/address","key":"broken"},
	 {"op":"create","resource":"firewall/addrgrp","object":{"name":{"$key_of":5},"member":["lan"]}}
	]}`
	var in request.Plan
	wrong := r.engine.Decode([]byte(arguments), &in)
	if wrong == nil {
		t.Fatal("it is well-formed")
	}
	f := r.wantCode(r.engine.Mistakes(t.Context(), in, wrong), fault.Usage)
	problems, _ := f.Details["problems"].([]fault.Problem)
	var places []string
	for _, p := range problems {
		places = append(places, p.Pointer)
		if !strings.Contains(f.Message, p.Pointer+": "+p.Problem) {
			t.Errorf("the message lacks %s", p.Pointer)
		}
	}
	want := []string{
		"/extra", "/operations/0/resource", "/operations/1/op", "/operations/2/key", "/operations/2/set/color", "/operations/3/set",
		"/operations/4/key", "/operations/4/set/subnet", "/operations/5/object/subnet", "/operations/6/add/member",
	}
	if diff := cmp.Diff(want, places); diff != "" {
		t.Errorf("places (-want +got):\n%s\n%s", diff, f.Message)
	}
	if len(r.world.Device.Writes()) != 0 {
		t.Error("something was sent")
	}
}

// What is wrong with the form is said also where the device cannot be asked.
func TestMistakesOfFormAreNamedWithoutTheDevice(t *testing.T) {
	r := newRig(t)
	r.world.Device.Fail(fake.Rule{Fault: fake.Refused()})
	_, err := r.planWith(`{"operations":[{"op":"delete","resource":"firewall/address"},{"op":"delete","resource":"firewall/address","key":"nobody"}]}`)
	r.wantProblems(err, fault.Usage, `/operations/0/key: is required for "delete"`)
}
