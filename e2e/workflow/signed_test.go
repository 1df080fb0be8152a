package workflow

import (
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hiddeco/sshsig"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"

	"github.com/forti-mcp/forti/e2e/internal/harness"
)

// signer is a person with an SSH key.
type signer struct {
	private ed25519.PrivateKey
	key     ssh.Signer
}

func newSigner(t *testing.T) signer {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	key, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return signer{private, key}
}

// line is the signer's line in a list.
func (s signer) line(name string) string {
	return name + " " + string(ssh.MarshalAuthorizedKey(s.key.PublicKey()))
}

// sign does what ssh-keygen -Y sign does: the signature of a file stands beside it.
func (s signer) sign(t *testing.T, lab *harness.Lab, file string) {
	t.Helper()
	made, err := sshsig.Sign(bytes.NewReader([]byte(lab.Read(file))), s.key, sshsig.HashSHA512, "forti-plan-approval-v1")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file+".sig", sshsig.Armor(made), 0o600); err != nil {
		t.Fatal(err)
	}
}

// agent runs an SSH agent with the signer's key.
func (s signer) agent(t *testing.T) (socket string) {
	t.Helper()
	ring := agent.NewKeyring()
	if err := ring.Add(agent.AddedKey{PrivateKey: s.private}); err != nil {
		t.Fatal(err)
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

// signed is a lab whose profile takes the approvals of signers.
func signed(t *testing.T, required string, lines ...string) *harness.Lab {
	t.Helper()
	lab := harness.New(t, nil)
	list := lab.Write("allowed_signers", strings.Join(lines, ""))
	config := filepath.Join(lab.Home, "config.json")
	lab.Replace(config, strings.Replace(lab.Read(config), `"host"`, `"approval":{"signers":"`+list+`","required":`+required+`},"host"`, 1))
	return lab
}

// consent types the code of an approval with flags.
func consent(lab *harness.Lab, id string, flags ...string) harness.Result {
	lab.TB.Helper()
	terminal := lab.Terminal(append([]string{"plan", "approve", id}, flags...)...)
	screen := terminal.Expect("to approve: ")
	terminal.Type(lab.Answer(screen) + "\n")
	return terminal.End()
}

func TestTwoSignersOneHereAndOneElsewhereApproveAPlan(t *testing.T) {
	t.Parallel()
	alice, bob := newSigner(t), newSigner(t)
	lab := signed(t, "2", alice.line("alice"), bob.line("bob"))
	id := lab.Plan(oneDelete).PlanID

	lab.Env = append(lab.Env, "SSH_AUTH_SOCK="+alice.agent(t))
	if r := consent(lab, id, "--sign").Must(0); !strings.Contains(r.Stdout, "1 of 2") {
		t.Errorf("the terminal showed %s", r.Stdout)
	}
	if d := lab.TryApply(id).Failed(6, "approval_required").Read(t); d.Reason != "missing" || d.Have != 1 || d.Need != 2 {
		t.Errorf("details %+v", d)
	}
	// The same key again is no second signer.
	if r := consent(lab, id, "--sign").Must(0); !strings.Contains(r.Stdout, "1 of 2") {
		t.Errorf("the terminal showed %s", r.Stdout)
	}
	lab.TryApply(id).Failed(6, "approval_required")
	lab.WantWrites(0)

	folder := t.TempDir()
	lab.Forti("plan", "export", id, "--to", folder).Must(0)
	statement := filepath.Join(folder, id+".approval")
	bob.sign(t, lab, statement)
	consent(lab, id, "--import", statement).Must(0)
	lab.Apply(id)
	lab.WantWrites(1)
}

// Who may sign is on the screen, and a list that is swapped while the screen is open, or
// after the approval, approves nothing.
func TestASwappedListOfSignersApprovesNothing(t *testing.T) {
	t.Parallel()
	alice, mallory := newSigner(t), newSigner(t)
	lab := signed(t, "1", alice.line("alice"))
	id := lab.Plan(oneDelete).PlanID
	lab.Env = append(lab.Env, "SSH_AUTH_SOCK="+alice.agent(t))
	list := filepath.Join(lab.User, "allowed_signers")
	shown := lab.Read(list)

	terminal := lab.Terminal("plan", "approve", id, "--sign")
	screen := terminal.Expect("to approve: ")
	if !strings.Contains(screen, "Who may sign, by the list") || !strings.Contains(screen, "alice") {
		t.Errorf("the screen does not say who may sign:\n%s", screen)
	}
	lab.Replace(list, shown+mallory.line("mallory"))
	terminal.Type(lab.Answer(screen) + "\n")
	if r := terminal.End().Must(5); !strings.Contains(r.Stdout, "is not the one that was shown") {
		t.Errorf("the terminal showed %s", r.Stdout)
	}
	wantNoConsent(t, lab, id)

	lab.Replace(list, shown)
	consent(lab, id, "--sign").Must(0)
	lab.Replace(list, shown+mallory.line("mallory"))
	if d := lab.TryApply(id).Failed(6, "approval_required").Read(t); d.Reason != "changed" {
		t.Errorf("details %+v", d)
	}
	lab.WantWrites(0)
	lab.Replace(list, shown)
	lab.Apply(id)
	lab.WantWrites(1)
}

func TestWhereSignaturesAreAskedForNothingElseApproves(t *testing.T) {
	t.Parallel()
	alice, stranger := newSigner(t), newSigner(t)
	lab := signed(t, "1", alice.line("alice"))
	p := lab.Plan(oneDelete)
	other := lab.Plan(`[{"op":"update","resource":"firewall/address","key":"old-scanner","set":{"comment":"x"}}]`)
	folder := t.TempDir()
	for _, id := range []string{p.PlanID, other.PlanID} {
		lab.Forti("plan", "export", id, "--to", folder).Must(0)
	}
	mine, others := filepath.Join(folder, p.PlanID+".approval"), filepath.Join(folder, other.PlanID+".approval")
	alice.sign(t, lab, others)

	t.Run("a typed answer", func(t *testing.T) {
		if r := lab.Terminal("plan", "approve", p.PlanID).End().Must(5); !strings.Contains(r.Stdout, "--sign") {
			t.Errorf("the terminal showed %s", r.Stdout)
		}
	})
	t.Run("a signature without a person at a terminal", func(t *testing.T) {
		alice.sign(t, lab, mine)
		if r := lab.Forti("plan", "approve", p.PlanID, "--import", mine); r.Status != 5 {
			t.Errorf("status %d, want 5: %s", r.Status, r.Stderr)
		}
	})
	t.Run("a stranger's signature", func(t *testing.T) {
		stranger.sign(t, lab, mine)
		if r := consent(lab, p.PlanID, "--import", mine).Must(4); !strings.Contains(r.Stdout, "is not in the list of signers") {
			t.Errorf("the terminal showed %s", r.Stdout)
		}
	})
	t.Run("the signature of another plan", func(t *testing.T) {
		if r := lab.Terminal("plan", "approve", p.PlanID, "--import", others).End().Must(2); !strings.Contains(r.Stdout, other.PlanID) {
			t.Errorf("the terminal showed %s", r.Stdout)
		}
	})
	t.Run("a statement that was changed after it was signed", func(t *testing.T) {
		alice.sign(t, lab, mine)
		text := lab.Read(mine)
		at := strings.Index(text, `"signed_at":"`) + len(`"signed_at":"`)
		year := "2025"
		lab.Replace(mine, text[:at]+year+text[at+len(year):])
		if r := consent(lab, p.PlanID, "--import", mine); r.Status == 0 {
			t.Errorf("it was taken: %s", r.Stdout)
		}
	})
	wantNoConsent(t, lab, p.PlanID)
	t.Run("the signature of the signer", func(t *testing.T) {
		lab.Forti("plan", "export", p.PlanID, "--to", folder).Must(0)
		alice.sign(t, lab, mine)
		consent(lab, p.PlanID, "--import", mine).Must(0)
		lab.Apply(p.PlanID)
		lab.WantWrites(1)
	})
}
