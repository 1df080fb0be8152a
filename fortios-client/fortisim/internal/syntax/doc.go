// Package syntax reads the text of a FortiOS configuration file: config, edit,
// set, unset, next and end, quoted texts that may run over several lines, and
// comments. It knows no table and no attribute.
package syntax
