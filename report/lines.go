package report

import (
	"bytes"
	"sync"
)

// lastIndexed is where the lines begin of the source that was asked for last: entries come
// file by file, and a file may have many with a problem.
var lastIndexed struct {
	sync.Mutex
	source []byte
	begin  []int
}

// line is a line of a source without its line break, counted from 1, and reports whether
// there is one.
func line(source []byte, n int) ([]byte, bool) {
	begin := lineBeginnings(source)
	if n < 1 || n > len(begin) {
		return nil, false
	}
	text := source[begin[n-1]:]
	if n < len(begin) {
		text = source[begin[n-1]:begin[n]]
	}
	return bytes.TrimRight(text, "\r\n"), true
}

// lineBeginnings are the offsets at which the lines of a source begin. They are not to be
// changed.
func lineBeginnings(source []byte) []int {
	if len(source) == 0 {
		return nil
	}
	c := &lastIndexed
	c.Lock()
	defer c.Unlock()
	if len(c.source) == len(source) && &c.source[0] == &source[0] {
		return c.begin
	}
	begin := make([]int, 0, bytes.Count(source, []byte("\n"))+1)
	at := 0
	for text := range bytes.Lines(source) {
		begin = append(begin, at)
		at += len(text)
	}
	c.source, c.begin = source, begin
	return begin
}
