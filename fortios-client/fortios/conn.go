package fortios

import (
	"bufio"
	"crypto/tls"
	"errors"
	"io"
	"math"
	"net"
	"sync"
	"time"
)

// maxHeader bounds the header of an answer, interim answers included.
const maxHeader = 64 << 10

// reuseWithin is how long a connection counts as alive after an answer.
const reuseWithin = 2 * time.Second

// link is one connection with TLS on it.
type link struct {
	wire     *wire
	tls      *tls.Conn
	gate     gate
	quota    quota
	in       *bufio.Reader
	answered time.Time // of the last complete 2xx answer
}

func newLink(raw *wire, secured *tls.Conn) *link {
	l := &link{wire: raw, tls: secured, gate: gate{to: secured}, quota: quota{from: secured, left: math.MaxInt64}}
	l.in = bufio.NewReader(&l.quota)
	return l
}

// close ends the connection without the farewell of TLS, which could block.
func (l *link) close() { _ = l.wire.Close() }

// allow grants the reader n bytes more from now on, plus what it reads ahead.
func (l *link) allow(n int64) { l.quota.left = n + int64(l.in.Size()) }

// gate is the only way to TLS. It sets the flag of the exchange at hand before
// the first byte is passed on, so that a flag that is not set proves that
// nothing was.
type gate struct {
	to   io.Writer
	sent *bool
}

func (g *gate) Write(p []byte) (int, error) {
	*g.sent = true
	return g.to.Write(p)
}

// wire is the connection below TLS.
type wire struct {
	net.Conn
	idle  time.Duration // longest silence that a Read bears; 0 means no limit
	ended bool          // the peer ended the connection below TLS
}

func (w *wire) Read(p []byte) (int, error) {
	var deadline time.Time
	if w.idle > 0 {
		deadline = time.Now().Add(w.idle)
	}
	if err := w.SetReadDeadline(deadline); err != nil {
		return 0, err
	}
	n, err := w.Conn.Read(p)
	w.ended = w.ended || errors.Is(err, io.EOF)
	return n, err
}

var errQuota = errors.New("more than is allowed")

// quota ends reading with errQuota once left bytes have come.
type quota struct {
	from  io.Reader
	left  int64
	ended error // what from ended with, where it has
}

func (q *quota) Read(p []byte) (int, error) {
	if q.left <= 0 {
		return 0, errQuota
	}
	n, err := q.from.Read(p[:min(int64(len(p)), q.left)])
	q.left -= int64(n)
	q.ended = err
	return n, err
}

func (q *quota) refill(n int64) { q.left = n }

// pool keeps one connection at most. The rule of 2 seconds makes more useless
// for a caller that sends one request after the other.
type pool struct {
	now  func() time.Time
	mu   sync.Mutex
	kept *link
}

// take returns the kept connection where it may still be used, else nil.
func (p *pool) take() *link {
	l := p.swap(nil)
	if l == nil {
		return nil
	}
	age := p.now().Sub(l.answered)
	if age < 0 || age > reuseWithin || !alive(l.wire.Conn) {
		l.close()
		return nil
	}
	return l
}

// keep stores a connection on which an answer has just arrived.
func (p *pool) keep(l *link) {
	l.answered = p.now()
	if old := p.swap(l); old != nil {
		old.close()
	}
}

// drop closes what is kept: after a doubtful answer nothing is reused.
func (p *pool) drop() {
	if old := p.swap(nil); old != nil {
		old.close()
	}
}

func (p *pool) swap(l *link) *link {
	p.mu.Lock()
	defer p.mu.Unlock()
	old := p.kept
	p.kept = l
	return old
}
