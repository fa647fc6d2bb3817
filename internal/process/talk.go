package process

import (
	"io"
	"sync"
)

// Talk starts a program that is talked to. What it writes to standard output goes
// to out, which may hold that back and is closed at the end; what of its standard
// error is kept says [Process.Tail], so many bytes. At its end nothing
// of its group is left. The errors are those of [Start].
func Talk(c Command, out io.WriteCloser, keep int) (*Process, error) {
	var calls sync.Mutex
	said := &follower{stream: Stderr, out: Output{Keep: keep}, calls: &calls}
	return newProcess([2]*follower{{stream: Stdout}, said}).start(c, group(), [2]sink{handed{out}, said})
}

// handed hands a stream on until nobody wants it any more.
type handed struct{ to io.WriteCloser }

func (h handed) take(p []byte) { _, _ = h.to.Write(p) }

func (h handed) end() { _ = h.to.Close() }
