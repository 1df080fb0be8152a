package clients

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"
)

// everywhere is an answer about each VDOM.
type everywhere[T any] []struct {
	VDOM, Version string
	Results       T
}

type usage struct {
	CPU, Mem, Session, Session6 []struct{ Current float64 }
}

// asked decodes the answer to a question as strictly as a program in Go does: a text
// where a number is expected is an error.
func asked[T any](t *testing.T, s *simulator, path string) T {
	t.Helper()
	var out T
	if err := json.Unmarshal(s.ask(t, http.MethodGet, path, ""), &out); err != nil {
		t.Errorf("%s: %v", path, err)
	}
	return out
}

// The questions of fortigate_exporter, which cannot be had here, word for word, and
// what it takes from the answers: they are the device's state.
func TestTheQuestionsOfTheExporterForFortiGatesAreAnswered(t *testing.T) {
	t.Parallel()
	for _, release := range []string{"6.4.14", "7.0.12", "7.2.8", "7.4.8", "7.6.5"} {
		t.Run(release, func(t *testing.T) {
			t.Parallel()
			s := simulate(t, "--release", release)
			s.answersAboutPolicies(t)
			s.answersAboutInterfaces(t)
			s.answersAboutTheUnit(t, release)
			s.answersInTheRightShape(t)
		})
	}
}

func (s *simulator) answersAboutPolicies(t *testing.T) {
	t.Helper()
	type counters struct {
		PolicyID       int64
		UUID           string
		Active         float64 `json:"active_sessions"`
		Hits           float64 `json:"hit_count"`
		Bytes, Packets float64
	}
	type configured struct {
		PolicyID                   int64
		Name, UUID, Action, Status string
	}
	ids, uuids := []int64{0}, map[string]string{}
	for _, vdom := range asked[everywhere[[]configured]](t, s, "cmdb/firewall/policy?vdom=*&policyid|name|uuid|action|status") {
		for _, p := range vdom.Results {
			ids = append(ids, p.PolicyID)
			uuids[p.UUID] = p.Name
		}
	}
	var counted []int64
	for _, vdom := range asked[everywhere[[]counters]](t, s, "monitor/firewall/policy/select?vdom=*&ip_version=ipv4") {
		for _, p := range vdom.Results {
			counted = append(counted, p.PolicyID)
			if p.PolicyID > 0 && uuids[p.UUID] == "" {
				t.Errorf("no policy has the uuid %q of the counters of %d", p.UUID, p.PolicyID)
			}
		}
	}
	if !slices.Equal(counted, ids) || len(ids) != 7 {
		t.Errorf("counters of %v, policies are %v", counted, ids)
	}
	asked[everywhere[[]counters]](t, s, "monitor/firewall/policy/select?vdom=*&ip_version=ipv6")
}

func (s *simulator) answersAboutInterfaces(t *testing.T) {
	t.Helper()
	type port struct {
		ID, Name, Alias, Interface string
		Link                       bool
		Speed, Duplex              float64
		Sent                       float64 `json:"tx_bytes"`
		Received                   float64 `json:"rx_packets"`
	}
	names := s.keys(t, "system/interface", "name")
	for _, vdom := range asked[everywhere[map[string]port]](t, s, "monitor/system/interface/select?vdom=*&include_vlan=true&include_aggregate=true") {
		for name, p := range vdom.Results {
			if p.Name != name || !slices.Contains(names, name) {
				t.Errorf("%q is named %q; the device has %q", name, p.Name, names)
			}
		}
		if wan := vdom.Results["wan1"]; !wan.Link || wan.Speed != 1000 || wan.Sent == 0 || wan.Received == 0 {
			t.Errorf("wan1 is %+v", wan)
		}
	}
	type tunnel struct {
		Name, Type string
		ProxyID    []struct {
			Name           string  `json:"p2name"`
			Serial         int     `json:"p2serial"`
			In             float64 `json:"incoming_bytes"`
			Out            float64 `json:"outgoing_bytes"`
			Status, Expire any
		}
	}
	gateways := s.keys(t, "vpn.ipsec/phase1-interface", "name")
	for _, vdom := range asked[everywhere[[]tunnel]](t, s, "monitor/vpn/ipsec?vdom=*") {
		for _, tunnel := range vdom.Results {
			if !slices.Contains(gateways, tunnel.Name) || len(tunnel.ProxyID) != 1 || tunnel.ProxyID[0].Status != "up" || tunnel.ProxyID[0].Out == 0 {
				t.Errorf("a tunnel is %+v, the device has %q", tunnel, gateways)
			}
		}
	}
}

