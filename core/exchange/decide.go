package exchange

// Verdict is how an operation ended.
type Verdict struct {
	Status  Status
	Changed Changed
}

// Decide judges a write by its class and by what the read-back found. The
// device's word is believed only where the read-back does not contradict it,
// and [OutcomeUnknown] is never made better by one. An action, and a write after
// which nothing was read, is judged with [NotChecked]. An unknown class or
// observation is judged unknown.
//
// Only [Verified], and an AppliedUnverified whose read-back was not needed or
// could compare nothing, let a plan go on.
func Decide(class Class, observed Observed) Verdict {
	switch class {
	case NotSent, TLSFailed:
		return Verdict{Failed, ChangedNo}
	case Accepted:
		return accepted(observed)
	case Refused, AuthRefused, LockedOut:
		// A refusal by the device's rules; only a change seen speaks against it.
		if observed == Preimage || observed == Unreadable || observed == NotChecked {
			return Verdict{Failed, ChangedNo}
		}
	case RefusedDoubtful, Redirect:
		if observed == Preimage {
			return Verdict{Failed, ChangedNo}
		}
	case Ambiguous, NotAPI, WrongDevice:
	}
	return Verdict{OutcomeUnknown, ChangedUnknown}
}

// accepted judges a success. One that reads back as before still counts as a
// change: the device may apply it late, and a rollback must know of it.
func accepted(observed Observed) Verdict {
	switch observed {
	case Desired:
		return Verdict{Verified, ChangedYes}
	case Preimage, Other:
		return Verdict{Failed, ChangedYes}
	case Unreadable, NotChecked:
		return Verdict{AppliedUnverified, ChangedYes}
	}
	return Verdict{OutcomeUnknown, ChangedUnknown}
}
