//go:build unix

package peak

import (
	"bytes"
	"errors"
	"fmt"
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

// TestMain lets the test binary be the launcher, and a program that holds some memory.
func TestMain(m *testing.M) {
	Launch()
	if mb, err := strconv.Atoi(os.Getenv("HOLD_MB")); err == nil {
		runtime.KeepAlive(held(mb))
		os.Exit(7)
	}
	os.Exit(m.Run())
}

// held is memory that is resident, as each page of it was written.
func held(mb int) []byte {
	all := make([]byte, mb<<20)
	for i := 0; i < len(all); i += 4 << 10 {
		all[i] = 1
	}
	return all
}

// holding is a program that holds memory and then exits with code 7.
func holding(mb int) *exec.Cmd {
	c := exec.Command(os.Args[0])
	c.Env = append(os.Environ(), fmt.Sprintf("HOLD_MB=%d", mb))
	return c
}

// Shows that a program is measured by its own memory, however much the process has that
// measures it: what holds little measures small, what holds much as large as that.
func TestPeakIsTheProgramsOwn(t *testing.T) {
	own := held(300)
	for _, mb := range []int{0, 200} {
		used, err := Run(holding(mb))
		if err != nil || used.Code != 7 {
			t.Fatalf("%+v, %v", used, err)
		}
		if least, most := int64(mb)<<20, int64(mb+80)<<20; used.Peak < least || used.Peak > most {
			t.Errorf("a program that holds %d MB is measured with %d MB", mb, used.Peak>>20)
		}
	}
	runtime.KeepAlive(own)
}

// Shows that the program has the arguments, directory, environment, input and output that
// it was given, and that its time is its own. The expected time is what the shell says of
// itself.
func TestProgramIsRunAsItIs(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("sh", "-c", `cat; echo "$0 $1 $X"; pwd -P; 
while :; do
	i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done
	times >t; read -r own <t
	case "$own" in *[1-9]*) break;; esac
done
cat t >&2; exit 3`, "a", "b c")
	c.Dir, c.Env, c.Stdin = dir, append(os.Environ(), "X=x"), strings.NewReader("in\n")
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	used, err := Run(c)
	if err != nil || used.Code != 3 {
		t.Fatalf("%+v, %v", used, err)
	}
	if want := "in\na b c x\n" + dir + "\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	var its time.Duration
	own, _, _ := strings.Cut(errs.String(), "\n")
	for _, text := range strings.Fields(own) {
		d, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		its += d
	}
	if its == 0 || used.CPU < its || used.Wall <= 0 {
		t.Errorf("%+v, and its own time is %s", used, its)
	}
}

// Shows that a signal reaches the program, which is told from an exit code, and that what
// cannot be started is an error.
func TestProgramThatIsStopped(t *testing.T) {
	c := exec.Command("sh", "-c", "echo here; exec cat")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	before := time.Now()
	child, err := Start(c)
	if err != nil {
		t.Fatal(err)
	}
	if child.Began.Before(before.Round(0)) || child.Began.After(time.Now()) {
		t.Errorf("it began at %s, not after %s", child.Began, before)
	}
	if err := child.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if used, err := child.Wait(); err != nil || used.Code != -1 {
		t.Errorf("%+v, %v", used, err)
	}
	if _, err := Run(exec.Command("no-such-program-here")); !errors.Is(err, exec.ErrNotFound) {
		t.Error(err)
	}
	if _, err := Run(exec.Command("/no/such/program")); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Error(err)
	}
}

// Shows that a program which does not begin with Launch is refused to start itself.
func TestStartNeedsLaunch(t *testing.T) {
	defer func(before bool) { launches = before }(launches)
	launches = false
	if _, err := Run(exec.Command("true")); err == nil || !strings.Contains(err.Error(), "peak.Launch()") {
		t.Error(err)
	}
}