func (s *simulator) answersAboutTheUnit(t *testing.T, release string) {
	t.Helper()
	status := asked[struct{ Status, Version string }](t, s, "monitor/system/status")
	if status.Status != "success" || status.Version != "v"+release {
		t.Errorf("the unit is %+v", status)
	}
	unit := asked[struct {
		Results []struct {
			Hostname                       string
			Serial                         string `json:"serial_no"`
			Tnow, Sessions, Tpacket, Tbyte float64
			Virus                          float64 `json:"vir_usage"`
			Net                            float64 `json:"net_usage"`
			IPS                            float64 `json:"intr_usage"`
			CPU                            float64 `json:"cpu_usage"`
			Mem                            float64 `json:"mem_usage"`
		}
	}](t, s, "monitor/system/ha-statistics").Results
	if len(unit) != 1 || unit[0].Hostname != results[values](t, s, "cmdb/system/global")["hostname"] || unit[0].Serial != "FGVMSIM000000001" || unit[0].CPU == 0 {
		t.Errorf("the cluster is %+v", unit)
	}
	group := asked[struct {
		Results struct {
			Name *string `json:"group-name"`
		}
	}](t, s, "cmdb/system/ha")
	if group.Results.Name == nil {
		t.Error("the cluster's group has no name")
	}
	whole := asked[struct{ Results usage }](t, s, "monitor/system/resource/usage?interval=1-min&scope=global").Results
	each := asked[everywhere[usage]](t, s, "monitor/system/resource/usage?interval=1-min&vdom=*")
	if len(whole.CPU) < 2 || len(whole.Mem) == 0 || len(whole.Session) == 0 || len(whole.Session6) == 0 || len(each) != 1 || len(each[0].Results.CPU) == 0 || each[0].VDOM != "root" {
		t.Errorf("the usage is %+v and %+v", whole, each)
	}
	license := asked[struct {
		Results struct {
			VDOM struct {
				Type      string
				Used, Max float64
			}
		}
	}](t, s, "monitor/license/status/select").Results.VDOM
	if license.Max == 0 || license.Used != float64(len(s.rows(t, "system/vdom"))) {
		t.Errorf("the licence for VDOMs is %+v", license)
	}
	for _, scope := range []string{"scope=global", "vdom=*"} {
		s.answersAboutCertificates(t, scope)
	}
}

type certificate struct {
	Name, Source, Type, Status string
	From                       float64 `json:"valid_from"`
	To                         float64 `json:"valid_to"`
}

func (s *simulator) answersAboutCertificates(t *testing.T, scope string) {
	t.Helper()
	path := "monitor/system/available-certificates?" + scope
	var list []certificate
	if scope == "vdom=*" {
		list = asked[everywhere[[]certificate]](t, s, path)[0].Results
	} else {
		list = asked[struct{ Results []certificate }](t, s, path).Results
	}
	for _, c := range list {
		if c.Name == "" || c.Type == "" || c.To <= c.From {
			t.Errorf("%s: a certificate is %+v", scope, c)
		}
	}
	if len(list) == 0 {
		t.Errorf("%s: no certificates", scope)
	}
}

// answersInTheRightShape asks what the first configuration has nothing of: an empty
// list is a list and an empty map a map.
func (s *simulator) answersInTheRightShape(t *testing.T) {
	t.Helper()
	for _, path := range []string{
		"firewall/ippool?vdom=*", "virtual-wan/health-check?vdom=*", "system/link-monitor?vdom=*",
	} {
		asked[everywhere[map[string]any]](t, s, "monitor/"+path)
	}
	for _, path := range []string{
		"vpn/ssl?vdom=*", "user/fsso?vdom=*", "wifi/client?vdom=*&start=0&count=1000", "wifi/managed_ap?vdom=*&start=0&count=1000",
		"router/bgp/neighbors?vdom=*", "router/bgp/neighbors6?vdom=*", "router/bgp/paths?vdom=*&count=10000", "router/bgp/paths6?vdom=*&count=10000", "router/ospf/neighbors?vdom=*",
		"switch-controller/managed-switch/status?vdom=*&start=0&count=1000", "firewall/load-balance?vdom=*&start=0&count=1000",
	} {
		asked[everywhere[[]any]](t, s, "monitor/"+path)
	}
	clock := asked[struct{ Results struct{ Time float64 } }](t, s, "monitor/system/time")
	disk := asked[struct {
		Results struct {
			Used  float64 `json:"used_bytes"`
			Total float64 `json:"total_bytes"`
		}
	}](t, s, "monitor/log/current-disk-usage")
	asked[struct {
		Results []struct {
			Name, Type string
			Value      float64
		}
	}](t, s, "monitor/system/sensor-info?vdom=root")
	if clock.Results.Time == 0 || disk.Results.Total <= disk.Results.Used {
		t.Errorf("clock %+v, disk %+v", clock, disk)
	}
}
