package sshsign_test

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"github.com/forti-mcp/forti/adapters/sshsign"
	"github.com/forti-mcp/forti/core/approval"
	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/profile"
)

var now = time.Date(2026, 10, 15, 12, 0, 0, 0, time.UTC)

// still is a clock that stands.
type still struct{ at time.Time }

func (s still) Now() time.Time                           { return s.at }
func (still) Boot() (string, time.Duration)              { return "boot", 0 }
func (still) Sleep(context.Context, time.Duration) error { return nil }

const message = `{"plan_id":"20261015-104512-a1b2c3"}`

func newKey(t *testing.T) (ssh.Signer, ed25519.PrivateKey) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return signer, private
}

func authorized(key ssh.PublicKey) string {
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(key)))
}

// list writes a list of signers.
func list(t *testing.T, lines ...string) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "allowed_signers")
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

func sign(t *testing.T, key ssh.Signer, namespace, text string) string {
	t.Helper()
	s, err := sshsig.Sign(strings.NewReader(text), key, sshsig.HashSHA512, namespace)
	if err != nil {
		t.Fatal(err)
	}
	return string(sshsig.Armor(s))
}

func grant(key ssh.PublicKey, armoured string) approval.Grant {
	return approval.Grant{
		Method: approval.Signed, At: now, Approver: approval.Approver{Key: ssh.FingerprintSHA256(key)}, Signature: armoured,
	}
}

func verify(t *testing.T, file, text string, g approval.Grant) error {
	t.Helper()
	p := profile.Profile{Name: "home", Approval: profile.Approval{Signers: file}}
	_, err := sshsign.New(still{now}).Verify(t.Context(), p, []byte(text), g)
	return err
}

func TestASignatureCountsForItsStatementInItsNamespaceByASignerOnTheList(t *testing.T) {
	key, _ := newKey(t)
	other, _ := newKey(t)
	public := authorized(key.PublicKey())
	good := sign(t, key, approval.Namespace, message)
	for _, tt := range []struct {
		name  string
		lines []string
		text  string
		grant approval.Grant
		want  string // "" where it counts
	}{
		{"good", []string{"# who", "", "alice " + public + " alice's key"}, message, grant(key.PublicKey(), good), ""},
		{"among others", []string{"bob " + authorized(other.PublicKey()), "alice,bob " + public}, message, grant(key.PublicKey(), good), ""},
		{"its namespace is listed", []string{`alice namespaces="git,forti-plan-*" ` + public}, message, grant(key.PublicKey(), good), ""},
		{"in its time", []string{`alice valid-after="20261001",valid-before="20261101Z" ` + public}, message, grant(key.PublicKey(), good), ""},
		{"another statement", []string{"alice " + public}, message + " ", grant(key.PublicKey(), good), "is not one of this approval"},
		{"another namespace", []string{"alice " + public}, message, grant(key.PublicKey(), sign(t, key, "git", message)), "is not one of this approval"},
		{"a key that is not listed", []string{"bob " + authorized(other.PublicKey())}, message, grant(key.PublicKey(), good), "is not in the list"},
		{"listed for other things", []string{`alice namespaces="git" ` + public}, message, grant(key.PublicKey(), good), "is not in the list"},
		{"excluded from approvals", []string{`alice namespaces="*,!forti-plan-approval-v1" ` + public}, message, grant(key.PublicKey(), good), "is not in the list"},
		{"not yet", []string{`alice valid-after="20261201" ` + public}, message, grant(key.PublicKey(), good), "outside its time"},
		{"no more", []string{`alice valid-before="202610150000Z" ` + public}, message, grant(key.PublicKey(), good), "outside its time"},
		{"somebody else's name on it", []string{"alice " + public, "bob " + authorized(other.PublicKey())}, message, grant(other.PublicKey(), good), "was signed with"},
		{"no signature at all", []string{"alice " + public}, message, grant(key.PublicKey(), "-----BEGIN"), "not an SSH signature"},
		{"an endless one", []string{"alice " + public}, message, grant(key.PublicKey(), strings.Repeat("A", 1<<20)), "larger than"},
		{"a PIN from a key that has none", []string{"alice verify-required " + public}, message, grant(key.PublicKey(), good), "asks for a PIN"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := verify(t, list(t, tt.lines...), tt.text, tt.grant)
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (fault.CodeOf(err) != fault.PermissionDenied || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("%v, want permission_denied: %s", err, tt.want)
			}
		})
	}
}

