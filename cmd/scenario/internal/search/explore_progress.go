package search

import (
	"fmt"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/explore"
)

// An exploreProgress line shows on a terminal how far an exploration is, and how far the
// scenario under way.
type exploreProgress struct {
	cli.Progress
	done, total int
	// finds are those of the scenarios before this one.
	finds, now int
}

func newExploreProgress(a *cli.App, total int) *exploreProgress {
	return &exploreProgress{Progress: *a.ProgressOn(a.Stderr, total, "scenarios"), total: total}
}

// next says that a scenario is done.
func (p *exploreProgress) next() {
	p.done++
	p.finds, p.now = p.finds+p.now, 0
}

// draw draws the line, unless it was drawn just before.
func (p *exploreProgress) draw(e explore.Progress) {
	p.now = e.Finds
	if p.W == nil {
		return
	}
	now := p.Watch.Elapsed()
	if now-p.Last < cli.RedrawEvery {
		return
	}
	fmt.Fprint(p.W, "\r\x1b[K"+p.line(e))
	p.Drawn, p.Last = true, now
}

// line is what is drawn.
func (p *exploreProgress) line(e explore.Progress) string {
	text := fmt.Sprintf("k=%d  %s/%s runs  %s", e.K, explore.Grouped(e.Made), explore.Grouped(e.Of), cli.Plural(p.finds+e.Finds, "find"))
	if p.total > 1 {
		text = fmt.Sprintf("%d of %d scenarios  ", p.done, p.total) + text
	}
	return text
}
