package configure

import (
	"strings"

	"github.com/forti-mcp/forti/core/fault"
	"github.com/forti-mcp/forti/core/profile"
)

// merge puts what was given over what is set, and collects everything that is
// missing or contradicts itself.
func (o *Options) merge(now Profile) (Profile, error) {
	var problems fault.Problems
	next, g := now, o.Given
	next.Default = g.Default
	overlay(&next.Host, g.Host)
	overlay(&next.Port, g.Port)
	overlay(&next.VDOM, g.VDOM)
	overlay(&next.Timeout, g.Timeout)
	if o.Mode != "" {
		mode, err := profile.ParseMode(o.Mode)
		if err != nil {
			problems.Add("--mode", "must be read_only, guarded or autonomous")
		}
		next.Mode = mode
	}
	o.token(&next, &problems)
	o.anchors(&next, &problems)
	if next.Host == "" {
		problems.Add("--host", "is missing: where is the device?")
	}
	if next.Mode == "" && o.Mode == "" {
		problems.Add("--mode", "is missing: read_only, guarded or autonomous")
	}
	if next.Token.IsZero() {
		problems.Add("--token-env", "no source of the API token: give --token-env, --token-file, --token-command or --token-keyring")
	}
	return next, problems.Err()
}

func overlay[T comparable](field *T, given T) {
	var zero T
	if given != zero {
		*field = given
	}
}

func (o *Options) token(next *Profile, problems *fault.Problems) {
	g := o.Given.Token
	var given []string
	for _, s := range []struct {
		flag string
		set  bool
	}{{"--token-env", g.Env != ""}, {"--token-file", g.File != ""}, {"--token-command", len(g.Command) > 0}, {"--token-keyring", g.Keyring}} {
		if s.set {
			given = append(given, s.flag)
		}
	}
	switch len(given) {
	case 0:
		return
	case 1:
		next.Token = g
		next.Token.File = o.path("--token-file", g.File, problems)
	default:
		problems.Add(given[1], "give one source of the token, not "+strings.Join(given, " and "))
	}
}

func (o *Options) anchors(next *Profile, problems *fault.Problems) {
	g := o.Given.Trust
	given := 0
	for _, set := range []bool{g.Pin != "", g.CAFile != "", o.SystemRoots} {
		if set {
			given++
		}
	}
	switch given {
	case 0:
		return
	case 1:
		next.Trust = Trust{Pin: strings.ToLower(strings.ReplaceAll(g.Pin, ":", "")), CAFile: o.path("--ca-file", g.CAFile, problems)}
	default:
		problems.Add("--pin", "give one of --pin, --ca-file and --system-roots")
	}
}

// path makes a path absolute: a relative one is meant from where the person is,
// not from the configuration's folder.
func (o *Options) path(flag, given string, problems *fault.Problems) string {
	if given == "" {
		return ""
	}
	path, err := o.Absolute(given)
	if err != nil {
		problems.Add(flag, "name the file from the root: the current folder is not known")
	}
	return path
}
