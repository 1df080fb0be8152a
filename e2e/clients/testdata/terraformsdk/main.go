// Command terraformsdk does with the Terraform provider's own SDK what a person does
// with Terraform, and prints each value that the SDK gave, one line of JSON a step.
package main

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	"crypto/tls"

	"github.com/fortinetdev/forti-sdk-go/fortios/auth"
	forticlient "github.com/fortinetdev/forti-sdk-go/fortios/sdkcore"
)

type attributes = map[string]any

func main() {
	log.SetOutput(io.Discard) // it logs every answer
	a := auth.NewAuth(os.Getenv("FORTI_HOST"), os.Getenv("FORTI_TOKEN"), "", "", "", "", "", "", "root", "")
	c, err := forticlient.NewClient(a, &http.Client{
		Timeout:   20 * time.Second,
		Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}},
	})
	say("connect", nil, err)
	if err != nil {
		return
	}
	say("version", c.Fv, nil)
	for _, tour := range tours[os.Getenv("FORTI_TOUR")] {
		tour(c)
	}
}

// tours are what it does, by the name that it is given.
var tours = map[string][]func(*forticlient.FortiSDKClient){
	"":        {address, policies, singleton, monitor},
	"objects": {firewallObjects, systemObjects, tunnels, singletons},
	"sorting": {sorting},
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

func address(c *forticlient.FortiSDKClient) {
	const name = "web 10/8"
	out, err := c.CreateFirewallAddress(&attributes{"name": name, "type": "ipmask", "subnet": "10.20.0.0 255.255.0.0", "comment": "made by Terraform"}, "")
	say("create address", out["mkey"], err)
	_, err = c.CreateFirewallAddress(&attributes{"name": name, "subnet": "10.20.0.0 255.255.0.0"}, "")
	say("create address again", nil, err)
	got, err := c.ReadFirewallAddress(name, "")
	say("read address", pick(got, "name", "subnet", "comment", "type"), err)
	_, err = c.UpdateFirewallAddress(&attributes{"comment": "changed"}, name, "")
	say("update address", nil, err)
	_, err = c.UpdateFirewallAddress(&attributes{"subnet": "nonsense"}, name, "")
	say("update address badly", nil, err)
	got, err = c.ReadFirewallAddress(name, "")
	say("read changed address", pick(got, "comment", "subnet"), err)
	_, err = c.CreateFirewallAddrgrp(&attributes{"name": "webs", "member": []attributes{{"name": name}, {"name": "srv-web"}}}, "")
	say("create group", nil, err)
	say("delete address in use", nil, c.DeleteFirewallAddress(name, ""))
	say("delete group", nil, c.DeleteFirewallAddrgrp("webs", ""))
	say("delete address", nil, c.DeleteFirewallAddress(name, ""))
	got, err = c.ReadFirewallAddress(name, "")
	say("read deleted address", got, err)
	list, err := c.GenericGroupRead("/api/v2/cmdb/firewall/address", "filter=name=@srv", "")
	names := []any{}
	for _, row := range list {
		names = append(names, row.(attributes)["name"])
	}
	say("list addresses", names, err)
}

func policies(c *forticlient.FortiSDKClient) {
	name := []attributes{{"name": "all"}}
	var keys []string
	for _, policy := range []string{"first by Terraform", "second by Terraform"} {
		out, err := c.CreateFirewallPolicy(&attributes{
			"name": policy, "srcintf": []attributes{{"name": "lan"}}, "dstintf": []attributes{{"name": "wan1"}},
			"srcaddr": name, "dstaddr": name, "service": []attributes{{"name": "ALL"}}, "schedule": "always", "action": "accept",
		}, "")
		key := fmt.Sprint(out["mkey"])
		keys = append(keys, key)
		say("create policy", key != "" && key != "<nil>", err)
	}
	say("move policy", keys, c.CreateUpdateFirewallSecurityPolicySeq(keys[1], keys[0], "before", ""))
	got, err := c.ReadFirewallPolicy(keys[1], "")
	say("read policy", pick(got, "name", "action", "schedule", "srcintf"), err)
}

func singleton(c *forticlient.FortiSDKClient) {
	_, err := c.UpdateSystemGlobal(&attributes{"admintimeout": 33}, "", "")
	say("update global", nil, err)
	got, err := c.ReadSystemGlobal("", "")
	say("read global", pick(got, "admintimeout", "hostname"), err)
}

func monitor(c *forticlient.FortiSDKClient) {
	out, err := c.CreateJSONGenericAPI(&forticlient.JSONJSONGenericAPI{Path: "/api/v2/monitor/system/status", Method: "GET"}, "")
	var answer attributes
	if err == nil {
		err = json.Unmarshal([]byte(out), &answer)
	}
	say("monitor status", pick(answer, "serial", "version", "status"), err)
}

func pick(from attributes, names ...string) attributes {
	out := attributes{}
	for _, n := range names {
		v := from[n]
		if rows, ok := v.([]any); ok {
			var list []any
			for _, r := range rows {
				list = append(list, r.(attributes)["name"])
			}
			v = list
		}
		out[n] = v
	}
	return out
}
