package scenario

import (
	"fmt"
	"io"
	"sync"
)

// progress writes lines from many goroutines.
type progress struct {
	mu sync.Mutex
	w  io.Writer
}

func (p *progress) printf(format string, args ...any) {
	if p.w == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	fmt.Fprintf(p.w, format, args...) // what reads progress may be gone
}
