package config

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// The written form has the documented order of keys and leaves defaults out.

type writtenDocument struct {
	Version        int                      `json:"version"`
	DefaultProfile string                   `json:"default_profile,omitempty"`
	Profiles       map[string]writtenEntry  `json:"profiles"`
	Secrets        map[string]writtenSource `json:"secrets,omitempty"`
	State          *writtenState            `json:"state,omitempty"`
}

type writtenState struct {
	AllowNetworkFilesystem bool `json:"allow_network_filesystem"`
}

type writtenEntry struct {
	Host                 string           `json:"host"`
	Port                 int              `json:"port,omitempty"`
	VDOM                 string           `json:"vdom,omitempty"`
	Mode                 string           `json:"mode"`
	Token                writtenSource    `json:"token"`
	TLS                  *writtenTLS      `json:"tls,omitempty"`
	Timeout              string           `json:"timeout,omitempty"`
	BackupBeforeCritical *bool            `json:"backup_before_critical,omitempty"`
	MaxResultBytes       int              `json:"max_result_bytes,omitempty"`
	MaxOperations        int              `json:"max_operations,omitempty"`
	AltHosts             []string         `json:"alt_hosts,omitempty"`
	ManagementInterface  string           `json:"management_interface,omitempty"`
	APIUser              string           `json:"api_user,omitempty"`
	AllowActions         []string         `json:"allow_actions,omitempty"`
	Deny                 []string         `json:"deny,omitempty"`
	Proxy                string           `json:"proxy,omitempty"`
	Approval             *writtenApproval `json:"approval,omitempty"`
}

type writtenTLS struct {
	CAFile    string `json:"ca_file,omitempty"`
	PinSHA256 string `json:"pin_sha256,omitempty"`
}

type writtenApproval struct {
	Signers  string `json:"signers,omitempty"`
	Required int    `json:"required,omitempty"`
}

type writtenSource struct {
	Keyring bool     `json:"keyring,omitempty"`
	Env     string   `json:"env,omitempty"`
	File    string   `json:"file,omitempty"`
	Command []string `json:"command,omitempty"`
}

// Encode writes the file, indented for a person. It fails where Decode would not
// take what it wrote, so that no file is written that cannot be used.
func (d Document) Encode() ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(d.written()); err != nil {
		return nil, fmt.Errorf("config: %w", err)
	}
	if _, err := Decode(out.Bytes()); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func (d Document) written() writtenDocument {
	w := writtenDocument{Version: Version, DefaultProfile: d.DefaultProfile, Profiles: map[string]writtenEntry{}}
	for name, e := range d.Profiles {
		w.Profiles[name] = e.written()
	}
	if len(d.Secrets) > 0 {
		w.Secrets = map[string]writtenSource{}
	}
	for name, s := range d.Secrets {
		w.Secrets[name] = writtenSource(s)
	}
	if d.State != (State{}) {
		s := writtenState(d.State)
		w.State = &s
	}
	return w
}

func (e Entry) written() writtenEntry {
	w := writtenEntry{
		Host: e.Host, Port: e.Port, VDOM: e.VDOM, Mode: string(e.Mode), Token: writtenSource(e.Token),
		MaxResultBytes: e.MaxResultBytes, MaxOperations: e.MaxOperations, AltHosts: e.AltHosts,
		ManagementInterface: e.ManagementInterface, APIUser: e.APIUser, AllowActions: e.AllowActions,
		Deny: e.Deny, Proxy: e.Proxy,
	}
	if e.Timeout != 0 {
		w.Timeout = e.Timeout.String()
	}
	if e.NoBackup {
		w.BackupBeforeCritical = new(bool)
	}
	if e.TLS != (TLS{}) {
		t := writtenTLS(e.TLS)
		w.TLS = &t
	}
	if e.Approval != (Approval{}) {
		a := writtenApproval(e.Approval)
		w.Approval = &a
	}
	return w
}
