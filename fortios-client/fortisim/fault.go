package fortisim

import (
	"sync"
	"time"
)

// Fault is one way of misbehaving. The set is closed; each kind is plain data,
// so that a file of rules can name it.
type Fault interface{ fault() }

// Latency waits before the request has its effect, through Options.Sleep.
type Latency struct{ Wait time.Duration }

// Refuse closes the connection before the request has an effect, as a device
// does that is out of connections.
type Refuse struct{}

// ResetBefore resets the connection before the request has an effect.
type ResetBefore struct{}

// ResetAfter resets the connection after the effect, before any answer.
type ResetAfter struct{}

// Truncate announces the whole answer, sends Bytes bytes of its body and resets
// the connection. The request has its effect.
type Truncate struct{ Bytes int }

// Answer replaces the answer. The request has an effect only if Effect is set.
type Answer struct {
	Status      int
	Body        string
	ContentType string // application/json if empty
	Effect      bool
}

// LoginPage answers 200 with the GUI's log-in page, without an effect.
type LoginPage struct{}

// Redirect answers with a redirect to To (status 307 if 0), without an effect.
type Redirect struct {
	To     string
	Status int
}

// SlowDrip sends the answer in pieces of Bytes bytes, waiting between them
// through Options.Sleep. The request has its effect.
type SlowDrip struct {
	Bytes int
	Wait  time.Duration
}

// IgnoreWrite answers success to a write that is checked and then not stored.
type IgnoreWrite struct{}

// Shorten stores only the first Length bytes of a text attribute of the body.
type Shorten struct {
	Attribute string
	Length    int
}

// DropEntry stores a list attribute of the body without the row of that key.
type DropEntry struct{ Attribute, Key string }

// Serial answers with another serial number, this once.
type Serial struct{ Value string }

// Hold keeps a request waiting until Release; make one with NewHold.
type Hold struct {
	after    bool
	held     chan struct{}
	release  chan struct{}
	heldOnce sync.Once
	freeOnce sync.Once
}

// NewHold holds a request before it has its effect, or after it and before the
// answer.
func NewHold(after bool) *Hold {
	return &Hold{after: after, held: make(chan struct{}), release: make(chan struct{})}
}

// Held is closed when the first request is being held.
func (h *Hold) Held() <-chan struct{} { return h.held }

// Release lets every held request go on, now and later.
func (h *Hold) Release() { h.freeOnce.Do(func() { close(h.release) }) }

func (Latency) fault()     {}
func (Refuse) fault()      {}
func (ResetBefore) fault() {}
func (ResetAfter) fault()  {}
func (Truncate) fault()    {}
func (Answer) fault()      {}
func (LoginPage) fault()   {}
func (Redirect) fault()    {}
func (SlowDrip) fault()    {}
func (IgnoreWrite) fault() {}
func (Shorten) fault()     {}
func (DropEntry) fault()   {}
func (Serial) fault()      {}
func (*Hold) fault()       {}
