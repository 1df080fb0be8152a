// Package docs keeps the pages of docs and the README true: commands and flags are
// compared with the programs, examples are compiled and run, links lead somewhere.
package docs