// Two keys of one person are one signer, and one key has one signer wherever its line says more names.
func TestASignerIsAPersonAndNotAKey(t *testing.T) {
	first, _ := newKey(t)
	second, _ := newKey(t)
	third, _ := newKey(t)
	file := list(t, "alice@example.net "+authorized(first.PublicKey()), `"Alice@Example.net,root" `+authorized(second.PublicKey()), "bob,alice@example.net "+authorized(third.PublicKey()))
	var p profile.Profile
	p.Approval.Signers = file
	for key, want := range map[ssh.Signer]string{first: "alice@example.net", second: "alice@example.net", third: "bob"} {
		got, err := sshsign.New(still{now}).Verify(t.Context(), p, []byte(message), grant(key.PublicKey(), sign(t, key, approval.Namespace, message)))
		if err != nil || got.Name != want {
			t.Errorf("got %q, want %q: %v", got, want, err)
		}
	}
}

// A key on two lines would be two people to whoever chooses the time of signing.
func TestAKeyOnTwoLinesIsOnePerson(t *testing.T) {
	key, _ := newKey(t)
	since := now.Add(-time.Hour).UTC().Format("200601021504") + "Z"
	var p profile.Profile
	p.Approval.Signers = list(t, `alice valid-after="`+since+`" `+authorized(key.PublicKey()), "bob "+authorized(key.PublicKey()))
	for _, at := range []time.Time{now, now.Add(-2 * time.Hour)} {
		g := grant(key.PublicKey(), sign(t, key, approval.Namespace, message))
		g.At = at
		if got, err := sshsign.New(still{now}).Verify(t.Context(), p, []byte(message), g); err != nil || got.Name != "alice" {
			t.Errorf("signed at %s: got %q, %v", at, got, err)
		}
	}
}

// What is shown of a list is whose keys count, and a digest that every change changes.
func TestAListOfSignersIsShownWithItsDigest(t *testing.T) {
	first, _ := newKey(t)
	second, _ := newKey(t)
	lines := []string{
		"alice@example.net " + authorized(first.PublicKey()), `"Alice@Example.net,root" ` + authorized(second.PublicKey()),
		`carol namespaces="git" ` + authorized(second.PublicKey()), "bob " + authorized(second.PublicKey()),
	}
	var p profile.Profile
	p.Approval.Signers = list(t, lines...)
	v := sshsign.New(still{now})
	shown, err := v.Signers(t.Context(), p)
	if err != nil || !slices.Equal(shown.Names, []string{"alice@example.net", "bob"}) || shown.Digest.IsZero() {
		t.Fatalf("%v, %v", shown, err)
	}
	signer, err := v.Verify(t.Context(), p, []byte(message), grant(first.PublicKey(), sign(t, first, approval.Namespace, message)))
	if err != nil || signer.List != shown.Digest {
		t.Errorf("verified by %v, shown %v, %v", signer, shown, err)
	}
	if err := os.WriteFile(p.Approval.Signers, []byte(strings.Join(lines[1:], "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	if other, err := v.Signers(t.Context(), p); err != nil || other.Digest == shown.Digest {
		t.Errorf("another list has the digest %v, %v", other.Digest, err)
	}
	p.Approval.Signers += ".gone"
	if _, err := v.Signers(t.Context(), p); fault.CodeOf(err) != fault.Config {
		t.Errorf("a list that is not there: %v", err)
	}
}

func TestAKeyThatIsTakenOffTheListCountsNoMore(t *testing.T) {
	key, _ := newKey(t)
	other, _ := newKey(t)
	file := list(t, "alice "+authorized(key.PublicKey()))
	g := grant(key.PublicKey(), sign(t, key, approval.Namespace, message))
	if err := verify(t, file, message, g); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("bob "+authorized(other.PublicKey())), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := verify(t, file, message, g); fault.CodeOf(err) != fault.PermissionDenied {
		t.Errorf("it still counts: %v", err)
	}
}

func TestAListThatCannotBeTrustedOrReadIsRefusedWithTheLine(t *testing.T) {
	key, _ := newKey(t)
	line := "alice " + authorized(key.PublicKey())
	for _, tt := range []struct{ name, text, want string }{
		{"empty", "\n# nobody\n", "names no signer"},
		{"no key", line + "\nalice", "line 2: a signer is principals"},
		{"a broken key", line + "\nalice ssh-ed25519 AAAA", "line 2: the key cannot be read"},
		{"an authority", "alice cert-authority " + authorized(key.PublicKey()), "line 1: certificate authorities are not taken"},
		{"an unknown option", "alice no-touch-required " + authorized(key.PublicKey()), `line 1: the option "no-touch-required" is not known`},
		{"a bad time", `alice valid-before="soon" ` + authorized(key.PublicKey()), `line 1: "soon" is not a time`},
		{"too large", strings.Repeat("# nobody\n", 120_000), "larger than"},
	} {
		t.Run(tt.name, func(t *testing.T) { refused(t, list(t, tt.text), tt.want) })
	}
	t.Run("others may write it", func(t *testing.T) {
		file := list(t, line)
		if err := os.Chmod(file, 0o664); err != nil {
			t.Fatal(err)
		}
		refused(t, file, "can be changed by other users")
	})
	t.Run("a symbolic link", func(t *testing.T) {
		link := filepath.Join(t.TempDir(), "link")
		if err := os.Symlink(list(t, line), link); err != nil {
			t.Fatal(err)
		}
		refused(t, link, "is not a regular file")
	})
	t.Run("absent", func(t *testing.T) { refused(t, filepath.Join(t.TempDir(), "none"), "does not exist") })
	t.Run("unnamed", func(t *testing.T) { refused(t, "", "names no signers") })
}

func refused(t *testing.T, file, want string) {
	t.Helper()
	if _, err := sshsign.Load(file); fault.CodeOf(err) != fault.Config || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want config: %s", err, want)
	}
}

// token is a hardware key: it signs as FIDO2 keys do, with the flags it is told.
type token struct {
	public  ssh.PublicKey
	private ed25519.PrivateKey
	flags   byte
}

const application = "ssh:"

func newToken(t *testing.T) *token {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	public, err := ssh.ParsePublicKey(ssh.Marshal(struct{ Kind, Key, Application string }{
		ssh.KeyAlgoSKED25519, string(private.Public().(ed25519.PublicKey)), application,
	}))
	if err != nil {
		t.Fatal(err)
	}
	return &token{public: public, private: private}
}

func (k *token) armoured(text string) string {
	hash := sha512.Sum512([]byte(text))
	data := append([]byte("SSHSIG"), ssh.Marshal(struct{ Namespace, Reserved, Algorithm, Hash string }{
		approval.Namespace, "", "sha512", string(hash[:]),
	})...)
	app, body := sha256.Sum256([]byte(application)), sha256.Sum256(data)
	counter := []byte{0, 0, 0, 7}
	signed := bytes.Join([][]byte{app[:], {k.flags}, counter, body[:]}, nil)
	made := &ssh.Signature{
		Format: ssh.KeyAlgoSKED25519, Blob: ed25519.Sign(k.private, signed), Rest: append([]byte{k.flags}, counter...),
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: sshsig.PEMType, Bytes: sshsig.Signature{
		Version: 1, PublicKey: k.public, Namespace: approval.Namespace, HashAlgorithm: sshsig.HashSHA512, Signature: made,
	}.Marshal()}))
}

