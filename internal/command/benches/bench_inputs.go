package benches

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/internal/disk"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/internal/process"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// benchInputs are the files that the programs of one bench depend on. Which
// modules and prompts a program reads cannot be seen from outside, so all files
// of its directories count, unless the bench names those that do.
type benchInputs struct {
	// dir is that of the scenario file, and root that of its suite: beyond it a
	// directory is not read, and only the file that a command names counts.
	dir, root string
	// ignored are files that are no part of a program: the cases, which count as
	// such, and what this command writes.
	ignored map[string]bool
	// written are the files that this call or an earlier one wrote, and outputs those
	// that its output goes to.
	written []string
	outputs []os.FileInfo
	// variables are those of the environment that programs get, with what tells that
	// one has changed, and handed those that a command around this one sets.
	variables map[string]string
	handed    map[string]bool
	salt      string
	// sums are those of files, by their path, and trees those of directories.
	sums, trees map[string]string
	// used are the files of directories and of depends_on, by their path.
	used map[string]string
	// outward are the links in directories that lead out of the suite, by their path.
	outward []string
	// left is how much of directories may still be read.
	leftFiles int
	leftBytes int64
}

// How much of the directories of programs is read, all together.
const (
	maxInputFiles = 20_000
	maxInputBytes = 512 << 20
)

// errManyInputs says that the directories of a program are too large to tell
// whether it has changed.
var errManyInputs = fmt.Errorf("that directory holds more than %d files or %d MiB", maxInputFiles, maxInputBytes>>20)

func newBenchInputs(p *interp.Plan, root string, written []string) *benchInputs {
	dir := disk.Real(filepath.Dir(p.File))
	in := &benchInputs{
		dir: dir, root: disk.Real(root), ignored: map[string]bool{}, sums: map[string]string{}, trees: map[string]string{}, used: map[string]string{},
		leftFiles: maxInputFiles, leftBytes: maxInputBytes,
		written: written, outputs: outputs(), variables: map[string]string{}, salt: rand.Text(),
	}
	for _, path := range p.BenchFiles() {
		in.ignored[disk.Real(filepath.Join(dir, filepath.FromSlash(path)))] = true
	}
	for _, path := range written {
		in.ignored[path] = true
	}
	return in
}

// sum identifies the files that a program depends on.
func (in *benchInputs) sum(command, dependsOn []string) string {
	return in.certain(command, dependsOn) + in.around(command, dependsOn)
}

// certain identifies the files that a program is known to depend on: those that its
// command and depends_on name.
func (in *benchInputs) certain(command, dependsOn []string) string {
	var b strings.Builder
	for _, path := range in.named(command) {
		b.WriteString(in.file(path) + "\n")
	}
	for _, path := range dependsOn {
		path = in.resolve(path)
		in.used[path] = in.file(path)
		b.WriteString(in.file(path) + "\n")
	}
	return b.String()
}

// around identifies the files in the directories of a program, of which nobody knows
// whether it reads them, "" where depends_on says what it reads.
func (in *benchInputs) around(command, dependsOn []string) string {
	if dependsOn != nil {
		return ""
	}
	var b strings.Builder
	for _, dir := range in.directories(in.named(command)) {
		tree, _ := in.tree(dir)
		b.WriteString(tree + "\n")
	}
	return b.String()
}

// named are the paths that the words of a command may name: the program, and
// every argument as a file beside the scenario file.
func (in *benchInputs) named(command []string) []string {
	var paths []string
	for i, word := range command {
		path := in.resolve(word)
		if i == 0 {
			found, err := process.Find(word, in.dir)
			if err != nil {
				continue
			}
			path = found
		}
		paths = append(paths, path)
	}
	return paths
}

// resolve is the path of a name that is relative to the scenario file.
func (in *benchInputs) resolve(word string) string {
	if path := filepath.FromSlash(word); filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(in.dir, filepath.FromSlash(word))
}

