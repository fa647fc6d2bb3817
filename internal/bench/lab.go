package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// A lab holds what the bars are measured with: the command, this program as
// its peer, and generated files. All of it lies in one directory that goes
// away at the end.
type lab struct {
	rounds    int
	root, dir string
	// out is where the command writes reports and results, which two builds do not share.
	out           string
	scenario, own string
	// work is the program of package work.
	work string
	// tested are the packages whose benchmarks are built with each tree.
	tested []string
	// tool runs the go command in a directory.
	tool func(dir string, args ...string) error
}

func newLab(rounds int) (*lab, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	own, err := os.Executable()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "bench")
	if err != nil {
		return nil, err
	}
	l := &lab{rounds: rounds, root: root, dir: dir, out: dir, scenario: filepath.Join(dir, "scenario"), work: filepath.Join(dir, "work"), own: own, tool: goTool}
	if err := l.build("build", "-o", dir+string(filepath.Separator), "./cmd/scenario", "./internal/bench/work"); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

func (l *lab) close() { os.RemoveAll(l.dir) }

func (l *lab) describe() string {
	return fmt.Sprintf("%s, %d threads, %s, %d rounds", runtime.Version(), runtime.GOMAXPROCS(0), processor(), l.rounds)
}

// processor names the machine's processor, where Linux tells.
func processor() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err == nil {
		for line := range strings.Lines(string(text)) {
			if name, value, found := strings.Cut(line, ":"); found && strings.TrimSpace(name) == "model name" {
				return strings.TrimSpace(value)
			}
		}
	}
	return runtime.GOOS + "/" + runtime.GOARCH
}

// build runs the go command in the module.
func (l *lab) build(args ...string) error { return l.tool(l.root, args...) }

func goTool(dir string, args ...string) error {
	c := exec.Command("go", args...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("go %v: %w\n%s", args, err, out)
	}
	return nil
}

// moduleRoot is the nearest parent with a go.mod.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	for ; err == nil; dir = filepath.Dir(dir) {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			err = errors.New("no go.mod in this directory or above: run it inside the module")
		}
	}
	return "", err
}

// peerWord makes this program run as the other side of a pair.
const peerWord = "peer"

// uncached has the command run what it is given.
var uncached = []string{"SCENARIO_NO_CACHE=true"}

// peer is the command that runs this program as a peer on a directory, with as
// many workers as the command has.
func (l *lab) peer(kind, dir string) command {
	return command{args: []string{l.own, peerWord, kind, strconv.Itoa(runtime.GOMAXPROCS(0)), dir}}
}

// tunedPeer is [lab.peer] with the command's own setting of the collector.
func (l *lab) tunedPeer(kind, dir string) command {
	c := l.peer(kind, dir)
	c.env = collector
	return c
}

// command is the command itself, which keeps no results.
func (l *lab) command(args ...string) command {
	return command{args: append([]string{l.scenario}, args...), env: uncached}
}
