// Package sshsign makes and checks approvals that are signed with SSH keys.
//
// A signature is one of the kind that ssh-keygen -Y sign makes, over the statement
// of package approval, in a namespace of its own. Who may sign stands in a file in
// the form of ssh-keygen's allowed_signers, which [Load] reads.
package sshsign

import (
	"bytes"
	"cmp"
	"context"
	"time"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
	"github.com/forti-mcp/forti/core/profile"
)

// maxSignature bounds an armoured signature, in bytes.
const maxSignature = 32 << 10

// Verifier checks grants against the profile's list of signers; see
// [port.Verifier]. The list is read again for each grant, so that a signer who is
// taken off it does not count from then on.
type Verifier struct{ clock port.Clock }

var _ port.Verifier = (*Verifier)(nil)

// New makes a verifier. The clock decides whether an entry of the list is in force.
func New(clock port.Clock) *Verifier { return &Verifier{clock: clock} }

// Verify checks one grant and says whose it is: the first name of the key's line, so
// that several keys of one person are one signer. A signature that is not good for this statement, or not
// by a signer on the list, is permission_denied; a list that cannot be used is
// config.
func (v *Verifier) Verify(ctx context.Context, p profile.Profile, message []byte, g approval.Grant) (approval.Signer, error) {
	if err := ctx.Err(); err != nil {
		return approval.Signer{}, err
	}
	list, err := Load(p.Approval.Signers)
	if err != nil {
		return approval.Signer{}, err
	}
	s, err := parse(g.Signature)
	if err != nil {
		return approval.Signer{}, err
	}
	key := ssh.FingerprintSHA256(s.PublicKey)
	if key != g.Approver.Key {
		return approval.Signer{}, fault.New(fault.PermissionDenied, "the approval names the key %s and was signed with %s", g.Approver.Key, key)
	}
	entry, err := list.find(s.PublicKey, g.At, v.clock.Now())
	if err != nil {
		return approval.Signer{}, err
	}
	if err := sshsig.Verify(bytes.NewReader(message), s, s.PublicKey, s.HashAlgorithm, approval.Namespace); err != nil {
		return approval.Signer{}, fault.Wrap(err, fault.PermissionDenied, "the signature with %s is not one of this approval: %v", key, err)
	}
	return approval.Signer{Name: entry.signer(), List: list.digest}, entry.checkHardware(s)
}

// Signers is the profile's list of signers as it is now. Failures: config.
func (v *Verifier) Signers(ctx context.Context, p profile.Profile) (approval.Signers, error) {
	if err := ctx.Err(); err != nil {
		return approval.Signers{}, err
	}
	list, err := Load(p.Approval.Signers)
	if err != nil {
		return approval.Signers{}, err
	}
	return list.Signers(), nil
}

// parse reads an armoured signature.
func parse(armoured string) (*sshsig.Signature, error) {
	if len(armoured) > maxSignature {
		return nil, fault.New(fault.PermissionDenied, "the signature is larger than %d bytes", maxSignature)
	}
	s, err := sshsig.Unarmor([]byte(armoured))
	if err != nil {
		return nil, fault.Wrap(err, fault.PermissionDenied, "this is not an SSH signature as ssh-keygen -Y sign makes it")
	}
	return s, nil
}

// Fingerprint is the key that made an armoured signature, as ssh-keygen -l shows
// it. That says nothing of whether the signature is good.
func Fingerprint(armoured string) (string, error) {
	s, err := parse(armoured)
	if err != nil {
		return "", err
	}
	return ssh.FingerprintSHA256(s.PublicKey), nil
}

// The flags of a signature that a hardware key made.
const (
	userPresent  = 0x01
	userVerified = 0x04
	// hardwareRest is what such a signature has after its body: flags and a counter.
	hardwareRest = 1 + 4
)

// checkHardware demands of a hardware key that it was touched, and where the list
// says verify-required, that its owner's PIN or finger was checked.
func (e entry) checkHardware(s *sshsig.Signature) error {
	switch s.PublicKey.Type() {
	case ssh.KeyAlgoSKED25519, ssh.KeyAlgoSKECDSA256:
	default:
		if e.verifyRequired {
			return fault.New(fault.PermissionDenied, "line %d of the list of signers asks for a PIN, which only a hardware key can prove", e.line)
		}
		return nil
	}
	rest := s.Signature.Rest
	switch {
	case len(rest) != hardwareRest:
		return fault.New(fault.PermissionDenied, "the signature of the hardware key does not say how it was made")
	case rest[0]&userPresent == 0:
		return fault.New(fault.PermissionDenied, "the hardware key was not touched when it signed")
	case e.verifyRequired && rest[0]&userVerified == 0:
		return fault.New(fault.PermissionDenied, "the hardware key did not check a PIN when it signed; make it with: ssh-keygen -t ed25519-sk -O verify-required")
	}
	return nil
}

// find is the entry of a key that was in force when it signed and is now. Its names are
// those of the key's first line: a key that stands on several lines, each in force at
// another time, would otherwise count as several people.
func (l List) find(key ssh.PublicKey, signed, now time.Time) (entry, error) {
	wire := key.Marshal()
	outdated := false
	names := ""
	for _, e := range l.entries {
		if !bytes.Equal(e.key.Marshal(), wire) || !e.forApprovals {
			continue
		}
		names = cmp.Or(names, e.principals)
		e.principals = names
		if e.inForce(signed) && e.inForce(now) {
			return e, nil
		}
		outdated = true
	}
	name := ssh.FingerprintSHA256(key)
	if outdated {
		return entry{}, fault.New(fault.PermissionDenied, "the key %s is outside its time in the list of signers %s", name, l.path)
	}
	return entry{}, fault.New(fault.PermissionDenied, "the key %s is not in the list of signers %s", name, l.path)
}
