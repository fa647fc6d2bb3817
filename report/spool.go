package report

import (
	"bytes"
	"io"
	"net/url"
	"strconv"
)

// A Spool holds what a report can write only later, because a count that is not
// known yet stands before it. WriteTo writes all of it in order and leaves the
// spool empty.
type Spool interface {
	io.Writer
	io.WriterTo
}

// spool is a place for what has to wait: the one that Options give, or memory.
func (o Options) spool() Spool {
	if o.Spool == nil {
		return &bytes.Buffer{}
	}
	return o.Spool()
}

// Pages is where the further files of a report go that is too large for one.
type Pages struct {
	// First is the name of the first file. Dir is that of the directory beside it
	// in which the others are.
	First, Dir string
	// Write keeps one of them under a name that has no directory.
	Write func(name string, page []byte) error
}

// link leads from the first file to page n.
func (p *Pages) link(n int) raw {
	return raw(url.PathEscape(p.Dir) + "/" + pageName(n))
}

// back leads from every page to the first file.
func (p *Pages) back() raw { return raw("../" + url.PathEscape(p.First)) }

// pageName is the name of page n, counted from 1.
func pageName(n int) string { return strconv.Itoa(n) + ".html" }
