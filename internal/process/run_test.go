//go:build unix

package process

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// shell is a script with a directory of its own.
func shell(t *testing.T, script string) Command {
	return Command{Path: "/bin/sh", Args: []string{"sh", "-c", script}, Dir: t.TempDir(), Env: []string{"PATH=" + os.Getenv("PATH")}}
}

// within runs a command whose context ends after the limit, which is far below
// what the test allows, with a kilobyte of output.
func within(t *testing.T, limit time.Duration, c Command) Result {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	r, err := Run(ctx, c, Limits{Stdout: 1 << 10, Stderr: 1 << 10})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// A program's output, status and input are its own, and so is its directory.
func TestRunGivesStatusAndOutput(t *testing.T) {
	c := shell(t, `cat; pwd; env | grep -c . ; echo oops >&2; exit 3`)
	c.Stdin = strings.NewReader("asked\n")
	r := within(t, time.Minute, c)
	dir, _ := filepath.EvalSymlinks(c.Dir)
	lines := strings.Split(string(r.Stdout), "\n")
	if r.Code != 3 || lines[0] != "asked" || lines[1] != c.Dir && lines[1] != dir || string(r.Stderr) != "oops\n" || r.Flooded || r.Signal != "" {
		t.Errorf("%+v: %s", r, r.Stdout)
	}
}

// A program that cannot be started says why.
func TestRunSaysWhyNothingStarted(t *testing.T) {
	if _, err := Run(context.Background(), Command{Path: filepath.Join(t.TempDir(), "none"), Args: []string{"none"}}, Limits{}); err == nil {
		t.Error("a program that is not there was run")
	}
}

// CG8: whatever a program does, it has ended within its limit, and everything of
// its group with it.
func TestRunLeavesNothingBehind(t *testing.T) {
	for name, script := range map[string]string{
		"ignores SIGTERM":           `trap '' TERM INT HUP; echo $$ > pids; while :; do sleep 1; done`,
		"forks and ends":            `sleep 600 & echo $! > pids`,
		"forks many":                `for i in 1 2 3 4 5; do (trap '' TERM; sleep 600) & echo $! >> pids; done; wait`,
		"forks and holds the pipes": `(trap '' HUP TERM; while :; do sleep 1; done) & echo $! > pids; exit 0`,
		"floods standard output":    `echo $$ > pids; yes`,
		"floods standard error":     `echo $$ > pids; yes >&2`,
		"writes a gigabyte":         `echo $$ > pids; head -c 1000000000 /dev/zero`,
		"never reads":               `echo $$ > pids; sleep 600`,
		"closes everything":         `echo $$ > pids; exec >&- 2>&- <&-; sleep 600`,
	} {
		t.Run(name, func(t *testing.T) {
			c := shell(t, script)
			c.Stdin = bytes.NewReader(make([]byte, 4<<20))
			began := time.Now()
			r := within(t, 500*time.Millisecond, c)
			if took := time.Since(began); took > time.Minute {
				t.Errorf("it took %s", took)
			}
			if len(r.Stdout) > 1<<10 || len(r.Stderr) > 1<<10 {
				t.Errorf("%d and %d bytes were kept", len(r.Stdout), len(r.Stderr))
			}
			if floods := strings.Contains(script, "yes;") || strings.HasSuffix(script, "yes") || strings.Contains(script, "head"); floods != r.Flooded {
				t.Errorf("flooded: %t", r.Flooded)
			}
			for _, pid := range pids(t, c.Dir) {
				for n := 0; alive(pid); n++ { // it was killed, and has to notice
					if n == 1000 {
						t.Fatalf("process %d is left", pid)
					}
					time.Sleep(10 * time.Millisecond)
				}
			}
		})
	}
}

func pids(t *testing.T, dir string) []int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "pids"))
	if err != nil {
		t.Fatal(err)
	}
	var list []int
	for _, line := range strings.Fields(string(text)) {
		pid, err := strconv.Atoi(line)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, pid)
	}
	return list
}

// alive reports whether a process runs. A killed one may be a zombie until its
// new parent has looked at it.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	return !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X")
}
