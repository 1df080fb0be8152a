package fake

import (
	"errors"
	"slices"
	"sync"

	"github.com/forti-mcp/forti/core/audit"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/plan"
	"github.com/forti-mcp/forti/core/port"
)

// disk is what survives a process.
type disk struct {
	mu        sync.Mutex
	install   string
	plans     map[plan.ID]port.StoredPlan
	secrets   map[plan.ID][]byte
	approvals map[plan.ID][]byte
	revoked   map[plan.ID]bool
	journals  map[plan.ID][]byte
	log       [][]byte
	anchor    *audit.Head
	backups   map[string][]byte
	// locks are held by living processes; they vanish with their holder.
	locks map[string]*State
}

// State is one process's view of a state directory in memory. It can fail or die
// at any durable step; [State.Restart] gives the next process what was durable.
type State struct {
	disk *disk

	mu     sync.Mutex
	dead   bool
	steps  []string
	breaks []*liveBreak
}

// NewState makes an empty state directory and its first process.
func NewState() *State {
	return &State{disk: &disk{
		install: "0123456789abcdef0123456789abcdef",
		plans:   map[plan.ID]port.StoredPlan{}, secrets: map[plan.ID][]byte{}, approvals: map[plan.ID][]byte{},
		revoked: map[plan.ID]bool{}, journals: map[plan.ID][]byte{}, backups: map[string][]byte{}, locks: map[string]*State{},
	}}
}

// Another is a second process on the same directory.
func (s *State) Another() *State { return &State{disk: s.disk} }

// Crash ends the process: everything that is still called fails with
// [ErrCrashed], and its locks are free.
func (s *State) Crash() {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	s.die()
}

// Restart ends this process and starts the next one, which finds what was durable.
func (s *State) Restart() *State {
	s.Crash()
	return s.Another()
}

// Crashed reports whether the process has ended.
func (s *State) Crashed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dead
}

// ErrCrashed is wrapped by every failure of a process that has ended.
var ErrCrashed = errors.New("fake: the process has ended")

func crashed() error { return fault.Wrap(ErrCrashed, fault.Config, "the process has ended") }

// How says what happens at a durable step.
type How int

// The ways to fail.
const (
	// Refuse: nothing is stored, the call fails with config, the process lives.
	Refuse How = iota + 1
	// RefuseAll: as Refuse, and so do all later steps that match.
	RefuseAll
	// DieBefore: the process ends and nothing is stored.
	DieBefore
	// DieTorn: the process ends; of an appended line the first half is stored, of
	// anything else nothing.
	DieTorn
	// DieAfter: what was to be stored is stored, then the process ends.
	DieAfter
)

// Break is a failure to come.
type Break struct {
	// Step names the step, such as [StepJournal]; "" means any.
	Step string
	// Nth is the number of the step among those that match, from 1, counted from
	// the call of [State.Break].
	Nth int
	How How
}

// The durable steps.
const (
	StepPlan         = "plan"
	StepSecrets      = "secrets"
	StepEraseSecrets = "secrets.erase"
	StepApproval     = "approval"
	StepRevoke       = "approval.revoke"
	StepClaim        = "claim"
	StepJournal      = "journal"
	StepAudit        = "audit"
	StepBackup       = "backup"
)

type liveBreak struct {
	Break
	seen int
}

// Break makes a step to come fail.
func (s *State) Break(b Break) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.breaks = append(s.breaks, &liveBreak{Break: b})
}

// Mend takes all failures to come back.
func (s *State) Mend() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.breaks = nil
}

// Steps names the durable steps that were begun, oldest first, those that failed
// included.
func (s *State) Steps() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.steps)
}

// locked runs a read while the process lives.
func (s *State) locked(read func(d *disk) error) error {
	s.disk.mu.Lock()
	defer s.disk.mu.Unlock()
	if s.Crashed() {
		return crashed()
	}
	return read(s.disk)
}

// durable runs one durable step. allowed says first whether the step may be
// taken at all (a conflict is no step); store stores, the first half only where
// torn is set.
func (s *State) durable(step string, allowed func(d *disk) error, store func(d *disk, torn bool)) error {
	return s.locked(func(d *disk) error {
		if allowed != nil {
			if err := allowed(d); err != nil {
				return err
			}
		}
		switch s.next(step) {
		case Refuse, RefuseAll:
			return fault.New(fault.Config, "the state directory cannot be written (%s)", step)
		case DieBefore:
			s.die()
			return crashed()
		case DieTorn:
			store(d, true)
			s.die()
			return crashed()
		case DieAfter:
			store(d, false)
			s.die()
			return crashed()
		}
		store(d, false)
		return nil
	})
}

// next counts a step and says how it goes; 0 means well.
func (s *State) next(step string) How {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.steps = append(s.steps, step)
	for _, b := range s.breaks {
		if b.Step != "" && b.Step != step {
			continue
		}
		b.seen++
		if b.seen == b.Nth || b.How == RefuseAll && b.seen > b.Nth {
			return b.How
		}
	}
	return 0
}

// die ends the process; the disk is locked.
func (s *State) die() {
	s.mu.Lock()
	s.dead = true
	s.mu.Unlock()
	for name, holder := range s.disk.locks {
		if holder == s {
			delete(s.disk.locks, name)
		}
	}
}
