package sshsign

import (
	"bytes"
	"context"
	"errors"
	"net"
	"os/exec"
	"strings"
	"time"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/port"
)

// Signer makes signatures over statements.
type Signer struct {
	// Agent is the socket of an SSH agent, "" for none.
	Agent string
	// Key is a file with a private key, or a public one whose private half an
	// agent has; "" takes the agent's key that stands in List.
	Key string
	// List is the file of those who may sign.
	List string
	// Clock decides which entries of the list are in force.
	Clock port.Clock
}

// patience bounds an agent that asks its user, or waits for a touch.
const patience = 5 * time.Minute

// Sign signs a statement and gives the armoured signature and the fingerprint of
// its key. A hardware key waits for its touch meanwhile. Failures: config where
// there is no key or no agent, permission_denied where the key is not one that may
// sign.
func (s Signer) Sign(ctx context.Context, message []byte) (armoured, key string, err error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	list, err := Load(s.List)
	if err != nil {
		return "", "", err
	}
	if armoured, err = s.armoured(ctx, list, message); err != nil {
		return "", "", err
	}
	made, err := parse(armoured)
	if err != nil {
		return "", "", err
	}
	if _, err := s.find(list, made.PublicKey); err != nil {
		return "", "", err
	}
	return armoured, ssh.FingerprintSHA256(made.PublicKey), nil
}

func (s Signer) find(list List, key ssh.PublicKey) (entry, error) {
	now := s.Clock.Now()
	return list.find(key, now, now)
}

func (s Signer) armoured(ctx context.Context, list List, message []byte) (string, error) {
	if s.Key != "" {
		return keygen(ctx, s.Key, message)
	}
	if s.Agent == "" {
		return "", fault.New(fault.Config, "no SSH agent is running (SSH_AUTH_SOCK is not set); name a key with --key FILE")
	}
	return s.byAgent(ctx, list, message)
}

// keygen lets ssh-keygen sign. It asks for a passphrase or a PIN on the terminal.
func keygen(ctx context.Context, key string, message []byte) (string, error) {
	out := &bytes.Buffer{}
	said := &bytes.Buffer{}
	cmd := exec.CommandContext(ctx, "ssh-keygen", "-Y", "sign", "-n", approval.Namespace, "-f", key) // #nosec G204 -- the person names the key
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(message), out, said
	err := cmd.Run()
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", fault.Wrap(err, fault.Config, "ssh-keygen is not installed; load the key into an SSH agent and leave --key out")
	case err != nil:
		return "", fault.Wrap(err, fault.Config, "ssh-keygen did not sign with %s: %s", key, lastLine(said.String()))
	}
	return out.String(), nil
}

// lastLine is what a program said last.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}

// byAgent signs with the one key of the agent that may.
func (s Signer) byAgent(ctx context.Context, list List, message []byte) (string, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, "unix", s.Agent)
	if err != nil {
		return "", fault.Wrap(err, fault.Config, "the SSH agent at %s does not answer; name a key with --key FILE", s.Agent)
	}
	defer conn.Close() //nolint:errcheck // nothing is lost with it
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	signers, err := agent.NewClient(conn).Signers()
	if err != nil {
		return "", fault.Wrap(err, fault.Config, "the SSH agent does not tell its keys")
	}
	var may []ssh.Signer
	for _, k := range signers {
		if _, err := s.find(list, k.PublicKey()); err == nil {
			may = append(may, k)
		}
	}
	switch {
	case len(may) == 0:
		return "", fault.New(fault.PermissionDenied, "none of the %d keys of the SSH agent may approve by %s; add one with ssh-add, or name it with --key FILE", len(signers), s.List)
	case len(may) > 1:
		return "", fault.New(fault.Usage, "%d keys of the SSH agent may approve; choose one with --key FILE (its .pub file is enough)", len(may))
	}
	made, err := sshsig.Sign(bytes.NewReader(message), may[0], sshsig.HashSHA512, approval.Namespace)
	if err != nil {
		return "", fault.Wrap(err, fault.PermissionDenied, "the SSH agent did not sign: %v", err)
	}
	return string(sshsig.Armor(made)), nil
}
