package fortiosdevice

import (
	"strings"

	"github.com/forti-mcp/forti/core/redact"
)

// minEcho is how many bytes of a secret in a row are masked in a device's text. A
// command line shows the part of a value at which its parser gave up, so that
// looking for the whole value is not enough.
const minEcho = 5

// scrubber takes the secrets of one request out of the answer to it.
type scrubber struct{ secrets []string }

// newScrubber knows each secret as it was sent and as an escaped text shows it.
func newScrubber(secrets map[string]string) *scrubber {
	s := &scrubber{}
	for _, secret := range secrets {
		if secret == "" {
			continue
		}
		s.secrets = append(s.secrets, secret)
		if shown := redact.Escape(secret); shown != secret {
			s.secrets = append(s.secrets, shown)
		}
	}
	return s
}

// hide masks every run of a text that is a secret, or at least minEcho bytes of one.
func (s *scrubber) hide(text string) string {
	if len(s.secrets) == 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		n := s.echo(text[i:])
		if n == 0 {
			b.WriteByte(text[i])
			i++
			continue
		}
		b.WriteString(redact.Mask)
		i += n
	}
	return b.String()
}

// echo is the length of the longest beginning of text that comes from a secret.
func (s *scrubber) echo(text string) int {
	longest := 0
	for _, secret := range s.secrets {
		enough := min(minEcho, len(secret))
		if len(text) < enough || !strings.Contains(secret, text[:enough]) {
			continue
		}
		n := enough
		for n < len(text) && strings.Contains(secret, text[:n+1]) {
			n++
		}
		longest = max(longest, n)
	}
	return longest
}
