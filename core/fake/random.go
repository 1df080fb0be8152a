package fake

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"sync"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
)

// Random gives bytes that are the same in every run and fit for tests only.
type Random struct {
	mu       sync.Mutex
	count    uint64
	constant []byte
	broken   bool
}

var _ port.Random = (*Random)(nil)

// NewRandom makes a source; each seed is another sequence.
func NewRandom(seed uint64) *Random { return &Random{count: seed << 32} }

// Constant makes all bytes repeat a pattern; none ends it. It stands for a run of
// bad luck, as when an id is drawn twice.
func (r *Random) Constant(pattern ...byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.constant = slices.Clone(pattern)
}

// Break makes every Bytes fail.
func (r *Random) Break() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.broken = true
}

// Bytes gives n bytes; see [port.Random].
func (r *Random) Bytes(n int) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.broken || n < 0 {
		return nil, fault.New(fault.Internal, "no random bytes can be had")
	}
	out := make([]byte, 0, n)
	for len(out) < n {
		if len(r.constant) > 0 {
			out = append(out, r.constant...)
			continue
		}
		r.count++
		block := sha256.Sum256(binary.BigEndian.AppendUint64([]byte("fake-random"), r.count))
		out = append(out, block[:]...)
	}
	return out[:n:n], nil
}