func TestAHardwareKeyMustHaveBeenTouchedAndItsPINChecked(t *testing.T) {
	const touched, checked = 0x01, 0x04
	k := newToken(t)
	plain, strict := "alice "+authorized(k.public), "alice verify-required "+authorized(k.public)
	for _, tt := range []struct {
		name  string
		flags byte
		line  string
		good  bool
	}{
		{"touched", touched, plain, true},
		{"not touched", 0, plain, false},
		{"PIN without touch", checked, plain, false},
		{"touched, PIN asked for", touched, strict, false},
		{"touched and PIN checked", touched | checked, strict, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			k.flags = tt.flags
			err := verify(t, list(t, tt.line), message, grant(k.public, k.armoured(message)))
			if (err == nil) != tt.good || err != nil && fault.CodeOf(err) != fault.PermissionDenied {
				t.Error(err)
			}
		})
	}
}

// serveAgent runs an SSH agent with keys.
func serveAgent(t *testing.T, keys ...ed25519.PrivateKey) (socket string) {
	t.Helper()
	ring := agent.NewKeyring()
	for _, k := range keys {
		if err := ring.Add(agent.AddedKey{PrivateKey: k}); err != nil {
			t.Fatal(err)
		}
	}
	dir, err := os.MkdirTemp("", "agent") //nolint:usetesting // a socket's path must be short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	socket = filepath.Join(dir, "s")
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			_ = agent.ServeAgent(ring, conn) // ends with its client
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() { _ = listener.Close(); <-done })
	return socket
}

