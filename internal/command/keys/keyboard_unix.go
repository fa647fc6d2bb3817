//go:build linux || darwin

package keys

import (
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"unsafe"
)

// A Keyboard is a terminal whose keys are read one by one. A nil one has no keys.
type Keyboard struct {
	file    *os.File
	keys    chan byte
	signals chan os.Signal
	resumed chan struct{}
	quit    chan struct{}

	mu sync.Mutex
	// listening says that keys are waited for, and saved is what the terminal was
	// before that, nil where it is so now.
	listening bool
	saved     *syscall.Termios
}

// Open takes the keys of a terminal, and gives nil where in is none. Whoever opens it
// closes it.
func Open(in io.Reader) *Keyboard {
	f, ok := in.(*os.File)
	if !ok {
		return nil
	}
	k := &Keyboard{
		file: f, keys: make(chan byte, 256), signals: make(chan os.Signal, 4),
		resumed: make(chan struct{}, 1), quit: make(chan struct{}),
	}
	if _, err := k.mode(); err != nil {
		return nil
	}
	// In the background a read would stop the process; it fails in place of that.
	signal.Ignore(syscall.SIGTTIN)
	signal.Notify(k.signals, syscall.SIGTSTP, syscall.SIGCONT)
	go k.follow()
	go k.read()
	return k
}

// C has the keys, byte by byte as the terminal sends them.
func (k *Keyboard) C() <-chan byte {
	if k == nil {
		return nil
	}
	return k.keys
}

// Listen has the terminal send each key at once and show none.
func (k *Keyboard) Listen() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.listening = true
	k.apply()
}

// Rest makes the terminal what it was before.
func (k *Keyboard) Rest() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.listening = false
	k.restore()
}

// Close gives the terminal back for good. A read that is under way goes on until the
// process ends.
func (k *Keyboard) Close() {
	if k == nil {
		return
	}
	k.Rest()
	signal.Stop(k.signals)
	signal.Reset(syscall.SIGTTIN)
	close(k.quit)
}

// apply changes the terminal where that is ours to do.
func (k *Keyboard) apply() {
	old, err := k.mode()
	if err != nil || k.saved != nil || !k.foreground() {
		return
	}
	each := *old
	each.Lflag &^= syscall.ICANON | syscall.ECHO // signals and output stay as they are
	each.Cc[syscall.VMIN], each.Cc[syscall.VTIME] = 1, 0
	if k.ioctl(setMode, unsafe.Pointer(&each)) == nil {
		k.saved = old
	}
}

func (k *Keyboard) restore() {
	if k.saved != nil && k.foreground() {
		_ = k.ioctl(setMode, unsafe.Pointer(k.saved)) // a terminal that is gone is as it was
	}
	k.saved = nil
}

// follow gives the terminal back while the process is stopped.
func (k *Keyboard) follow() {
	for {
		select {
		case <-k.quit:
			return
		case s := <-k.signals:
			k.mu.Lock()
			if s == syscall.SIGTSTP {
				k.restore()
				k.mu.Unlock()
				_ = syscall.Kill(os.Getpid(), syscall.SIGSTOP)
				continue
			}
			if k.listening {
				k.apply()
			}
			k.mu.Unlock()
			select {
			case k.resumed <- struct{}{}:
			default:
			}
		}
	}
}

// read passes keys on. In the background it waits for the foreground.
func (k *Keyboard) read() {
	var b [1]byte
	for {
		n, err := k.file.Read(b[:])
		if n == 1 {
			select {
			case k.keys <- b[0]:
			case <-k.quit:
				return
			}
			continue
		}
		if err == io.EOF || k.foreground() {
			return // the terminal is gone
		}
		select {
		case <-k.resumed:
		case <-k.quit:
			return
		}
	}
}

// foreground reports whether the terminal is this process's to use.
func (k *Keyboard) foreground() bool {
	var group int32
	return k.ioctl(syscall.TIOCGPGRP, unsafe.Pointer(&group)) == nil && int(group) == syscall.Getpgrp()
}

func (k *Keyboard) mode() (*syscall.Termios, error) {
	var m syscall.Termios
	if err := k.ioctl(getMode, unsafe.Pointer(&m)); err != nil {
		return nil, err
	}
	return &m, nil
}

func (k *Keyboard) ioctl(request uintptr, value unsafe.Pointer) error {
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, k.file.Fd(), request, uintptr(value)); errno != 0 {
		return errno
	}
	return nil
}
