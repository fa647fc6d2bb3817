package disk

import (
	"io"
	"os"
)

// spoolMemory is how many bytes a spool holds before it makes a file.
const spoolMemory = 1 << 20

// A Spool keeps bytes until they are wanted: a few in memory, more in a file
// that nobody else sees. It is used from one goroutine at a time and closed
// when it is no longer needed, which removes the file.
type Spool struct {
	dir  string
	held []byte
	file *os.File // nil while everything is in memory
}

// NewSpool is an empty spool whose file, if it comes to need one, is in dir.
func NewSpool(dir string) *Spool { return &Spool{dir: dir} }

// Write keeps p.
func (s *Spool) Write(p []byte) (int, error) {
	s.held = append(s.held, p...)
	if len(s.held) <= spoolMemory {
		return len(p), nil
	}
	if err := s.flush(); err != nil {
		return 0, err
	}
	return len(p), nil
}

// flush moves what is in memory to the file.
func (s *Spool) flush() error {
	if s.file == nil {
		f, err := createUnseen(s.dir)
		if err != nil {
			return err
		}
		s.file = f
	}
	_, err := s.file.Write(s.held)
	s.held = s.held[:0]
	return err
}

// WriteTo writes everything that was kept to w and leaves the spool empty.
func (s *Spool) WriteTo(w io.Writer) (int64, error) {
	var written int64
	if s.file != nil {
		if _, err := s.file.Seek(0, io.SeekStart); err != nil {
			return 0, err
		}
		n, err := io.Copy(w, s.file)
		if written += n; err != nil {
			return written, err
		}
		if err := s.file.Truncate(0); err != nil {
			return written, err
		}
		if _, err := s.file.Seek(0, io.SeekStart); err != nil {
			return written, err
		}
	}
	n, err := w.Write(s.held)
	s.held = s.held[:0]
	return written + int64(n), err
}

// Close forgets what was kept. It may be called again.
func (s *Spool) Close() error {
	s.held = nil
	if s.file == nil {
		return nil
	}
	f := s.file
	s.file = nil
	err := f.Close()
	os.Remove(f.Name()) // where it could not be removed while it was open
	return err
}

// createUnseen creates a file that only this process can open. Where the system
// allows it, the file has no name from the start, so that a process that is
// killed leaves nothing behind.
func createUnseen(dir string) (*os.File, error) {
	f, err := os.CreateTemp(dir, ".scenario.*")
	if err != nil {
		return nil, err
	}
	os.Remove(f.Name()) // Windows refuses; Close does it there
	return f, nil
}