// directories are that of the scenario file and those of the named files, as far
// as they belong to the suite; one inside another is a part of that.
func (in *benchInputs) directories(named []string) []string {
	all := []string{in.dir}
	for _, path := range named {
		if in.file(path) == "" {
			continue
		}
		if dir := filepath.Dir(disk.Real(path)); inside(in.root, dir) {
			all = append(all, dir)
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.DeleteFunc(slices.Clone(all), func(dir string) bool {
		return slices.ContainsFunc(all, func(other string) bool { return other != dir && inside(other, dir) })
	})
}

func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// recorded reports whether a file is a recording of ours: it answers what programs ask,
// as a judge's model, and is written while they run.
func recorded(path string) bool {
	if !strings.HasSuffix(path, ".yaml") {
		return false
	}
	f, err := disk.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 64)
	n, _ := io.ReadFull(f, head)
	return strings.HasPrefix(strings.TrimPrefix(string(head[:n]), "---\n"), "version: 1\nx-scenario:")
}

// own reports whether a file is the bench's own and no part of a program.
func (in *benchInputs) own(path string) bool {
	return in.ignored[path]
}

// output reports whether a file is what this process writes its output to, which is
// remembered: a later call may write it elsewhere.
func (in *benchInputs) output(path string) bool {
	if len(in.outputs) == 0 {
		return false
	}
	info, err := os.Stat(path)
	if err != nil || !slices.ContainsFunc(in.outputs, func(own os.FileInfo) bool { return os.SameFile(own, info) }) {
		return false
	}
	in.written = append(in.written, path)
	return true
}

// outputs are the regular files that standard output and standard error go to.
func outputs() (list []os.FileInfo) {
	for _, f := range []*os.File{os.Stdout, os.Stderr} {
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() {
			list = append(list, info)
		}
	}
	return list
}

// counted is the digest of a file, within what may be read.
func (in *benchInputs) counted(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return "", nil
	}
	in.leftFiles--
	in.leftBytes -= info.Size()
	if in.leftFiles < 0 || in.leftBytes < 0 {
		return "", errManyInputs
	}
	return in.file(path), nil
}

// passing reports whether a file, or a directory, whose name ends with a slash,
// is no part of a program: what interpreters, editors and package managers leave
// behind, and the scenario files.
func passing(name string) bool {
	if dir, ok := strings.CutSuffix(name, "/"); ok {
		return strings.HasPrefix(dir, ".") || dir == "__pycache__" || dir == "node_modules"
	}
	for _, end := range []string{suite.Suffix, ".pyc", ".swp", "~"} {
		if strings.HasSuffix(name, end) {
			return true
		}
	}
	return cassette.Aside(name) || disk.Unfinished(name) || name == ".DS_Store" || name == ".coverage"
}

// file is the digest of a regular file, "" for anything else. It is read once.
func (in *benchInputs) file(path string) string {
	if sum, known := in.sums[path]; known {
		return sum
	}
	sum := ""
	if f, err := disk.Open(path); err == nil {
		h := sha256.New()
		if _, err := io.Copy(h, f); err == nil {
			sum = hex.EncodeToString(h.Sum(nil))
		}
		f.Close()
	}
	in.sums[path] = sum
	return sum
}

// read reads the files of all programs of a bench, so that what is wrong with
// them is known before the first is started. Kept says that earlier results are
// to count: then it has to be known whether a program has changed.
func (in *benchInputs) read(p *interp.Plan, kept bool) error {
	for _, program := range p.BenchPrograms() {
		for _, path := range program.DependsOn {
			if in.file(in.resolve(path)) == "" {
				return fmt.Errorf("depends_on of %s names %s, and there is no such file\nhint: a path is relative to the directory of the scenario file; fileset(\"src/**/*.py\") gives those that there are", program.Block.Type, path)
			}
		}
		if program.DependsOn != nil {
			in.sum(program.Command, program.DependsOn)
			in.leadingOut(program.DependsOn)
			continue
		}
		for _, dir := range in.directories(in.named(program.Command)) {
			if _, err := in.tree(dir); err != nil && kept {
				return fmt.Errorf("--resume and --cache keep a result while nothing that it depends on has changed, by default no file in %s, and %w\nhint: name those that count in %s, such as depends_on = fileset(\"src/**/*.py\")", filepath.ToSlash(dir), err, program.Block.Type)
			}
		}
	}
	return nil
}

// passingVariables are those that a terminal, a desktop, a session or a CI job
// gives a program, each time others.
var passingVariables = []string{
	"_", "PWD", "OLDPWD", "SHLVL", "TERM", "TERM_", "COLORTERM", "COLUMNS", "LINES", "WINDOWID", "DISPLAY", "WAYLAND_DISPLAY", "SSH_", "TMUX", "TMUX_", "STY",
	"XDG_SESSION_", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS", "GPG_TTY", "LS_COLORS", "PS1", "GITHUB_", "RUNNER_", "SCENARIO_EXEC_", "ACTIONS_", "CI_", "BUILDKITE_", "CIRCLE_", "BUILD_",
}

