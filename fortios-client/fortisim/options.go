package fortisim

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"sync"
	"time"

	"github.com/forti-mcp/forti/fortios-client/catalog"
)

// Access is what an API administrator may do.
type Access string

// The two accesses. The zero Access is ReadOnly.
const (
	ReadOnly  Access = "read-only"
	ReadWrite Access = "read-write"
)

// Admin is an API administrator of the device.
type Admin struct {
	// Name is the administrator's name. Where the configuration has a row of
	// that name in system/api-user, its trusted hosts apply.
	Name string
	// Token is the bearer token. It is never recorded or printed.
	Token string
	// Access says whether the administrator may write.
	Access Access
	// VDOMs are the virtual domains it may use; empty means all of them.
	VDOMs []string
	// Profile is a row of system/accprofile, whose access groups say what the
	// administrator may read and write; Access does not count then. Empty means
	// that Access counts, for everything.
	Profile string

	session bool // logged in with a password
}

// Seed fills a new device, through the same checks as a client's writes.
type Seed func(*Device) error

// Options describe a simulated device. The zero value, and nil, are a branch
// office's FortiGate VM with FortiOS 7.4.8 and one administrator that may
// write.
type Options struct {
	// Version is the FortiOS release, 7.4.8 if zero. It selects the facts of
	// the catalog and the form of the answers.
	Version catalog.Version
	// Build is the build number; 0 means the public build of Version where it
	// is known, else 9999.
	Build int
	// Serial is 6 to 32 capital letters and digits; FGVMSIM000000001 if empty.
	Serial string
	// Hostname is the name in system/global; fortisim if empty.
	Hostname string
	// Model is the short model name, such as FGVMK6 (the default).
	Model string
	// VDOMs are the virtual domains, root first; just root if empty.
	VDOMs []string
	// Admins are the API administrators. If empty there is one, forti, with
	// read-write access and a random token (Device.Token).
	Admins []Admin
	// Limits are how many rows tables take, by path, such as "firewall/address";
	// for other tables the catalog's limits count, which are a large appliance's.
	Limits map[string]int
	// Seed is the configuration to start with: Branch if nil.
	Seed Seed
	// Recordings are answered before the configuration is looked at; of several
	// that fit, the first.
	Recordings []Recording
	// Faults are injected from the start.
	Faults []Rule
	// Observe is told of each request as it arrives, before it has an effect; it
	// must not call the device. Requests that arrive together are told one after
	// the other. Nil for nobody; Device.Requests has them all the same.
	Observe func(RequestRecord)
	// Behaviour switches what is not known for certain; nil means
	// DefaultBehaviour of Version.
	Behaviour *Behaviour
	// Now is the device's clock; time.Now if nil.
	Now func() time.Time
	// Sleep waits for faults that take time, until ctx ends; a real timer if nil.
	Sleep func(ctx context.Context, d time.Duration) error
	// Rand gives the bytes of uuids and of encrypted secrets. If nil they
	// follow from the serial, so that two runs give the same.
	Rand io.Reader
}

var serialForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Z0-9]{6,32}$`) })

// IsSerial says whether a text has the form of a serial number: 6 to 32 capital
// letters and digits.
func IsSerial(text string) bool { return serialForm().MatchString(text) }

// withDefaults is a copy of o with every empty field filled.
func (o *Options) withDefaults() (Options, error) {
	var out Options
	if o != nil {
		out = *o
	}
	if out.Version.IsZero() {
		out.Version = defaultVersion()
	}
	fill(&out.Serial, "FGVMSIM000000001")
	fill(&out.Hostname, "fortisim")
	fill(&out.Model, "FGVMK6")
	if !IsSerial(out.Serial) {
		return out, fmt.Errorf("fortisim: serial %q is not 6 to 32 capital letters and digits", out.Serial)
	}
	if out.Build == 0 {
		out.Build = publicBuild(out.Version)
	}
	if len(out.VDOMs) == 0 {
		out.VDOMs = []string{"root"}
	}
	if out.Seed == nil {
		out.Seed = Branch
	}
	return out, out.fillSources()
}

// fillSources sets clock, randomness, behaviour and administrators.
func (o *Options) fillSources() error {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Rand == nil {
		o.Rand = serialRand(o.Serial)
	}
	if o.Behaviour == nil {
		b := DefaultBehaviour(o.Version)
		o.Behaviour = &b
	}
	if len(o.Admins) == 0 {
		o.Admins = []Admin{{Name: "forti", Token: randomToken(), Access: ReadWrite}}
	}
	if err := checkRecordings(o.Recordings); err != nil {
		return err
	}
	for _, a := range o.Admins {
		if a.Name == "" || a.Token == "" {
			return errors.New("fortisim: an administrator needs a name and a token")
		}
	}
	return nil
}

func defaultVersion() catalog.Version { return catalog.Version{Major: 7, Minor: 4, Patch: 8} }

func fill(field *string, value string) {
	if *field == "" {
		*field = value
	}
}

// sleep waits for d, or until ctx ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// publicBuild is the build of a public release (R), 9999 where it is not known.
func publicBuild(v catalog.Version) int {
	builds := map[string]int{
		"6.2.3": 1066, "6.4.4": 1803, "7.0.12": 523, "7.0.17": 682, "7.0.19": 696, "7.2.5": 1517, "7.2.8": 1639,
		"7.2.10": 1706, "7.2.13": 1762, "7.4.1": 2463, "7.4.4": 2662, "7.4.5": 2702,
		"7.4.8": 2795, "7.4.12": 2902, "7.6.0": 3401, "7.6.2": 3462, "7.6.3": 3510,
		"7.6.4": 3596, "7.6.5": 3651, "7.6.6": 3652, "7.6.7": 3704, "8.0.0": 167, "8.0.1": 245,
	}
	if b, known := builds[v.String()]; known {
		return b
	}
	return 9999
}
