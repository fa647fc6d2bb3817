package keys

import (
	"unicode"
	"unicode/utf8"
)

// The keys that a line is edited with, as terminals send them.
const (
	Enter      = '\r'
	newline    = '\n'
	escape     = 0x1b
	backspace  = 0x7f
	backspace2 = 0x08
	eraseLine  = 0x15 // Ctrl-U
	endOfInput = 0x04 // Ctrl-D
)

// IsEnter reports whether a key is the one that ends a line.
func IsEnter(key byte) bool { return key == Enter || key == newline }

// lineMax bounds a line, in bytes.
const lineMax = 1000

// A Line is what somebody types, until it is done.
type Line struct {
	text []byte
	// Done says that it is ended, and Dropped that nothing is to come of it.
	Done, Dropped bool
}

// Text is what has been typed: what can be seen of it.
func (l *Line) Text() string {
	var seen []rune
	for _, r := range string(l.text) {
		if r != utf8.RuneError && unicode.IsPrint(r) {
			seen = append(seen, r)
		}
	}
	return string(seen)
}

// Type takes one more key.
func (l *Line) Type(key byte) {
	switch {
	case IsEnter(key):
		l.Done = true
	case key == escape, key == endOfInput:
		l.Done, l.Dropped = true, true
	case key == backspace, key == backspace2:
		_, size := utf8.DecodeLastRune(l.text)
		l.text = l.text[:len(l.text)-size]
	case key == eraseLine:
		l.text = nil
	case len(l.text) < lineMax:
		l.text = append(l.text, key)
	}
}
