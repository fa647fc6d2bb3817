package benches

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/suite"
)

// trial is what became of a trial of a case.
type trial = bench.Trial

// A benchLog keeps the trials of one bench that have ended: in its own file,
// from which a run is resumed, and in the cache, where that is asked for.
type benchLog struct {
	*foresight
	file  logFile
	cache *os.File
	// begun are the trials that must not run twice, nil where all may.
	begun *begunFile
	// sums identify what each case asks and what scores it.
	sums map[string]bench.Sums
}

// A logFile is what a log is written to. What was written lasts through a cut
// of the power once Sync has returned.
type logFile interface {
	io.WriteCloser
	Sync() error
}

type logKey struct {
	digest string
	trial  int
}

// A caseTrial is a trial by the id of its case.
type caseTrial struct {
	id string
	n  int
}

// maxCache is from when on, in bytes, nothing is added to a cache.
const maxCache = 256 << 20

// openLog opens what is kept of a bench. Without --resume the log begins anew,
// and the one before stays beside it.
func (s *benchSession) openLog(p *interp.Plan) (*benchLog, error) {
	dir, err := s.stateDir(p)
	if err != nil {
		return nil, err
	}
	name := logName(s.Loader.Source, p)
	path := filepath.Join(dir, name+".jsonl")
	l := &benchLog{}
	if s.flags.continues() {
		if l.file, err = openLocked(path); err != nil {
			return nil, err
		}
	}
	if l.foresight, err = s.foresee(p); err == nil {
		err = l.opened(s, p, dir, name)
	}
	if err != nil {
		l.close()
		return nil, err
	}
	if d, err := disk.Open(dir); err == nil { // the log's name is to last, too
		_ = d.Sync()
		d.Close()
	}
	return l, nil
}

// opened opens what is written while the bench runs, and takes over what is kept.
func (l *benchLog) opened(s *benchSession, p *interp.Plan, dir, name string) (err error) {
	if err := l.now.write(filepath.Join(dir, name+".files")); err != nil {
		return err
	}
	l.sums = l.programs.sumsOf(p)
	path := filepath.Join(dir, name+".jsonl")
	if !s.flags.continues() {
		if err := putAside(path, filepath.Join(dir, name+".before.jsonl")); err != nil {
			return err
		}
		if l.file, err = openLocked(path); err != nil {
			return err
		}
		l.logged = readLogged{} // what is kept is in the cache
	}
	log := l.file.(*os.File)
	if err := l.logged.repair(s.App, log); err != nil {
		return err
	}
	if s.flags.cache {
		if l.cache, err = openLog(filepath.Join(dir, "cache.jsonl")); err != nil {
			return err
		}
		if err := l.stored.repair(s.App, l.cache); err != nil {
			return err
		}
	}
	if !benchSpec(p).Idempotent && s.flags.rescore == "" {
		if l.begun, err = openBegun(filepath.Join(dir, name+".begun.jsonl"), s.flags.resume); err != nil {
			return err
		}
	}
	return l.takeOver(log)
}

// takeOver puts the results that are kept into the log, those of them that it does not
// have as its newest: whatever reads the log later has all of this run.
func (l *benchLog) takeOver(log *os.File) error {
	wrote := false
	for _, at := range l.trials {
		key := logKey{l.digests[at.id], at.n}
		if _, kept := l.keep[at]; !kept || l.logged.newest[at] == key {
			continue
		}
		from, span := log, l.logged.spans[key]
		if span.Size == 0 {
			from, span = l.cache, l.stored.spans[key]
		}
		r, err := span.Read(from)
		if err == nil {
			r.Case, r.Input, r.Rubric = at.id, l.sums[at.id].Input, l.sums[at.id].Rubric
			_, err = log.Write(r.Line())
		}
		if err != nil {
			return fmt.Errorf("cannot write the log of the bench: %w", disk.Cause(err))
		}
		wrote = true
	}
	if !wrote {
		return nil
	}
	return log.Sync()
}

