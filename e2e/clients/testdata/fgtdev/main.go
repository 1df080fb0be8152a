// Command fgtdev does with the first Go SDK for FortiOS, which Terraform's began as,
// what its users do, and prints each value that it gave, one line of JSON a step.
package main

import (
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	"github.com/fortios/fortios-sdk/auth"
	forticlient "github.com/fortios/fortios-sdk/sdkcore"
)

func main() {
	log.SetOutput(io.Discard) // it logs every answer
	c := forticlient.NewClient(auth.NewAuth(os.Getenv("FORTI_HOST"), os.Getenv("FORTI_TOKEN"), "root"), &http.Client{
		Timeout:   20 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
	})
	version, err := c.GetDeviceVersion()
	say("version", version, err)
	route(c)
	vip(c)
	address(c)
	policy(c)
	global(c)
}

func say(step string, value any, err error) {
	line := map[string]any{"step": step, "value": value}
	if err != nil {
		line["error"] = err.Error()
	}
	out, err := json.Marshal(line)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(out))
}

// route: the key comes as a number from a create and as a text from an update, and
// each is an error to this client if it comes otherwise.
func route(c *forticlient.FortiSDKClient) {
	r := &forticlient.JSONNetworkingRouteStatic{
		Dst: "10.99.0.0 255.255.0.0", Gateway: "192.168.1.254", Blackhole: "disable", Distance: "10", Weight: "0", Priority: "0",
		Device: "lan", Comment: "made by fgtdev",
	}
	made, err := c.CreateNetworkingRouteStatic(r)
	if err != nil {
		say("create route", nil, err)
		return
	}
	say("create route", made.Status, nil)
	key := fmt.Sprint(int(made.Mkey))
	got, err := c.ReadNetworkingRouteStatic(key)
	say("read route", got, err)
	r.Comment = "changed"
	changed, err := c.UpdateNetworkingRouteStatic(r, key)
	say("update route", changed != nil && changed.Mkey == key, err)
	got, err = c.ReadNetworkingRouteStatic(key)
	say("read changed route", got.Comment, err)
	say("delete route", nil, c.DeleteNetworkingRouteStatic(key))
}

func vip(c *forticlient.FortiSDKClient) {
	v := &forticlient.JSONFirewallObjectVip{
		Name: "vip by fgtdev", Comment: "x", Extip: "203.0.113.77", Mappedip: forticlient.VIPMultValues{{Range: "192.168.1.77"}},
		Extintf: "any", Portforward: "enable", Protocol: "tcp", Extport: "8443", Mappedport: "443",
	}
	made, err := c.CreateFirewallObjectVip(v)
	if err != nil {
		say("create vip", nil, err)
		return
	}
	say("create vip", made.Mkey, nil)
	got, err := c.ReadFirewallObjectVip(v.Name)
	say("read vip", got, err)
	say("delete vip", nil, c.DeleteFirewallObjectVip(v.Name))
}

func address(c *forticlient.FortiSDKClient) {
	span := func(comment, end string) *forticlient.JSONFirewallObjectAddress {
		return &forticlient.JSONFirewallObjectAddress{
			JSONFirewallObjectAddressCommon:  &forticlient.JSONFirewallObjectAddressCommon{Name: "span", Type: "iprange", Comment: comment},
			JSONFirewallObjectAddressIPRange: &forticlient.JSONFirewallObjectAddressIPRange{StartIP: "10.60.0.1", EndIP: end},
		}
	}
	_, err := c.CreateFirewallObjectAddress(span("made", "10.60.0.9"))
	say("create address", nil, err)
	_, err = c.UpdateFirewallObjectAddress(span("changed", "10.60.0.20"), "span")
	say("update address", nil, err)
	got, err := c.ReadFirewallObjectAddress("span")
	say("read address", got, err)
	say("delete address", nil, c.DeleteFirewallObjectAddress("span"))
	got, err = c.ReadFirewallObjectAddress("span")
	say("read deleted address", got, err)
}

// policy: the client sends each attribute that it knows, those of 6.0 with it.
func policy(c *forticlient.FortiSDKClient) {
	one := func(name string) forticlient.MultValues { return forticlient.MultValues{{Name: name}} }
	_, err := c.CreateFirewallSecurityPolicy(&forticlient.JSONFirewallSecurityPolicy{
		Name: "by fgtdev", Srcintf: one("lan"), Dstintf: one("wan1"), Srcaddr: one("all"), Dstaddr: one("all"),
		InternetService: "disable", InternetServiceSrc: "disable", Status: "enable", Action: "accept", Schedule: "always", Service: one("HTTPS"),
		UtmStatus: "disable", Logtraffic: "all", LogtrafficStart: "disable", CapturePacket: "disable", Ippool: "disable", Nat: "enable", Comments: "made",
	})
	say("create policy", nil, err)
	got, err := c.ReadFirewallSecurityPolicy("1")
	if err != nil {
		say("read policy", nil, err)
		return
	}
	say("read policy", []any{got.Name, got.Action, got.Srcintf, got.Service}, nil)
}

func global(c *forticlient.FortiSDKClient) {
	g := &forticlient.JSONSystemSettingGlobal{Admintimeout: "65", Timezone: "04", Hostname: "by-fgtdev", AdminSport: "443", AdminSSHPort: "2222"}
	_, err := c.UpdateSystemSettingGlobal(g, "")
	say("update global", nil, err)
	got, err := c.ReadSystemSettingGlobal("")
	say("read global", got, err)
}
