package exchange

// Classify sorts the facts of one write to a table, singleton or action of the
// target. readBack says whether the object should be read again: for a verdict
// or, where nothing the device shows could settle it, to tell the reader what is
// there now. For an action there is nothing to read; its caller ignores readBack
// and decides on [NotChecked].
//
// Facts that contradict each other, and everything not named here, are
// [Ambiguous]; so is the zero Exchange.
func Classify(x Exchange, t Target) (class Class, readBack bool) {
	class = classify(x, t)
	switch class {
	case NotSent, TLSFailed, LockedOut, WrongDevice:
		return class, false
	case AuthRefused:
		// A refused token refuses reads as well, and asking again feeds the lock-out.
		return class, x.Status != statusUnauthorized
	case Ambiguous, Accepted, Refused, RefusedDoubtful, NotAPI, Redirect:
	}
	return class, true
}

func classify(x Exchange, t Target) Class {
	switch {
	case !x.Sent:
		return unsent(x)
	case x.namesAnother(t):
		return WrongDevice
	case x.Failure != FailNone || !x.HeaderComplete || !x.BodyComplete:
		return Ambiguous
	}
	return answered(x, t)
}

// unsent needs a failure and no answer: without either, the proof that nothing
// left is missing.
func unsent(x Exchange) Class {
	switch {
	case x.Failure == FailNone || x.HeaderComplete || x.Status != 0:
		return Ambiguous
	case x.Failure == FailTLS:
		return TLSFailed
	}
	return NotSent
}

// namesAnother: the answer carries a serial or a VDOM, and not the target's. An
// answer that carries none says nothing about identity. A target without a VDOM
// is a global resource, for which the device names a VDOM of its own choice.
func (x Exchange) namesAnother(t Target) bool {
	return x.Serial != "" && x.Serial != t.Serial || x.VDOM != "" && t.VDOM != "" && x.VDOM != t.VDOM
}

// isOf: the answer names the target, as every whole success does.
func (x Exchange) isOf(t Target) bool {
	return x.Serial != "" && x.Serial == t.Serial && (t.VDOM == "" || x.VDOM == t.VDOM)
}

// answered sorts whole answers by status. FortiOS answers 500 to what it merely
// refuses; anything else from 500 on may come from something in between, which
// may still deliver the request.
func answered(x Exchange, t Target) Class {
	switch x.Status {
	case statusOK:
		return ok(x, t)
	case statusUnauthorized, statusForbidden:
		return AuthRefused
	case statusTooManyRequests:
		return LockedOut
	case statusBadRequest, statusNotFound, statusMethodNotAllowed,
		statusTooLarge, statusFailedDependency:
		if x.saysError() {
			return Refused
		}
	case statusInternalError:
		if x.saysError() && (x.ErrorNumber != 0 || x.Text != "") {
			return RefusedDoubtful
		}
	}
	if x.Status >= 300 && x.Status <= 399 {
		return Redirect
	}
	return Ambiguous
}

func ok(x Exchange, t Target) Class {
	switch {
	case x.Body == BodyHTML:
		return NotAPI
	case x.saysError():
		// The status contradicts the body, so "unchanged" must be seen, not assumed.
		return RefusedDoubtful
	case x.Body == BodyObject && x.APIStatus == "success" && x.ErrorNumber == 0 && x.isOf(t):
		return Accepted
	}
	return Ambiguous
}

func (x Exchange) saysError() bool { return x.Body == BodyObject && x.APIStatus == "error" }
