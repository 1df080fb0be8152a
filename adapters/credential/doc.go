// Package credential fetches secrets from where the operator put them: the
// system's keyring, an environment variable, a file, or a program.
//
//	sources := credential.New(nil)
//	token, err := sources.Token(ctx, "profile home", credential.Source{Env: "FORTI_TOKEN"})
//
// A secret is fetched when it is needed and never kept, logged or shown: no error
// repeats one, nor what a program printed. A program is run without a shell; its
// standard output is read up to a limit, its standard input and error are the null
// device, and it inherits no other open file, so that nothing it does can reach
// the streams of this process.
//
// [Named] implements port.NamedSecrets over the sources that a configuration lists.
package credential
