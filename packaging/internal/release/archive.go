package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"time"
)

// An entry is a file in an archive.
type entry struct {
	name    string
	mode    os.FileMode
	content []byte
}

// documents are what every package has beside the command.
func (r *Release) documents() ([]entry, error) {
	var all []entry
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		text, err := os.ReadFile(filepath.Join(r.Root, name))
		if err != nil {
			return nil, err
		}
		all = append(all, entry{name, 0o644, text})
	}
	return all, nil
}

// archived writes the archive of a system.
func (r *Release) archived(t target, bin []byte) error {
	entries, err := r.documents()
	if err != nil {
		return err
	}
	entries = append(entries, entry{t.binary(), 0o755, bin})
	pack := tarball
	if t.os == "windows" {
		pack = zipped
	}
	content, err := pack(entries, r.at)
	if err != nil {
		return err
	}
	return r.file(r.archive(t), content)
}

// tarball is a tar.gz that says nothing of where it was made.
func tarball(entries []entry, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	w := tar.NewWriter(z)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Mode: int64(e.mode), Size: int64(len(e.content)), ModTime: at, Format: tar.FormatPAX}
		if err := w.WriteHeader(h); err != nil {
			return nil, err
		}
		if _, err := w.Write(e.content); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	err = z.Close()
	return b.Bytes(), err
}

// zipped is a zip that says nothing of where it was made.
func zipped(entries []entry, at time.Time) ([]byte, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate, Modified: at}
		h.SetMode(e.mode)
		f, err := w.CreateHeader(h)
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(e.content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return b.Bytes(), err
}
