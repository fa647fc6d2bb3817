package bundle

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/suite"
)

// The limits of a bundle, before it is compressed.
const (
	maxFiles = 20_000
	maxBytes = 512 << 20
)

// A Builder gathers the files of a bundle. Paths are absolute.
type Builder struct {
	files map[string]entry
	bytes int64
}

// An entry is a file, a directory, or a link, whose target is a path.
type entry struct {
	data []byte
	mode fs.FileMode
	link string
}

// NewBuilder is a bundle without files.
func NewBuilder() *Builder { return &Builder{files: map[string]entry{}} }

// Add takes a regular file, or the files that are directly in a directory; what is not
// there is left out, as it is for the compiler.
func (b *Builder) Add(path string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir():
		return b.addDir(path)
	case !info.Mode().IsRegular():
		return nil
	}
	return b.addFile(path, info)
}

func (b *Builder) addFile(path string, info fs.FileInfo) error {
	if _, known := b.files[path]; known {
		return nil
	}
	data, err := disk.Read(path, maxBytes)
	if err != nil {
		return fmt.Errorf("cannot read %s for the bundle: %w", filepath.ToSlash(path), disk.Cause(err))
	}
	b.bytes += int64(len(data))
	if b.bytes > maxBytes || len(b.files) >= maxFiles {
		return cli.ExitAs(cli.ExitInvalid, fmt.Sprintf("the files of the suite are more than workers are sent: at most %d files and %d MiB", maxFiles, maxBytes>>20), "name the files that programs need with depends_on")
	}
	b.files[path] = entry{data: data, mode: info.Mode().Perm()}
	return nil
}

func (b *Builder) addDir(dir string) error {
	b.Dir(dir)
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil // what cannot be read, the compiler could not read either
	}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		path := filepath.Join(dir, e.Name())
		if e.IsDir() {
			b.Dir(path)
		} else if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			if err := b.addFile(path, info); err != nil {
				return err
			}
		}
	}
	return nil
}

// Dir has the bundle contain a directory.
func (b *Builder) Dir(path string) {
	if _, known := b.files[path]; !known {
		b.files[path] = entry{mode: fs.ModeDir | 0o755}
	}
}

// Empty has the bundle contain an empty file, which marks a place.
func (b *Builder) Empty(path string) {
	if _, known := b.files[path]; !known {
		b.files[path] = entry{mode: 0o644}
	}
}

// Link has the bundle contain a link to another of its files.
func (b *Builder) Link(path, target string) {
	b.files[path] = entry{mode: fs.ModeSymlink, link: target}
}

// Bytes are the bundle, equal for equal files, and its digest.
func (b *Builder) Bytes() ([]byte, string, error) {
	var out bytes.Buffer
	packed, err := gzip.NewWriterLevel(&out, gzip.BestSpeed)
	if err != nil {
		return nil, "", err
	}
	archive := tar.NewWriter(packed)
	paths := make([]string, 0, len(b.files))
	for path := range b.files {
		if !b.behindLink(path) {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	for _, path := range paths {
		e := b.files[path]
		h := &tar.Header{Name: below(path), Mode: int64(e.mode.Perm()), Size: int64(len(e.data)), Typeflag: tar.TypeReg, Format: tar.FormatPAX}
		switch {
		case e.mode.IsDir():
			h.Typeflag = tar.TypeDir
		case e.link != "":
			rel, err := filepath.Rel(filepath.Dir(path), e.link)
			if err != nil {
				return nil, "", err
			}
			h.Typeflag, h.Linkname = tar.TypeSymlink, filepath.ToSlash(rel)
		}
		if err := archive.WriteHeader(h); err != nil {
			return nil, "", err
		}
		if _, err := archive.Write(e.data); err != nil {
			return nil, "", err
		}
	}
	if err := errors.Join(archive.Close(), packed.Close()); err != nil {
		return nil, "", err
	}
	return out.Bytes(), Digest(out.Bytes()), nil
}

// behindLink reports whether a path leads through a link of the bundle: what is there has
// its own place.
func (b *Builder) behindLink(path string) bool {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if b.files[dir].link != "" {
			return true
		}
	}
	return false
}

// below is a path as the archive has it.
func below(path string) string {
	return strings.TrimPrefix(filepath.ToSlash(suite.MirrorPath("", path)), "/")
}

// Digest names a bundle.
func Digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Unpack writes the files of a bundle below a directory that is not there yet, all of
// them or none.
func Unpack(data []byte, digest, dir string) error {
	if Digest(data) != digest {
		return fmt.Errorf("the bundle is damaged: it is not the one with the digest %s", digest)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o700); err != nil {
		return err
	}
	begun, err := os.MkdirTemp(filepath.Dir(dir), "unpack")
	if err != nil {
		return err
	}
	defer os.RemoveAll(begun)
	if err := unpack(data, begun); err != nil {
		return err
	}
	err = os.Rename(begun, dir)
	if _, there := os.Stat(dir); err != nil && there == nil {
		return nil // another worker of this machine was first
	}
	return err
}

func unpack(data []byte, dir string) error {
	packed, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(dir) // whatever the names are, nothing is written elsewhere
	if err != nil {
		return err
	}
	defer root.Close()
	archive := tar.NewReader(io.LimitReader(packed, 2*maxBytes))
	for {
		h, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = unpackOne(root, h, archive)
		}
		if err != nil {
			return fmt.Errorf("cannot unpack the bundle: %w", err)
		}
	}
}

func unpackOne(root *os.Root, h *tar.Header, data io.Reader) error {
	name := filepath.FromSlash(strings.TrimSuffix(h.Name, "/"))
	if h.Typeflag == tar.TypeDir {
		return root.MkdirAll(name, 0o755)
	}
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	if h.Typeflag == tar.TypeSymlink {
		return root.Symlink(filepath.FromSlash(h.Linkname), name)
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, fs.FileMode(h.Mode).Perm()|0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, data)
	return errors.Join(err, f.Close())
}
