package sut

import (
	"slices"
	"sync"
	"time"

	"github.com/scenario-lang/scenario/interp"
)

// piecesMost is how many pieces of an output are remembered.
const piecesMost = 1 << 14

// came remembers when a program wrote.
type came struct {
	mu     sync.Mutex
	pieces []interp.Piece
	more   bool
}

// wrote notes so many bytes that came at a time of the run.
func (c *came) wrote(at time.Duration, stderr bool, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.pieces) == piecesMost {
		c.more = true
		return
	}
	c.pieces = append(c.pieces, interp.Piece{At: at, Stderr: stderr, Size: size})
}

// all is what came.
func (c *came) all() interp.Came {
	c.mu.Lock()
	defer c.mu.Unlock()
	return interp.Came{Pieces: slices.Clone(c.pieces), Whole: !c.more}
}