// sumsOf identify what each case of a bench asks and what scores it.
func (s *programs) sumsOf(p *interp.Plan) map[string]bench.Sums {
	around := ""
	all := p.BenchSums(func(k *interp.BenchProgram) string {
		if around == "" {
			around = shortSum(s.inputs.around(k.Command, k.DependsOn))
		}
		return s.inputs.certain(k.Command, k.DependsOn) + environmentSum(s.environment(interp.Program{Command: k.Command, Env: k.Env, Pass: k.Pass, Rubric: true}), s.inputs.handed, nil)
	})
	for id, sums := range all {
		sums.Around = around
		all[id] = sums
	}
	return all
}

// putAside renames the log of the run before, unless that run goes on.
func putAside(path, to string) error {
	f, err := disk.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		err = cli.Lock(f)
		f.Close()
		if err != nil {
			return busy(path)
		}
		err = os.Rename(path, to)
	}
	if err != nil {
		return fmt.Errorf("cannot set the log of the previous run aside: %w", disk.Cause(err))
	}
	return nil
}

func busy(path string) error {
	return fmt.Errorf("another process is running this bench: %s is locked\nhint: wait for it, or name another directory with --state", filepath.ToSlash(path))
}

// stateDir is where logs and cache are, made where it is not there.
func (s *benchSession) stateDir(p *interp.Plan) (string, error) {
	dir := s.stateRoot(p)
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("cannot make the directory of the log, %s: %w\nhint: name one with --state", filepath.ToSlash(dir), disk.Cause(err))
	}
	ignore := filepath.Join(filepath.Dir(dir), ".gitignore")
	if _, err := os.Stat(ignore); errors.Is(err, fs.ErrNotExist) {
		_ = os.WriteFile(ignore, []byte("*\n"), 0o666) // a convenience
	}
	return dir, nil
}

// stateRoot is where logs and cache are, or would be.
func (s *benchSession) stateRoot(p *interp.Plan) string {
	dir := s.flags.state
	if dir == "" {
		dir = filepath.Join(s.Loader.Source.Root(p.File), ".scenario")
	}
	return filepath.Join(dir, "bench")
}

// logName is the name of a bench's log: its own, and what tells it from that of
// another file.
func logName(source *suite.Source, p *interp.Plan) string {
	sum := sha256.Sum256([]byte(source.Place(p.File)))
	name := []byte(p.Name)
	for i, c := range name {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			name[i] = '_'
		}
	}
	if len(name) > 60 {
		name = name[:60]
	}
	return string(name) + "-" + hex.EncodeToString(sum[:4])
}

// openLog opens a log, or the cache, for what will be added.
func openLog(path string) (*os.File, error) {
	err := disk.Regular(path)
	var f *os.File
	if err == nil {
		f, err = os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	}
	if err != nil {
		return nil, fmt.Errorf("cannot open the log of the bench: %w", err)
	}
	return f, nil
}

// openLocked opens the log of a bench, which no other call may do until this one ends.
func openLocked(path string) (*os.File, error) {
	f, err := openLog(path)
	if err != nil {
		return nil, err
	}
	if err := cli.Lock(f); err != nil {
		f.Close()
		return nil, busy(path)
	}
	return f, nil
}

// done finds a trial of an earlier run.
func (l *benchLog) done(id string, n int, _ string) (trial, bool) {
	t, found := l.keep[caseTrial{id, n}]
	return t, found
}

// add notes a trial that has ended. It is there for a later run as soon as add
// has returned, whatever becomes of this one.
func (l *benchLog) add(id string, n int, digest string, t trial) error {
	r := bench.Record{Case: id, Trial: n, Digest: digest, Result: t, Input: l.sums[id].Input, Rubric: l.sums[id].Rubric}
	line := r.Line()
	_, err := l.file.Write(line)
	if err == nil {
		err = l.file.Sync() // a trial may have cost money; a cut of the power must not
	}
	if err != nil {
		return fmt.Errorf("cannot write the log of the bench: %w", disk.Cause(err))
	}
	if l.cache == nil || !r.Cacheable() {
		return nil
	}
	if info, err := l.cache.Stat(); err != nil || info.Size() > maxCache {
		return err
	}
	if _, err := l.cache.Write(line); err != nil {
		return fmt.Errorf("cannot write the cache of the bench: %w", disk.Cause(err))
	}
	return nil
}

func (l *benchLog) close() {
	if l.file != nil {
		l.file.Close()
	}
	if l.cache != nil {
		l.cache.Close()
	}
	if l.begun != nil {
		l.begun.file.Close()
	}
}
