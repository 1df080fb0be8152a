// Package config keeps the operator's configuration: <home>/config.json. It
// implements port.Profiles and says where each profile's token comes from, what
// authenticates its device, and which secrets plans may use by name.
//
//	file := config.Open(home)
//	profiles, byDefault, err := file.List(ctx)
//
// [Open] reads nothing. The file is read again at each use, so that a change of
// the operator's holds at once; a missing file is a configuration without
// profiles. It must belong to the user alone, as must its directory; what is
// looser is refused, never mended. Reading is strict: an unknown key, a key that
// stands twice and a value that cannot be meant are errors that name their place
// as a JSON pointer. The file never holds a secret, only where one comes from.
//
// On Windows owners and modes are not checked.
package config
