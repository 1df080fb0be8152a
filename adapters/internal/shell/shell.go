// Package shell writes words of shell commands that messages tell a person to run.
package shell

import (
	"regexp"
	"strings"
	"sync"
)

var plain = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_/.,:@%+=-]+$`) })

// Quote writes a path as one word: as it is where a shell takes it so, else within
// single quotes.
func Quote(path string) string {
	if plain().MatchString(path) {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}
