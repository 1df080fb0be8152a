package credential

import (
	"context"
	"errors"

	"github.com/zalando/go-keyring"

	"github.com/forti-mcp/forti/core/redact"
)

// Keyring is a store of secrets that belongs to the user's session. Its calls may
// block while a person is asked to unlock it.
type Keyring interface {
	// Get gives an entry; ErrNoEntry where there is none.
	Get(service, entry string) (string, error)
	// Set stores or replaces an entry.
	Set(service, entry, value string) error
	// Delete removes an entry; ErrNoEntry where there is none.
	Delete(service, entry string) error
}

var (
	// ErrNoEntry says that the keyring has no such entry.
	ErrNoEntry = errors.New("no such entry in the keyring")
	// ErrNoKeyring says that this session has no keyring.
	ErrNoKeyring = errors.New("this session has no keyring")
)

// System is the keyring of the system: the Keychain on macOS, the Credential
// Manager on Windows, the Secret Service of a desktop session elsewhere.
type System struct{}

var _ Keyring = System{}

// Get gives an entry.
func (System) Get(service, entry string) (string, error) {
	if !session() {
		return "", ErrNoKeyring
	}
	value, err := keyring.Get(service, entry)
	return value, translate(err)
}

// Set stores or replaces an entry.
func (System) Set(service, entry, value string) error {
	if !session() {
		return ErrNoKeyring
	}
	return translate(keyring.Set(service, entry, value))
}

// Delete removes an entry.
func (System) Delete(service, entry string) error {
	if !session() {
		return ErrNoKeyring
	}
	return translate(keyring.Delete(service, entry))
}

func translate(err error) error {
	switch {
	case errors.Is(err, keyring.ErrNotFound):
		return ErrNoEntry
	case errors.Is(err, keyring.ErrUnsupportedPlatform):
		return ErrNoKeyring
	}
	return err
}

func (s *Sources) fromKeyring(ctx context.Context, name string) (string, error) {
	return s.ask(ctx, name, func(k Keyring) (string, error) { return k.Get(s.options.Service, name) })
}

// Store puts a secret into the keyring, for the source {"keyring": true} of the
// same name. Failures: config.
func (s *Sources) Store(ctx context.Context, name string, secret redact.Secret) error {
	_, err := s.ask(ctx, name, func(k Keyring) (string, error) { return "", k.Set(s.options.Service, name, secret.Reveal()) })
	return err
}

// Forget removes a secret from the keyring; no error where there is none.
// Failures: config.
func (s *Sources) Forget(ctx context.Context, name string) error {
	_, err := s.ask(ctx, name, func(k Keyring) (string, error) {
		if err := k.Delete(s.options.Service, name); !errors.Is(err, ErrNoEntry) {
			return "", err
		}
		return "", nil
	})
	return err
}