// loopbackPort is the port of a service on this machine, which differs from one run
// to the next where a tool stands in for a service.
var loopbackPort = pattern.New(`(//(?:127\.0\.0\.1|localhost|\[::1\])):[0-9]+`)

// environmentSum identifies an environment, but for what differs from one
// terminal or CI job to the next, and the values of what was handed out by a command
// around this one. Each variable that counts is given to each, where that is not nil.
func environmentSum(env []string, handed map[string]bool, each func(name, value string)) string {
	h := sha256.New()
	for _, v := range slices.Sorted(slices.Values(env)) {
		name, _, _ := strings.Cut(v, "=")
		if slices.ContainsFunc(passingVariables, func(p string) bool {
			return name == p || strings.HasSuffix(p, "_") && p != "_" && strings.HasPrefix(name, p)
		}) {
			continue
		}
		v = loopbackPort().ReplaceAllString(v, "$1")
		if handed[name] {
			v = name
		}
		fmt.Fprintf(h, "%q\n", v)
		if each != nil {
			each(name, v)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// note remembers what a variable is. Two bytes of a sum with a salt tell that a value
// has changed, and too little to find it.
func (in *benchInputs) note(name, value string) {
	sum := sha256.Sum256([]byte(in.salt + "\x00" + value))
	in.variables[name] = hex.EncodeToString(sum[:2])
}

// A benchManifest is what the programs of a bench were when it last ran, beside
// its log, so that a later run can say why it keeps nothing.
type benchManifest struct {
	// Files are the digests of files by their path from the suite root.
	Files map[string]string `json:"files"`
	// Written are the reports and traces that runs of the bench wrote.
	Written []string `json:"written"`
	// Variables tell of the environment that programs got whether a variable has
	// changed, with the salt of what they say.
	Variables map[string]string `json:"variables,omitempty"`
	Salt      string            `json:"salt,omitempty"`
}

func readManifest(path string) benchManifest {
	var m benchManifest
	if text, err := disk.Read(path, 64<<20); err == nil {
		_ = json.Unmarshal(text, &m) // one that is damaged explains nothing
	}
	return m
}

// manifest is what to remember of a bench's files and environment.
func (in *benchInputs) manifest() benchManifest {
	written := slices.Compact(slices.Sorted(slices.Values(in.written)))
	m := benchManifest{Files: map[string]string{}, Written: written, Variables: in.variables, Salt: in.salt}
	for path, sum := range in.used {
		if rel, err := filepath.Rel(in.root, path); err == nil {
			path = rel
		}
		m.Files[filepath.ToSlash(path)] = sum
	}
	return m
}

func (m benchManifest) write(path string) error {
	text, err := json.Marshal(m)
	if err == nil {
		err = disk.Write(path, append(text, '\n'), 0o666)
	}
	if err != nil {
		return fmt.Errorf("cannot write the log of the bench: %w", disk.Cause(err))
	}
	return nil
}

// changed are the files, and the variables, that are others than they were, in the
// order of their names.
func (m benchManifest) changed(before benchManifest) (files, variables []string) {
	files = differing(m.Files, before.Files)
	if before.Salt == m.Salt {
		variables = differing(m.Variables, before.Variables)
	}
	return files, variables
}

// differing are the keys of two maps that have not the same in both, sorted.
func differing(now, before map[string]string) []string {
	all := maps.Clone(now)
	if all == nil {
		all = map[string]string{}
	}
	maps.Copy(all, before)
	maps.DeleteFunc(all, func(key, _ string) bool { return now[key] == before[key] })
	return slices.Sorted(maps.Keys(all))
}

// shortList names a few of many.
func shortList(names []string) string {
	if len(names) > 3 {
		return fmt.Sprintf("%s and %d others", strings.Join(names[:2], ", "), len(names)-2)
	}
	return strings.Join(names, ", ")
}

// written are the files that this call writes, or compares with, and those that a
// command around it writes.
func (s *benchSession) written() []string {
	list := s.Written()
	if s.flags.baseline != "" {
		list = append(list, disk.Real(s.flags.baseline))
	}
	if around, set := s.Env(process.WrittenVariable); set {
		list = append(list, process.Written(around)...)
	}
	return list
}
