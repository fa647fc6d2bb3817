//go:build linux

package keys

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"unsafe"
)

// Shows that a terminal is what it was after a panic, and that there are no keys where
// there is no terminal.
func TestPanicGivesTheTerminalBack(t *testing.T) {
	if os.Getenv("KEYS_PANIC") != "" {
		k := Open(os.Stdin)
		defer k.Close()
		k.Listen()
		fmt.Println("canonical:", canonical(t, os.Stdin))
		panic("as planned")
	}
	if Open(strings.NewReader("q")) != nil {
		t.Error("a text has keys")
	}
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("there are no terminals here: %v", err)
	}
	defer ours.Close()
	var locked, number int32
	for request, value := range map[uintptr]*int32{syscall.TIOCSPTLCK: &locked, syscall.TIOCGPTN: &number} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, ours.Fd(), request, uintptr(unsafe.Pointer(value))); errno != 0 {
			t.Fatal(errno)
		}
	}
	theirs, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer theirs.Close()
	c := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestPanicGivesTheTerminalBack$")
	c.Env, c.Stdin, c.SysProcAttr = append(os.Environ(), "KEYS_PANIC=1"), theirs, &syscall.SysProcAttr{Setsid: true, Setctty: true}
	out, err := c.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "canonical: false") || !strings.Contains(string(out), "as planned") {
		t.Errorf("%v\n%s", err, out)
	}
	if !canonical(t, ours) {
		t.Error("the terminal does not show any more what is typed")
	}
}

func canonical(t *testing.T, f *os.File) bool {
	var m syscall.Termios
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, f.Fd(), getMode, uintptr(unsafe.Pointer(&m))); errno != 0 {
		t.Fatal(errno)
	}
	return m.Lflag&(syscall.ICANON|syscall.ECHO) == syscall.ICANON|syscall.ECHO
}

// Shows what a line is after some keys, whatever they are.
func TestLine(t *testing.T) {
	for typed, want := range map[string]Line{
		"ab":                      {text: []byte("ab")},
		"ab\r":                    {text: []byte("ab"), Done: true},
		"äb\x7f\x7fc\n":           {text: []byte("c"), Done: true},
		"\x7f\x08":                {},
		"ab\x15c":                 {text: []byte("c")},
		"ab\x1b":                  {text: []byte("ab"), Done: true, Dropped: true},
		"\x04":                    {Done: true, Dropped: true},
		"a\x01\x9b\xff[b\u202e":   {text: []byte("a\x01\x9b\xff[b\u202e")},
		strings.Repeat("x", 2000): {text: []byte(strings.Repeat("x", lineMax))},
	} {
		var l Line
		for _, key := range []byte(typed) {
			l.Type(key)
		}
		if string(l.text) != string(want.text) || l.Done != want.Done || l.Dropped != want.Dropped {
			t.Errorf("%.20q gives %.40q, %v, %v", typed, l.text, l.Done, l.Dropped)
		}
		if text := l.Text(); strings.ContainsRune(text, '\x01') || strings.Contains(text, "\x9b") || strings.ContainsRune(text, '\u202e') {
			t.Errorf("%q shows %q", typed, l.Text())
		}
	}
}

// A nil keyboard is one without keys.
func TestNoKeyboard(t *testing.T) {
	k := Open(io.MultiReader())
	k.Listen()
	k.Rest()
	k.Close()
	if k.C() != nil {
		t.Error("it has keys")
	}
}
