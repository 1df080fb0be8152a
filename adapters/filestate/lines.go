package filestate

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"iter"

	"github.com/forti-mcp/forti/adapters/internal/durable"
)

// Lines streams the records of all files as one log, as it was when the stream
// began. It holds no lock while its consumer works.
func (a *AuditLog) Lines(ctx context.Context) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		v, err := a.store.enter(ctx, reading)
		if errors.Is(err, errAbsent) {
			return
		}
		if err != nil {
			yield(nil, err)
			return
		}
		defer v.leave()
		s, err := v.stream(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		defer s.close()
		s.each(ctx, yield)
	}
}

// stream reads the closed files and then the current one.
type stream struct {
	*visit
	closed []segment
	// current is nil where there is none; size is how much of it counts.
	current durable.File
	size    int64
	open    durable.File
	from    io.Reader
}

// stream takes the state of the log at one moment. The current file is opened
// first: if it is closed meanwhile, it is found again among the closed ones.
func (v *visit) stream(ctx context.Context) (*stream, error) {
	s := &stream{visit: v}
	f, err := v.openAudit(ctx, durable.Shared)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err == nil {
		s.current = f
	}
	if err := errors.Join(s.snapshot(), s.findClosed()); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// snapshot takes the size and lets writers go on.
func (s *stream) snapshot() error {
	if s.current == nil {
		return nil
	}
	info, err := s.current.Stat()
	if err == nil {
		s.size = info.Size()
		err = durable.Unlock(s.current)
	}
	if err != nil {
		return trouble(err, "read", s.path(auditFile))
	}
	return nil
}

// findClosed lists the closed files without the current one.
func (s *stream) findClosed() error {
	var err error
	if s.closed, err = s.segments(); err != nil || len(s.closed) == 0 || s.current == nil {
		return err
	}
	last := len(s.closed) - 1
	same, err := s.tree.Leads(s.closed[last].name, s.current)
	if err != nil {
		return trouble(err, "look at", s.path(s.closed[last].name))
	}
	if same {
		s.closed = s.closed[:last]
	}
	return nil
}

func (s *stream) close() {
	for _, f := range []durable.File{s.open, s.current} {
		if f != nil {
			_ = f.Close() // it was read only
		}
	}
}

// Read reads the files one after the other, as if they were one.
func (s *stream) Read(p []byte) (int, error) {
	for {
		if s.from != nil {
			n, err := s.from.Read(p)
			if n > 0 || !errors.Is(err, io.EOF) {
				return n, err
			}
			s.from = nil
		}
		if err := s.next(); err != nil {
			return 0, err
		}
	}
}

// next goes on to the next file; io.EOF after the last one.
func (s *stream) next() error {
	if len(s.closed) > 0 {
		f, err := s.visit.open(s.closed[0].name, s.tree.Open)
		if err != nil {
			return err
		}
		if s.open != nil {
			_ = s.open.Close()
		}
		s.open, s.from, s.closed = f, f, s.closed[1:]
		return nil
	}
	if s.current == nil || s.size == 0 {
		return io.EOF
	}
	s.from, s.size = io.NewSectionReader(s.current, 0, s.size), 0
	return nil
}

func (s *stream) each(ctx context.Context, yield func([]byte, error) bool) {
	r := bufio.NewReaderSize(s, tailWindow)
	for {
		line, err := readLine(r)
		if len(line) > 0 && err == nil {
			err = ctx.Err()
		}
		switch {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			yield(nil, s.damaged(err))
			return
		case !yield(line, nil):
			return
		}
	}
}

// readLine reads one line with its newline, the last one without where it is
// torn; then io.EOF.
func readLine(r *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case errors.Is(err, io.EOF) && len(line) > 0:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		case len(line) > maxLine:
			return nil, &damage{cause: errors.New("a record is too long")}
		}
	}
}
