package terminal

import (
	"io"
	"os"
)

// Is reports whether a stream is a terminal.
func Is(stream any) bool {
	fd, ok := descriptor(stream)
	return ok && isTerminal(fd)
}

// Columns is the width of a stream's terminal, 0 where it has none.
func Columns(stream io.Writer) int {
	fd, ok := descriptor(stream)
	if !ok || !isTerminal(fd) {
		return 0
	}
	columns, _, err := size(fd)
	if err != nil {
		return 0
	}
	return columns
}

func descriptor(stream any) (fd int, ok bool) {
	f, ok := stream.(*os.File)
	if !ok || f == nil {
		return 0, false
	}
	return int(f.Fd()), true
}
