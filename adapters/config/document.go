package config

import (
	"maps"
	"time"

	"github.com/forti-mcp/forti/core/profile"
)

// Version is the version of the file's format.
const Version = 1

// Document is what the file says. Members that are zero are not in the file and
// stand for their default.
type Document struct {
	// DefaultProfile is the profile of requests that name none; "" for none.
	DefaultProfile string
	// Profiles are the devices, by profile name.
	Profiles map[string]Entry
	// Secrets are the secrets that plans may use, by name.
	Secrets map[string]Source
	State   State
}

// clone is a document whose maps can be changed without changing d's.
func (d Document) clone() Document {
	d.Profiles, d.Secrets = maps.Clone(d.Profiles), maps.Clone(d.Secrets)
	return d
}

// State adjusts the state directory.
type State struct {
	// AllowNetworkFilesystem takes a home on a network file system.
	AllowNetworkFilesystem bool
}

// Entry is one profile. Host, Mode and Token are required.
type Entry struct {
	// Host is a name or an address, without scheme and port.
	Host string
	// Port is 1 to 65535; 0 stands for 443.
	Port int
	// VDOM is the default virtual domain; "" stands for root.
	VDOM  string
	Mode  profile.Mode
	Token Source
	TLS   TLS
	// Timeout bounds each request, 1 second to 10 minutes; 0 stands for 30 seconds.
	Timeout time.Duration
	// NoBackup switches the backup before critical plans off.
	NoBackup bool
	// MaxResultBytes is the byte budget of a result; 0 stands for 40,000.
	MaxResultBytes int
	// MaxOperations bounds a plan; 0 stands for 500.
	MaxOperations       int
	AltHosts            []string
	ManagementInterface string
	APIUser             string
	AllowActions        []string
	Deny                []string
	// Proxy is the URL of an HTTP proxy; "" for none.
	Proxy    string
	Approval Approval
}

// TLS says what authenticates the device: one of the two, or neither for the
// system's authorities.
type TLS struct {
	// CAFile is a PEM file, relative to home or absolute.
	CAFile string
	// PinSHA256 is the SHA-256 of the device's public key, 64 hex digits.
	PinSHA256 string
}

// Approval says what an approval needs.
type Approval struct {
	// Signers is a file of permitted SSH signers, relative to home or absolute.
	Signers string
	// Required is the number of different signers.
	Required int
}

// Source says where a secret comes from. Exactly one member is set.
type Source struct {
	// Keyring: the system's keyring.
	Keyring bool
	// Env names an environment variable.
	Env string
	// File is a file that only its owner can read, relative to home or absolute.
	File string
	// Command is a program with its arguments, run without a shell.
	Command []string
}

// IsZero reports whether no source is named.
func (s Source) IsZero() bool {
	return !s.Keyring && s.Env == "" && s.File == "" && len(s.Command) == 0
}
