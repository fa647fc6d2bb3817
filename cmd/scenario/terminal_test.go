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
	"unicode/utf8"
	"unsafe"
)

// terminal makes a terminal of some columns: our end, and that of the programs on it.
func terminal(t *testing.T, columns int) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no terminals here: %v", err)
	}
	t.Cleanup(func() { ours.Close() })
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
	theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	return ours, theirs
}

// onTerminal runs the command on a terminal of some columns, with a few variables
// of the environment beside PATH and HOME, and returns what the terminal got.
func onTerminal(t *testing.T, columns int, env []string, args ...string) string {
	t.Helper()
	ours, theirs := terminal(t, columns)
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

// Shows that the picture of -v fits into narrow and wide terminals, whatever the
// names are, and that what is wrong with a file is wrapped at their width.
func TestWidthOfTerminal(t *testing.T) {
	t.Chdir(t.TempDir())
	text := `provider "openai" "a_service_with_a_long_name" { model = "gpt-4o-mini" }
workflow "w" {
  provider = provider.a_service_with_a_long_name
  step "llm" "a_step_with_a_long_name" { prompt = "x" }
}
scenario "s" {
  run = workflow.w
  on "a_step_with_a_long_name" {
    reply {
      content = "a"
      latency = "3s"
    }
  }
  expect "run" { status = "success" }
}
`
	for name, text := range map[string]string{"a.scenario.hcl": text, "wrong/b.scenario.hcl": strings.Replace(text, "latency", "lateness", 1)} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	drawn := regexp.MustCompile(`(?m)^.*[┼━·].*$`)
	for _, columns := range []int{40, 46, 52, 60, 120} {
		got := unpainted(onTerminal(t, columns, nil, "test", "-v", "a.scenario.hcl"))
		lines := drawn.FindAllString(got, -1)
		if len(lines) < 3 {
			t.Errorf("in %d columns nothing is drawn:\n%s", columns, got)
		}
		for _, line := range lines {
			if n := utf8.RuneCountInString(line); n > columns {
				t.Errorf("in %d columns a line has %d:\n%s", columns, n, line)
			}
		}
		got = unpainted(onTerminal(t, columns, nil, "validate", "wrong"))
		_, sentences, _ := strings.Cut(got, "^\n")
		widest := 0
		for line := range strings.Lines(sentences) {
			widest = max(widest, utf8.RuneCountInString(strings.TrimRight(line, "\n")))
		}
		if widest > columns || widest < columns-20 {
			t.Errorf("in %d columns sentences take %d:\n%s", columns, widest, sentences)
		}
	}
	if _, wrapped, _ := typedIn(t, "COLUMNS=50", "validate", "wrong"); !strings.Contains(wrapped, "\n") || strings.Contains(wrapped, "It has: content, chunks, tool_calls, finish_reason,") {
		t.Errorf("with COLUMNS=50:\n%s", wrapped)
	}
}

// typedIn is typed with a variable of the environment.
func typedIn(t *testing.T, variable string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	name, value, _ := strings.Cut(variable, "=")
	var out, errs bytes.Buffer
	code = run(args, strings.NewReader(""), &out, &errs, func(asked string) (string, bool) { return value, asked == name })
	return out.String(), errs.String(), code
}
