package engine_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/forti-mcp/forti/core/fault"
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
	want := []string{"/operations/0/resource", "/operations/1/object/color", "/operations/1/object/nam", "/operations/2/set/type"}
	if diff := cmp.Diff(want, places); diff != "" {
		t.Errorf("places (-want +got):\n%s", diff)
	}
	if len(r.world.Device.Writes()) != 0 {
		t.Error("something was sent")
	}
}
