package fortisim

import (
	"crypto/tls"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// The device's peculiarities that no rule of the facts explains.

// multiText is a text of several values as it reads back: in system/ha the
// heartbeat ports in quotes, and a blank at the end (R).
func multiText(s *field, text string) string {
	switch s.Name {
	case "weight":
		return text + " "
	case "hbdev":
		words := strings.Fields(strings.ReplaceAll(text, `"`, ""))
		for i := 0; i < len(words); i += 2 {
			words[i] = `"` + words[i] + `"`
		}
		return strings.Join(words, " ") + " "
	}
	return text
}

var plainName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]*$`) })

// badName says that a name has characters that its table does not take: VDOMs
// and host names have letters, digits, "-" and "_", API administrators no
// parentheses and no "#" (D).
func badName(path, attribute, text string) bool {
	switch path + " " + attribute {
	case "system/vdom name", "system/global hostname":
		return !plainName().MatchString(text)
	case "system/api-user name":
		return strings.ContainsAny(text, "()#")
	}
	return false
}

// number is an error number, or the one that Behaviour.Numbers has instead.
func (d *Device) number(n int) int {
	if other, given := d.behaviour().Numbers[n]; given {
		return other
	}
	return n
}

// status is the status of a refusal, or the one that Behaviour.Statuses has
// instead.
func (d *Device) status(status int) int {
	if other, given := d.behaviour().Statuses[status]; given {
		return other
	}
	return status
}

// missesSlash says that a name with an encoded slash is not found (U, 6.2.0).
func (d *Device) missesSlash(q *query) bool {
	return d.behaviour().EncodedSlashMissed && strings.Contains(q.config.key, "/")
}

// label says that the body is compressed, which it is not (U, 7.6.4): a client
// that asked for identity is spared.
func (d *Device) label(r *http.Request, a *answer) {
	if d.mislabels() && r.Header.Get("Accept-Encoding") != "identity" && a.header != nil {
		a.header["Content-Encoding"] = "gzip"
	}
}

func (d *Device) mislabels() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.behaviour().GzipLabel
}

func (d *Device) withNegativeSerial() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.behaviour().NegativeSerial
}

// enter counts a request that is being answered; false if there are too many
// (U).
func (d *Device) enter() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.parallel++
	most := d.behaviour().MaxParallel
	return most == 0 || d.parallel <= most
}

func (d *Device) leave() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.parallel--
}

// negative gives a certificate a negative serial number, as some devices have
// (C); Go's parser takes none, so the bytes are changed after it was made. The
// signature does not hold any more, which nobody can tell who does not know the
// issuer.
func negative(cert *tls.Certificate) {
	raw := slices.Clone(cert.Certificate[0])
	// The serial number is the first integer after the version.
	at := strings.Index(string(raw), "\xa0\x03\x02\x01\x02\x02")
	if at >= 0 && at+7 < len(raw) {
		raw[at+7] |= 0x80
		cert.Certificate[0] = raw
	}
}
