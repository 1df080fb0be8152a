package fortisim

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/forti-mcp/forti/fortios-client/catalog"
	"github.com/forti-mcp/forti/fortios-client/fortisim/internal/session"
)

// Device is a simulated FortiGate. Make one with New.
type Device struct {
	mu      sync.Mutex // guards everything below it
	options Options
	serial  string
	facts   *catalog.Catalog
	shapes  map[string]*shape
	targets map[string]target
	tables  map[tableKey]*table
	// referrers are the tables that may refer to a reference; nil until asked.
	referrers map[string][]object
	entries   map[logKey][]object
	log       requestLog
	locks     map[string]*lockout
	settles   map[string]settling
	sessions  session.Store
	outage    outage
	monitors  map[string]endpoint
	revisions []revision
	restores  map[string]string // how each restore ended
	saved     *kept             // what a restart goes back to, where saving is not automatic
	saveAt    time.Time         // when unsaved changes are undone
	began     time.Time
	parallel  int // requests that are being answered
	// countersReset says that the policies' counters were set to nothing.
	countersReset bool
	// transactions are the open ones, by number.
	transactions    map[int]*transaction
	lastTransaction int
	uuids           int
	numbers         map[string]int // of resources, once asked for

	injections injections
}

var _ http.Handler = (*Device)(nil)

// New is a device that has its factory configuration and then its seed. The
// error is of the options or of the seed, whose writes are checked like any.
func New(o *Options) (*Device, error) {
	options, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	d := &Device{
		options: options,
		serial:  options.Serial,
		facts:   catalog.Open(),
		shapes:  map[string]*shape{},
		targets: map[string]target{},
		tables:  map[tableKey]*table{},
		locks:   map[string]*lockout{},
		settles: map[string]settling{},

		monitors: endpoints(),
		restores: map[string]string{},
		began:    options.Now(),
	}
	if err := factory(d); err != nil {
		return nil, fmt.Errorf("fortisim: factory configuration: %w", err)
	}
	if err := options.Seed(d); err != nil {
		return nil, fmt.Errorf("fortisim: seed: %w", err)
	}
	for _, rule := range options.Faults {
		if _, err := d.Inject(rule); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Version is the device's present release.
func (d *Device) Version() catalog.Version {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.options.Version
}

// Serial is the serial number that answers carry.
func (d *Device) Serial() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.serial
}

// Token is the bearer token of the first administrator that may write, else of
// the first one.
func (d *Device) Token() string {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, a := range d.options.Admins {
		if a.Access == ReadWrite && a.Profile == "" {
			return a.Token
		}
	}
	return d.options.Admins[0].Token
}

// SetSerial makes later answers those of another unit, as after a fail-over.
func (d *Device) SetSerial(serial string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.serial = serial
}

// SetVersion makes later answers those of another release, as after an upgrade;
// Behaviour stays. Build 0 is the public build of that release.
func (d *Device) SetVersion(v catalog.Version, build int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if build == 0 {
		build = publicBuild(v)
	}
	d.options.Version, d.options.Build = v, build
	clear(d.shapes)
	clear(d.targets)
	d.referrers = nil
}

// SetBehaviour replaces the switches.
func (d *Device) SetBehaviour(b Behaviour) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.options.Behaviour = &b
}

func (d *Device) behaviour() *Behaviour { return d.options.Behaviour }

func (d *Device) hasVDOM(name string) bool { return slices.Contains(d.options.VDOMs, name) }

// tableKeys are the tables in a steady order.
func (d *Device) tableKeys() []tableKey {
	keys := make([]tableKey, 0, len(d.tables))
	for k := range d.tables {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b tableKey) int {
		return cmp.Or(cmp.Compare(a.vdom, b.vdom), cmp.Compare(a.path, b.path))
	})
	return keys
}
