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
	"slices"

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
	file  logFile
	cache *os.File
	// begun are the trials that must not run twice, nil where all may.
	begun    *begunFile
	programs *programs
	// known are the trials of earlier runs, by what they were.
	known map[logKey]trial
	// last are the newest results of earlier runs by case and trial, whatever has
	// changed since.
	last map[caseTrial]trial
	// again are the cases that run again whatever is known of them.
	again map[string]bool
	// sums identify what each case asks and what scores it.
	sums map[string]bench.Sums
	// takes says that results of before count.
	takes bool
	// kept counts those that this run did not have to run.
	kept int
	// limit is how many bytes are kept in memory of what was answered in a trial.
	limit int
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
	spec, _ := p.Bench()
	l := &benchLog{limit: spec.KeptPerTrial(len(p.BenchCases())), known: map[logKey]trial{}, last: map[caseTrial]trial{}, again: map[string]bool{}, programs: newPrograms(p.File, s.Env)}
	stale, err := s.readInputs(l.programs, p, filepath.Join(dir, name+".files"))
	if err != nil {
		return nil, err
	}
	around := ""
	l.sums = p.BenchSums(func(k *interp.BenchProgram) string {
		if around == "" {
			around = shortSum(l.programs.inputs.around(k.Command, k.DependsOn))
		}
		return l.programs.inputs.certain(k.Command, k.DependsOn) + environmentSum(l.programs.environment(interp.Program{Command: k.Command, Env: k.Env, Pass: k.Pass, Rubric: true}))
	})
	for id, sums := range l.sums {
		sums.Around = around
		l.sums[id] = sums
	}
	if s.flags.cache {
		if l.cache, err = l.open(s.App, filepath.Join(dir, "cache.jsonl"), nil); err != nil {
			return nil, err
		}
	}
	path := filepath.Join(dir, name+".jsonl")
	if !s.flags.resume && !s.flags.partial() && s.flags.rescore == "" {
		if err := putAside(path, filepath.Join(dir, name+".before.jsonl")); err != nil {
			l.close()
			return nil, err
		}
	}
	file, err := l.open(s.App, path, cli.Lock)
	if err != nil {
		l.close()
		return nil, err
	}
	if !spec.Idempotent {
		if l.begun, err = openBegun(filepath.Join(dir, name+".begun.jsonl"), s.flags.resume); err != nil {
			l.close()
			return nil, err
		}
	}
	l.file, l.takes = file, s.flags.resume || s.flags.cache
	if s.flags.failed {
		l.again = failedIn(l.last)
	}
	if len(stale) > 0 && len(l.known) > 0 {
		fmt.Fprintf(s.Stderr, "Note: results of before do not count for %s: %s changed. To name the files that its programs depend on, use depends_on\n", p.Name, shortList(stale))
	}
	if d, err := disk.Open(dir); err == nil { // the log's name is to last, too
		_ = d.Sync()
		d.Close()
	}
	return l, nil
}

// readInputs reads the files that the programs of a bench depend on, and returns
// those that have changed since it last ran. What they are now is noted in a file.
func (s *benchSession) readInputs(programs *programs, p *interp.Plan, file string) (changed []string, err error) {
	before := readManifest(file)
	written := slices.Compact(slices.Sorted(slices.Values(append(s.written(), before.Written...))))
	programs.inputs = newBenchInputs(p, s.Loader.Source.Root(p.File), written)
	if err := programs.inputs.read(p, s.flags.resume || s.flags.cache); err != nil {
		return nil, err
	}
	now := programs.inputs.manifest(written)
	return now.changed(before), now.write(file)
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

// open reads what a file has, and opens it for what will be added. Lines that
// are damaged are left out, and what a crash cut off is taken away.
func (l *benchLog) open(a *cli.App, path string, lock func(*os.File) error) (*os.File, error) {
	if err := disk.Regular(path); err != nil {
		return nil, fmt.Errorf("cannot open the log of the bench: %w", err)
	}
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, fmt.Errorf("cannot open the log of the bench: %w", err)
	}
	if lock != nil {
		if err := lock(f); err != nil {
			f.Close()
			return nil, busy(path)
		}
	}
	damaged, whole, err := bench.ReadLog(f, func(r bench.Record) {
		r.Result.Kept = r.Result.Kept.Within(l.limit)
		l.known[logKey{r.Digest, r.Trial}] = r.Result
		r.Result.Kept = nil
		l.last[caseTrial{r.Case, r.Trial}] = r.Result
	})
	if err == nil {
		err = f.Truncate(whole)
	}
	if err == nil {
		_, err = f.Seek(whole, 0)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("cannot read %s: %w\nhint: remove it", filepath.ToSlash(path), disk.Cause(err))
	}
	if damaged > 0 {
		fmt.Fprintf(a.Stderr, "Warning: %s has %d damaged lines; those trials run again\n", filepath.ToSlash(path), damaged)
	}
	return f, nil
}

// done finds a trial of an earlier run.
func (l *benchLog) done(id string, n int, digest string) (trial, bool) {
	t, found := l.known[logKey{digest, n}]
	if found = found && l.takes && !l.again[id]; found {
		l.kept++
	}
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
