package mcp

import (
	"fmt"
	"strings"
	"sync"
	"unicode/utf8"
)

// A bounded keeps the beginning and the end of what is written to it. It is safe for
// concurrent use.
type bounded struct {
	most int // bytes of each of the two

	mu         sync.Mutex
	head, tail []byte
	left       int // bytes between them, which are lost
}

// Write implements io.Writer; it never fails.
func (b *bounded) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := min(len(p), b.most-len(b.head))
	b.head = append(b.head, p[:n]...)
	b.tail = append(b.tail, p[n:]...)
	if over := len(b.tail) - b.most; over > 0 {
		b.left += over
		b.tail = append(b.tail[:0], b.tail[over:]...)
	}
	return len(p), nil
}

// Cut reports whether something is lost.
func (b *bounded) Cut() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.left > 0
}

// String is what was kept, with a line that says how much was not.
func (b *bounded) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.left == 0 {
		return string(b.head) + string(b.tail)
	}
	head, tail := wholeRunes(b.head), b.tail
	for len(tail) > 0 && !utf8.RuneStart(tail[0]) {
		tail = tail[1:]
	}
	left := len(b.head) + b.left + len(b.tail) - len(head) - len(tail)
	return fmt.Sprintf("%s\n… %d bytes are left out here: select fewer scenarios with run, or fewer files with paths …\n%s", strings.TrimRight(string(head), "\n"), left, tail)
}

// wholeRunes is a text without the part of a character at its end.
func wholeRunes(p []byte) []byte {
	for i := 1; i <= min(utf8.UTFMax, len(p)); i++ {
		if c := p[len(p)-i:]; utf8.RuneStart(c[0]) {
			if !utf8.FullRune(c) {
				return p[:len(p)-i]
			}
			break
		}
	}
	return p
}
