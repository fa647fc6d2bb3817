package cassette

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/scenario-lang/scenario/cassette/internal/disk"
	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
)

// Save writes the cassette to path in our format: completely or not at all. A
// file that is already there stays as it is until the new one is on disk. It
// takes the lock of the file, like a recorder. A link stays, and the file that it
// leads to is written.
func (c *Cassette) Save(path string) error {
	path = disk.Target(path)
	unlock, err := takeLock(disk.OS{}, path)
	if err != nil {
		return err
	}
	return errors.Join(save(disk.OS{}, path, c), unlock())
}

// SaveOver is Save in the place of what the file held before. The bodies beside
// it that nothing needs any more go.
func (c *Cassette) SaveOver(path string, old *Cassette) error {
	path = disk.Target(path)
	unlock, err := takeLock(disk.OS{}, path)
	if err != nil {
		return err
	}
	err = save(disk.OS{}, path, c)
	if err == nil {
		bodiesOf(disk.OS{}, path).dropUnused(old.Interactions, c.Interactions)
	}
	return errors.Join(err, unlock())
}

// A Resealing is a file of our format that was edited by hand, as it is now meant.
type Resealing struct {
	Cassette *Cassette
	// Changed are the numbers of the interactions that are not as they were
	// written. Were is how many the file had then, and Whole says that nothing but
	// the sum of the file was wrong, if anything was.
	Changed []int
	Were    int
	Whole   bool
}

// Reseal reads a file of our format whose sums are wrong because it was edited by
// hand. [Cassette.SaveOver] writes it with the right ones. An edited answer keeps
// the times of its pieces as far as they fit into it. The error is that of [Load]
// for what no edit explains: a file that ends in the middle, an interaction that
// contradicts itself.
func Reseal(path string) (*Resealing, error) {
	data, err := disk.Read(path)
	if err != nil {
		return nil, err
	}
	r, err := reseal(data, bodiesOf(disk.OS{}, disk.Target(path)))
	if err != nil {
		e := loadErrorOf(err)
		e.Path = path
		return nil, e
	}
	r.Cassette.Path = path
	return r, nil
}

func reseal(data []byte, bodies *bodyFolder) (r *Resealing, err error) {
	root, err := rootNode(data)
	if err != nil {
		return nil, err
	}
	if !isOwn(root) {
		return nil, flaw.New(root.Line, "`scenario cassette convert` writes it in scenario's own format", "the file is of another tool, and has no sums")
	}
	h, err := readHeader(root)
	if err != nil {
		return nil, err
	}
	items, err := itemNodes(root)
	if err != nil {
		return nil, err
	}
	end := yamlnode.Lookup(root, keyEnd)
	var was ownEnd
	if yamlnode.IsNull(end) || end.Decode(&was) != nil {
		return nil, flaw.New(0, flaw.Restore, "cassette truncated: the last line %s is missing after %d interactions, so nobody knows whether there were more", keyEnd, len(items))
	}
	r = &Resealing{Cassette: &Cassette{Format: "scenario 1", Own: true, Whole: true, Provider: h.Provider, RecordedAt: h.RecordedAt, Interactions: []*Interaction{}}, Were: was.Count}
	for i, node := range items {
		item, err := decodeOwn(node, i+1)
		if err != nil {
			return nil, err
		}
		if edited := item.sum() != item.Own.SHA256; edited {
			r.Changed = append(r.Changed, i+1)
			item.Own.refit = true
		}
		it, err := item.checked(node, i+1, bodies)
		if err != nil {
			return nil, err
		}
		r.Cassette.Interactions = append(r.Cassette.Interactions, it)
	}
	r.Whole = checkEnd(data, items, bodies) == nil
	return r, nil
}

// refitted are chunks of a body of another size: each as long as it was, as far as
// the body goes, and the last one with what is left.
func refitted(chunks []Chunk, size int) []Chunk {
	out := slices.Clone(chunks)
	for i := range out {
		out[i].Len = min(max(out[i].Len, 0), size)
		if i == len(out)-1 {
			out[i].Len = size
		}
		size -= out[i].Len
	}
	return out
}

// save is Save for who holds the lock.
func save(d disk.Disk, path string, c *Cassette) error {
	var b bytes.Buffer
	if err := writeWith(&b, c, bodiesOf(d, path)); err != nil {
		return fmt.Errorf("cassette %s: %w", path, err)
	}
	return replaceFile(d, path, b.Bytes())
}

// replaceFile puts data in the place of a file. After a crash at any point the
// file is the old one or the new one.
func replaceFile(d disk.Disk, path string, data []byte) error {
	temp := path + tempSuffix
	if err := writeSynced(d, temp, data); err != nil {
		return fmt.Errorf("cassette %s: %w", path, errors.Join(err, d.Remove(temp)))
	}
	if err := d.Rename(temp, path); err != nil {
		return fmt.Errorf("cassette %s: %w", path, errors.Join(err, d.Remove(temp)))
	}
	return d.SyncDir(filepath.Dir(path))
}

func writeSynced(d disk.Disk, name string, data []byte) error {
	f, err := d.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	return errors.Join(err, f.Close())
}
