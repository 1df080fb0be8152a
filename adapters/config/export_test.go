package config

// TrustAtOnce lets f trust the stamp of a file that was changed just now.
func (f *File) TrustAtOnce() { f.grain = -1 }

// Remembers says whether f keeps what the file said.
func (f *File) Remembers() bool { return f.last.Load() != nil }
