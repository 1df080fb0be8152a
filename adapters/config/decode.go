package config

import (
	"fmt"

	"github.com/forti-mcp/forti/core/canon"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/profile"
)

// Decode reads a file strictly. Its error has the code config and lists every
// problem, with its JSON pointer, in details.problems. Values of token sources
// and proxies are not repeated in it.
func Decode(data []byte) (Document, error) {
	v, err := canon.Decode(data)
	if err != nil {
		return Document{}, fault.Wrap(err, fault.Config, "%s cannot be read: %s", fileName, decodeText(err))
	}
	r := &reader{}
	d := r.document(v)
	return d, r.err()
}

func (r *reader) document(v any) Document {
	d := Document{Profiles: map[string]Entry{}, Secrets: map[string]Source{}}
	version := 0
	r.object("", v, members{
		"version":         r.number(&version, 1, 1_000_000),
		"default_profile": r.text(&d.DefaultProfile, checkName),
		"profiles":        r.each(func(at, name string, v any) { d.Profiles[name] = r.entry(at, v) }),
		"secrets":         r.each(func(at, name string, v any) { d.Secrets[name] = r.source(at, v) }),
		"state": func(at string, v any) {
			r.object(at, v, members{"allow_network_filesystem": r.truth(&d.State.AllowNetworkFilesystem)})
		},
	})
	if len(r.problems) > 0 {
		return d
	}
	if version != Version {
		r.add("/version", fmt.Sprintf("must be %d", Version))
	}
	if _, ok := d.Profiles[d.DefaultProfile]; !ok && d.DefaultProfile != "" {
		r.add("/default_profile", "names no profile")
	}
	return d
}

func (r *reader) entry(at string, v any) Entry {
	var e Entry
	backup := true
	r.object(at, v, members{
		"host":                   r.text(&e.Host, checkHost),
		"port":                   r.number(&e.Port, 1, 65535),
		"vdom":                   r.text(&e.VDOM, checkVDOM),
		"mode":                   r.text((*string)(&e.Mode), checkMode),
		"token":                  func(at string, v any) { e.Token = r.source(at, v) },
		"tls":                    func(at string, v any) { e.TLS = r.trust(at, v) },
		"timeout":                r.duration(&e.Timeout),
		"backup_before_critical": r.truth(&backup),
		"max_result_bytes":       r.number(&e.MaxResultBytes, profile.MinResultBytes, profile.MaxResultBytes),
		"max_operations":         r.number(&e.MaxOperations, 1, profile.MaxOperations),
		"alt_hosts":              r.texts(&e.AltHosts, checkHost),
		"management_interface":   r.text(&e.ManagementInterface, checkShort),
		"api_user":               r.text(&e.APIUser, checkShort),
		"allow_actions":          r.texts(&e.AllowActions, checkAction),
		"deny":                   r.texts(&e.Deny, checkResource),
		"proxy":                  r.text(&e.Proxy, checkProxy),
		"approval":               func(at string, v any) { e.Approval = r.approval(at, v) },
	}, "host", "mode", "token")
	e.NoBackup = !backup
	return e
}

func (r *reader) trust(at string, v any) TLS {
	var t TLS
	r.object(at, v, members{"ca_file": r.text(&t.CAFile, checkPath), "pin_sha256": r.text(&t.PinSHA256, checkPin)})
	if t.CAFile != "" && t.PinSHA256 != "" {
		r.add(at, "set ca_file or pin_sha256, not both: with a pin no authority is asked")
	}
	return t
}

func (r *reader) approval(at string, v any) Approval {
	var a Approval
	r.object(at, v, members{"signers": r.text(&a.Signers, checkPath), "required": r.number(&a.Required, 1, 16)})
	if a.Required > 1 && a.Signers == "" {
		r.add(at+"/required", "more than one approver needs signers: a typed approval does not say whose it is")
	}
	return a
}

func (r *reader) source(at string, v any) Source {
	var s Source
	if _, isText := v.(string); isText {
		r.add(at, `must be an object that says where the secret comes from, such as {"keyring": true}; the secret itself never stands here`)
		return s
	}
	before := len(r.problems)
	r.object(at, v, members{
		"keyring": r.truth(&s.Keyring),
		"env":     r.text(&s.Env, checkVariable),
		"file":    r.text(&s.File, checkPath),
		"command": r.texts(&s.Command, checkWord),
	})
	o, _ := v.(map[string]any)
	if len(r.problems) == before && (len(o) != 1 || s.IsZero()) {
		r.add(at, `must have exactly one of "keyring": true, "env", "file" and "command"`)
	}
	return s
}