func TestTheAgentSignsWithItsOneKeyThatMayApprove(t *testing.T) {
	key, private := newKey(t)
	second, otherPrivate := newKey(t)
	_, stranger := newKey(t)
	one := list(t, "alice "+authorized(key.PublicKey()))
	both := list(t, "alice "+authorized(key.PublicKey()), "bob "+authorized(second.PublicKey()))
	t.Run("signs", func(t *testing.T) {
		s := sshsign.Signer{Agent: serveAgent(t, stranger, private), List: one, Clock: still{now}}
		armoured, name, err := s.Sign(t.Context(), []byte(message))
		if err != nil {
			t.Fatal(err)
		}
		if found, err := sshsign.Fingerprint(armoured); err != nil || found != name || name != ssh.FingerprintSHA256(key.PublicKey()) {
			t.Errorf("signed by %s, said %s: %v", found, name, err)
		}
		if err := verify(t, one, message, grant(key.PublicKey(), armoured)); err != nil {
			t.Error(err)
		}
	})
	for _, tt := range []struct {
		name, list string
		agent      func(t *testing.T) string
		code       fault.Code
		want       string
	}{
		{"no key that may", one, func(t *testing.T) string { return serveAgent(t, stranger) }, fault.PermissionDenied, "none of the 1 keys"},
		{"two that may", both, func(t *testing.T) string { return serveAgent(t, private, otherPrivate) }, fault.Usage, "choose one with --key"},
		{"no agent", one, func(*testing.T) string { return "" }, fault.Config, "SSH_AUTH_SOCK"},
		{"an agent that is gone", one, func(t *testing.T) string { return filepath.Join(t.TempDir(), "none") }, fault.Config, "does not answer"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, _, err := sshsign.Signer{Agent: tt.agent(t), List: tt.list, Clock: still{now}}.Sign(t.Context(), []byte(message))
			if fault.CodeOf(err) != tt.code || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want %s: %s", err, tt.code, tt.want)
			}
		})
	}
}

// What OpenSSH makes counts here, and what is made here counts for OpenSSH.
func TestSignaturesAreThoseOfOpenSSH(t *testing.T) {
	tool, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("ssh-keygen is not installed: the comparison with OpenSSH did not run")
	}
	for _, kind := range []string{"ed25519", "ecdsa", "rsa"} {
		t.Run(kind, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "key")
			run(t, nil, tool, "-q", "-t", kind, "-N", "", "-C", "alice", "-f", file)
			public, err := os.ReadFile(file + ".pub")
			if err != nil {
				t.Fatal(err)
			}
			allowed := list(t, "alice@example.net "+strings.TrimSpace(string(public)))
			armoured, name, err := sshsign.Signer{Key: file, List: allowed, Clock: still{now}}.Sign(t.Context(), []byte(message))
			if err != nil {
				t.Fatal(err)
			}
			g := approval.Grant{Method: approval.Signed, At: now, Approver: approval.Approver{Key: name}, Signature: armoured}
			if err := verify(t, allowed, message, g); err != nil {
				t.Error(err)
			}
			signature := filepath.Join(dir, "sig")
			if err := os.WriteFile(signature, []byte(armoured), 0o600); err != nil {
				t.Fatal(err)
			}
			run(t, []byte(message), tool, "-Y", "verify", "-f", allowed, "-I", "alice@example.net", "-n", approval.Namespace, "-s", signature)
			if _, _, err := (sshsign.Signer{Key: filepath.Join(dir, "none"), List: allowed, Clock: still{now}}).Sign(t.Context(), []byte(message)); fault.CodeOf(err) != fault.Config {
				t.Errorf("a key that is not there: %v", err)
			}
		})
	}
}

func run(t *testing.T, input []byte, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Stdin = bytes.NewReader(input)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatal(fmt.Errorf("%w: %s", err, out))
	}
}

// The signatures in testdata were made once by OpenSSH's ssh-keygen -Y sign.
func TestSignaturesThatOpenSSHMadeOnceCount(t *testing.T) {
	statement, err := os.ReadFile("testdata/statement.json")
	if err != nil {
		t.Fatal(err)
	}
	load := func(name string) string {
		data, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(data))
	}
	for _, tt := range []struct {
		name, key, signature string
		change               string // appended to what was signed
		good                 bool
	}{
		{"Ed25519", "ed25519.pub", "ed25519.sig", "", true},
		{"ECDSA", "ecdsa.pub", "ecdsa.sig", "", true},
		{"RSA", "rsa.pub", "rsa.sig", "", true},
		{"SHA-256 of the message", "ed25519.pub", "ed25519-sha256.sig", "", true},
		{"another namespace", "ed25519.pub", "ed25519-git.sig", "", false},
		{"another key", "ecdsa.pub", "ed25519.sig", "", false},
		{"another statement", "ed25519.pub", "ed25519.sig", " ", false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			public, _, _, _, err := ssh.ParseAuthorizedKey([]byte(load(tt.key)))
			if err != nil {
				t.Fatal(err)
			}
			err = verify(t, list(t, "signer@example.net "+load(tt.key)), string(statement)+tt.change, grant(public, load(tt.signature)+"\n"))
			if (err == nil) != tt.good || err != nil && fault.CodeOf(err) != fault.PermissionDenied {
				t.Errorf("counts: %v (%v)", err == nil, err)
			}
		})
	}
}
