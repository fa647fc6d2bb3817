//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"
)

// onTerminal runs the command on a terminal of some columns, with a few variables
// of the environment beside PATH and HOME, and returns what the terminal got.
func onTerminal(t *testing.T, columns int, env []string, args ...string) string {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no terminals here: %v", err)
	}
	defer ours.Close()
	control := func(request uintptr, value unsafe.Pointer) {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, ours.Fd(), request, uintptr(value)); errno != 0 {
			t.Fatal(errno)
		}
	}
	var locked, number int32
	control(syscall.TIOCSPTLCK, unsafe.Pointer(&locked))
	control(syscall.TIOCGPTN, unsafe.Pointer(&number))
	size := [4]uint16{40, uint16(columns)}
	control(syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	theirs, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), filepath.Join(commandDir(t), "scenario"), args...)
	c.Stdin, c.Stdout, c.Stderr = theirs, theirs, theirs
	c.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TERM=xterm", "LANG=C.UTF-8"}, env...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	theirs.Close()
	var got bytes.Buffer
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(&got, ours) // ends with an error when nobody has the other end
	}()
	_ = c.Wait() // its code is not what is looked at
	select {
	case <-read:
	case <-time.After(10 * time.Second):
		t.Fatal("the terminal is held open")
	}
	return strings.ReplaceAll(got.String(), "\r\n", "\n")
}

var painted = regexp.MustCompile("\x1b\\[[0-9;]*m")

// unpainted is what stands on a terminal, without colours and lines that were
// taken away again.
func unpainted(s string) string {
	s = regexp.MustCompile("\r\x1b\\[K[^\n\r]*").ReplaceAllString(s, "")
	return painted.ReplaceAllString(s, "")
}

// Shows that a terminal, and nothing else, is told how long a suite really took.
func TestRealTimeOnTerminal(t *testing.T) {
	writeSuite(t, 2, -1)
	summary := regexp.MustCompile(`(?m)^6 passed, 0 failed, 0 errored, 0 skipped in [0-9]+\.[0-9]s \(virtual 0s\)$`)
	if got := unpainted(onTerminal(t, 80, nil, "test")); !summary.MatchString(got) {
		t.Errorf("the terminal shows\n%s", got)
	}
	if out, _, _ := typed(t, "test"); !strings.HasSuffix(out, "\n6 passed, 0 failed, 0 errored, 0 skipped (virtual 0s)\n") {
		t.Errorf("a pipe has\n%s", out)
	}
}

// Shows that a terminal is coloured unless NO_COLOR is set or it can do nothing.
func TestColoursOnTerminal(t *testing.T) {
	writeSuite(t, 2, 1)
	for _, c := range []struct {
		env  []string
		want bool
	}{{nil, true}, {[]string{"NO_COLOR=1"}, false}, {[]string{"TERM=dumb"}, false}, {[]string{"CLICOLOR_FORCE=1"}, true}} {
		if got := onTerminal(t, 80, c.env, "test"); painted.MatchString(got) != c.want {
			t.Errorf("with %v the terminal has colours: %v\n%q", c.env, !c.want, got)
		}
	}
}
