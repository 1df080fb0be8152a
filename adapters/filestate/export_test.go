package filestate

import "github.com/forti-mcp/forti/adapters/internal/durable"

// WrapSystem puts a recorder between the store and the file system.
func (s *Store) WrapSystem(wrap func(durable.System) durable.System) {
	connect := s.connect
	s.connect = func(dir string) (durable.System, error) {
		sys, err := connect(dir)
		if err != nil {
			return nil, err
		}
		return wrap(sys), nil
	}
}

// PretendRemote makes the store believe that it lies on a network file system.
func (s *Store) PretendRemote(name string) {
	s.network = func(string) (string, bool, error) { return name, true, nil }
}

// RotateAt sets the size from which the audit log begins a new file.
func (s *Store) RotateAt(bytes int64) { s.rotateAt = bytes }
