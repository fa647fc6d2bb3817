//go:build unix

package process

import (
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// begun starts a script, and ends it with the test.
func begun(t *testing.T, c Command, out Output) *Process {
	t.Helper()
	p, err := Start(c, out)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Stop(0) })
	return p
}

// told is an Output that sends lines of standard output to a channel.
func told() (Output, <-chan string) {
	lines := make(chan string, 100)
	return Output{Keep: 1 << 10, Line: func(s Stream, l Line) {
		if s == Stdout {
			lines <- l.Text
		}
	}}, lines
}

// gone fails unless every process that a script wrote down ends.
func gone(t *testing.T, dir string) {
	t.Helper()
	for _, pid := range pids(t, dir) {
		for n := 0; alive(pid); n++ { // it was killed, and has to notice
			if n == 1000 {
				t.Fatalf("process %d is left", pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// A line is handed on while the program still runs, and input reaches a program
// that has begun.
func TestLinesComeLive(t *testing.T) {
	c := shell(t, `echo ready; read answer; echo "got $answer"; printf 'no end'; printf oops >&2; exit 7`)
	in, answer := io.Pipe()
	c.Stdin = in
	out, lines := told()
	p := begun(t, c, out)
	if got := <-lines; got != "ready" {
		t.Fatalf("the first line is %q", got)
	}
	if isClosed(p.Done()) {
		t.Fatal("it has ended before it was answered")
	}
	io.WriteString(answer, "yes\n")
	answer.Close()
	<-p.Done()
	if end := p.End(); end != (End{Code: 7}) {
		t.Errorf("%+v", end)
	}
	if a, b := <-lines, <-lines; a != "got yes" || b != "no end" || len(lines) != 0 {
		t.Errorf("lines %q, %q and %d more", a, b, len(lines))
	}
	if a, b := p.Tail(Stdout), p.Tail(Stderr); string(a) != "ready\ngot yes\nno end" || string(b) != "oops" {
		t.Errorf("tails %q and %q", a, b)
	}
}

// A file is given to the program itself: what it does not read is still there.
func TestStdinOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(path, []byte("one\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c := shell(t, `read line; echo "$line"`)
	c.Stdin = f
	p := begun(t, c, Output{Keep: 100})
	<-p.Done()
	rest, err := io.ReadAll(f)
	if got := string(p.Tail(Stdout)); err != nil || got != "one\n" || string(rest) != "two\n" {
		t.Errorf("%q, %q, %v", got, rest, err)
	}
}

// A program that is told to end may take its time, and says its last words.
func TestStopAsksFirst(t *testing.T) {
	out, lines := told()
	p := begun(t, shell(t, `trap 'echo bye; exit 3' TERM; echo ready; while :; do sleep 0.01; done`), out)
	<-lines
	if end := p.Stop(time.Hour); end != (End{Code: 3, Stopped: true}) {
		t.Errorf("%+v", end)
	}
	if got := <-lines; got != "bye" {
		t.Errorf("its last line is %q", got)
	}
	if end := p.Stop(0); end != (End{Code: 3, Stopped: true}) {
		t.Errorf("stopped again: %+v", end)
	}
}

// A program without a trap ends of the signal that asks, and the signal is named.
func TestStopNamesTheSignal(t *testing.T) {
	out, lines := told()
	p := begun(t, shell(t, `echo ready; exec sleep 600`), out)
	<-lines
	if end := p.Stop(time.Hour); end != (End{Code: -1, Signal: "terminated", Stopped: true}) {
		t.Errorf("%+v", end)
	}
}

// What a program started may end in peace, too, although the program itself has
// ended at once.
func TestStopWaitsForTheGroup(t *testing.T) {
	c := shell(t, `(trap 'sleep 0.1; echo flushed > last; exit' TERM; echo ready; while :; do sleep 0.01; done) & 
	  exec sleep 600`)
	out, lines := told()
	p := begun(t, c, out)
	<-lines
	if end := p.Stop(time.Hour); end != (End{Code: -1, Signal: "terminated", Stopped: true}) {
		t.Errorf("%+v", end)
	}
	if got, err := os.ReadFile(filepath.Join(c.Dir, "last")); string(got) != "flushed\n" {
		t.Errorf("%q, %v", got, err)
	}
}

// CG8: whatever the program and what it started do, nothing of the group is left
// after the grace, and a shorter grace overtakes a longer one.
func TestStopLeavesNothingBehind(t *testing.T) {
	for name, script := range map[string]string{
		"ignores SIGTERM":           `trap '' TERM INT HUP; echo $$ > pids; echo ready; while :; do sleep 1; done`,
		"ends before its children":  `for i in 1 2 3; do (trap '' TERM; exec sleep 600) & echo $! >> pids; done; echo ready; exec sleep 600`,
		"children without a stream": `(trap '' TERM; exec sleep 600 >/dev/null 2>&1) & echo $! > pids; echo ready; exec sleep 600`,
		"floods both streams":       `echo $$ > pids; echo ready; trap '' TERM; yes >&2 & yes`,
	} {
		t.Run(name, func(t *testing.T) {
			c := shell(t, script)
			began := make(chan struct{})
			p := begun(t, c, Output{Keep: 1 << 10, Line: func(_ Stream, l Line) {
				if l.Text == "ready" {
					close(began)
				}
			}})
			<-began
			p.hurry(time.Now().Add(time.Hour))
			slow := make(chan End)
			go func() { slow <- p.Stop(2 * time.Hour) }()
			end := p.Stop(100 * time.Millisecond)
			if other := <-slow; other != end || !end.Stopped || end.Killed == (end.Signal == "terminated") {
				t.Errorf("%+v and %+v", end, other)
			}
			gone(t, c.Dir)
			if n := len(p.Tail(Stdout)); n == 0 || n > 1<<10 {
				t.Errorf("%d bytes are kept", n)
			}
		})
	}
}

// Shows that what a program has left running when it ended by itself goes on until it
// is stopped, and that nothing is left then. A child that ends after the program shows
// that nobody has ended it: these are real programs.
func TestOwnEndLeavesNothingBehind(t *testing.T) {
	c := shell(t, `for i in 1 2 3; do (trap '' TERM HUP; exec sleep 600) & echo $! >> pids; done
	  mkfifo go; (read line < go; echo "still $line") &
	  exit 5`)
	out, lines := told()
	p := begun(t, c, out)
	<-p.Exited()
	if end := p.End(); end != (End{Code: 5}) {
		t.Errorf("%+v", end)
	}
	opened := make(chan error, 1)
	go func() { opened <- os.WriteFile(filepath.Join(c.Dir, "go"), []byte("here\n"), 0) }()
	select {
	case line := <-lines:
		if line != "still here" {
			t.Errorf("the child wrote %q", line)
		}
	case <-p.Done():
		t.Fatal("what it left was ended with it")
	}
	if err := <-opened; err != nil {
		t.Error(err)
	}
	if isClosed(p.Done()) {
		t.Error("it is said to be done with, and three children run")
	}
	if end := p.Stop(0); end != (End{Code: 5}) {
		t.Errorf("stopped: %+v", end)
	}
	gone(t, c.Dir)
}

// Shows that what a program has left running is asked to end before it is killed, that
// the end of the program stays what it was, and that nothing has to be stopped when the
// last of it has ended by itself. These are real programs.
func TestWhatItLeftIsAsked(t *testing.T) {
	t.Run("asked", func(t *testing.T) {
		out, lines := told()
		p := begun(t, shell(t, `(trap 'echo flushed; exit' TERM; touch up; while :; do sleep 0.01; done) & while ! [ -e up ]; do sleep 0.01; done; exit 5`), out)
		<-p.Exited()
		if end := askedToEnd(t, p); end != (End{Code: 5}) {
			t.Errorf("%+v", end)
		}
		if len(lines) != 1 {
			t.Fatalf("%d lines", len(lines))
		}
		if got := <-lines; got != "flushed" {
			t.Errorf("the last line is %q", got)
		}
	})
	t.Run("ends by itself", func(t *testing.T) {
		out, lines := told()
		p := begun(t, shell(t, `(sleep 0.2; echo late) & exit 6`), out)
		<-p.Done()
		if end := p.End(); end != (End{Code: 6}) || len(lines) != 1 {
			t.Errorf("%+v, %d lines", end, len(lines))
		}
	})
	t.Run("of a program that a signal ended", func(t *testing.T) {
		p := begun(t, shell(t, `sleep 600 & echo $! > pids; kill -9 $$`), Output{})
		<-p.Exited()
		if end := askedToEnd(t, p); end != (End{Code: -1, Signal: "killed"}) {
			t.Errorf("%+v", end)
		}
	})
}

// askedToEnd stops what is left of a program, and fails a test in which it was not
// enough to ask for that: it is killed then, in a time that a test can wait for.
func askedToEnd(t *testing.T, p *Process) End {
	t.Helper()
	const grace = 10 * time.Second
	began := time.Now()
	end := p.Stop(grace)
	if took := time.Since(began); took >= grace {
		t.Errorf("it was killed after %s: nobody had asked it to end", took)
	}
	return end
}

// A program that was quicker than the one who stops it has ended by itself.
func TestOwnEndCountsFirst(t *testing.T) {
	exited := make(chan struct{})
	close(exited)
	for range 100 {
		p := &Process{wake: make(chan struct{}, 1)}
		p.hurry(time.Now())
		if p.oversee(exited, func() {}); p.end != (End{}) {
			t.Fatalf("%+v", p.end)
		}
	}
}

// What has left the group and holds the program's streams open is not waited
// for, and neither is input that never comes.
func TestTheEndIsBounded(t *testing.T) {
	away, err := exec.LookPath("setsid")
	if err != nil {
		t.Skip("no setsid to leave a group with: ", err)
	}
	c := shell(t, away+` sh -c 'echo $$ > pids; exec sleep 600' & while ! [ -s pids ]; do sleep 0.01; done; echo done`)
	never, open := io.Pipe()
	defer open.Close()
	c.Stdin = never
	p := begun(t, c, Output{Keep: 100})
	<-p.Done()
	if end := p.End(); end != (End{}) || string(p.Tail(Stdout)) != "done\n" {
		t.Errorf("%+v: %q", end, p.Tail(Stdout))
	}
	for _, pid := range pids(t, c.Dir) {
		if !alive(pid) {
			t.Errorf("process %d was not away", pid)
		}
		syscall.Kill(pid, syscall.SIGKILL)
	}
}

// A program has a session of its own, so that no terminal is there to ask.
func TestOwnSession(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the number of a session is read from /proc")
	}
	p := begun(t, shell(t, `echo $$; cat /proc/$$/stat`), Output{Keep: 1 << 10})
	<-p.Done()
	pid, stat, _ := strings.Cut(string(p.Tail(Stdout)), "\n")
	fields := strings.Fields(stat[strings.LastIndex(stat, ")")+1:])
	if group, session := fields[2], fields[3]; group != pid || session != pid {
		t.Errorf("process %s is of group %s and session %s", pid, group, session)
	}
}

// A stopped program leaves no goroutine behind.
func TestNoGoroutineIsLeft(t *testing.T) {
	for range 10 {
		c := shell(t, `cat; sleep 600 & exit`)
		c.Stdin = bytes.NewReader(make([]byte, 1<<20))
		p := begun(t, c, Output{Keep: 10, Line: func(Stream, Line) {}})
		p.Stop(0)
	}
	for n := 0; ; n++ {
		stacks := make([]byte, 1<<20)
		stacks = stacks[:runtime.Stack(stacks, true)]
		// The test's own goroutine is in this package, too.
		left := strings.Count(string(stacks), "process.(*Process).") + strings.Count(string(stacks), "process.pump")
		if left == 0 {
			return
		}
		if n == 1000 {
			t.Fatalf("%d are left:\n%s", left, stacks)
		}
		time.Sleep(time.Millisecond)
	}
}

// Whatever cannot be started says which part of it is to blame.
func TestStartSaysWhatIsMissing(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct {
		path, dir, want string
		is              error
	}{
		{file("script", "#!/nowhere/python9 -u\nprint(1)\n"), dir, `the interpreter that its first line names, "#!/nowhere/python9 -u", is not there`, os.ErrNotExist},
		{file("bare", "print(1)\n"), dir, "it is no program of this system, and has no first line with #!", syscall.ENOEXEC},
		{"/bin/sh", filepath.Join(dir, "none"), "its directory cannot be had", os.ErrNotExist},
		{filepath.Join(dir, "absent"), dir, "no such file", os.ErrNotExist},
	} {
		p, err := Start(Command{Path: c.path, Args: []string{c.path}, Dir: c.dir}, Output{})
		if p != nil || !errors.Is(err, c.is) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s in %s: %v, want %q", c.path, c.dir, err, c.want)
		}
	}
}

// A name with a slash is a file beside the scenario, one without is in PATH, and
// what cannot be started says why before anything is.
func TestFind(t *testing.T) {
	dir, bin := t.TempDir(), t.TempDir()
	t.Setenv("PATH", bin)
	for name, mode := range map[string]os.FileMode{"agent.sh": 0o700, "plain.txt": 0o600} {
		for _, d := range []string{dir, bin} {
			if err := os.WriteFile(filepath.Join(d, name), []byte("#!/bin/sh\n"), mode); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"agent.sh":                     filepath.Join(bin, "agent.sh"),
		"./agent.sh":                   filepath.Join(dir, "agent.sh"),
		"sub/../agent.sh":              filepath.Join(dir, "agent.sh"),
		filepath.Join(dir, "agent.sh"): filepath.Join(dir, "agent.sh"),
	} {
		if got, err := Find(name, dir); got != want || err != nil {
			t.Errorf("%s: %s, %v, want %s", name, got, err, want)
		}
	}
	for name, want := range map[string]NotFoundError{
		"none":        {Name: "none", Reason: NotInPath},
		"plain.txt":   {Name: "plain.txt", Reason: NotInPath},
		"./none":      {Name: "./none", Path: filepath.Join(dir, "none"), Reason: NoSuchFile},
		"./plain.txt": {Name: "./plain.txt", Path: filepath.Join(dir, "plain.txt"), Reason: NotExecutable},
		"./sub":       {Name: "./sub", Path: filepath.Join(dir, "sub"), Reason: IsDirectory},
	} {
		_, err := Find(name, dir)
		var got *NotFoundError
		if !errors.As(err, &got) || *got != want {
			t.Errorf("%s: %+v, want %+v", name, err, want)
			continue
		}
		if text := got.Error(); !strings.Contains(text, strconv.Quote(name)) || !strings.Contains(text, want.Path) {
			t.Errorf("%s: %s", name, text)
		}
	}
}
