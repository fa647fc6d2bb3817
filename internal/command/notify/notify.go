package notify

import (
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/fsnotify/fsnotify"

	"github.com/scenario-lang/scenario/suite"
)

// A Notifier says which files change below the directories that it was given.
type Notifier interface {
	// Add watches a directory, without those below it. A directory that is
	// watched already, or is gone, is no error.
	Add(dir string) error
	// Changes are paths as they were given to Add, with what changed below
	// them; "" where it is not known what did. The channel is never closed.
	Changes() <-chan string
	Close() error
}

// diskNotifier passes on what the operating system says.
type diskNotifier struct {
	watcher *fsnotify.Watcher
	changes chan string
	quit    chan struct{}
}

// OnDisk learns of changes from the operating system.
func OnDisk() (Notifier, error) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return nil, err
	}
	d := &diskNotifier{w, make(chan string), make(chan struct{})}
	go d.forward()
	return d, nil
}

func (d *diskNotifier) Add(dir string) error {
	if err := d.watcher.Add(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (d *diskNotifier) Changes() <-chan string { return d.changes }

func (d *diskNotifier) Close() error {
	close(d.quit)
	return d.watcher.Close()
}

// forward passes changes on. What only changed its mode did not change. Where
// the system lost track, anything may have.
func (d *diskNotifier) forward() {
	for {
		path := ""
		select {
		case e, ok := <-d.watcher.Events:
			if !ok {
				return
			}
			if e.Op == fsnotify.Chmod {
				continue
			}
			path = e.Name
		case _, ok := <-d.watcher.Errors:
			if !ok {
				return
			}
		case <-d.quit:
			return
		}
		select {
		case d.changes <- path:
		case <-d.quit:
			return
		}
	}
}

// AddTree watches a directory and those below it, as far as scenario files are
// looked for there.
func AddTree(n Notifier, dir string) error {
	return filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() {
			return nil // what is gone or cannot be read needs no watching
		}
		if path != dir && suite.Hidden(e.Name()) {
			return filepath.SkipDir
		}
		return n.Add(path)
	})
}
