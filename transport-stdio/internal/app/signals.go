package app

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// untilSignal ends the context when the process is asked to end: an idle server
// then stops at once, a busy one after the running operation. A closed pipe on
// standard error must never end the process, least of all between a write to a
// firewall and its record.
func untilSignal(parent context.Context) (context.Context, context.CancelFunc) {
	signal.Ignore(syscall.SIGPIPE)
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as it is under nohup
		signals = append(signals, syscall.SIGHUP)
	}
	return signal.NotifyContext(parent, signals...)
}
