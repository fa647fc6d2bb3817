package taint

import (
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/cassette/redact"
)

// A span is a part of a text.
type span struct{ start, end int }

// How far apart two parts are when what stands between them is public: it may be
// equal by chance, or because it is no letter. A part that is too short to be a
// secret belongs to one that is not as far away as that again.
const (
	apart    = 3
	farApart = 8
)

// parts are where a text differs from another one: in texts of one length where
// their bytes differ, in others all that lies between what they begin and end with.
func parts(text, other string) []span {
	if len(text) != len(other) {
		start := commonPrefix(text, other)
		return []span{{start, len(text) - commonSuffix(text[start:], other[start:])}}
	}
	var list []span
	for i := range len(text) {
		last := len(list) - 1
		switch {
		case text[i] == other[i]:
		case last >= 0 && i-list[last].end < apart:
			list[last].end = i + 1
		default:
			list = append(list, span{i, i + 1})
		}
	}
	return joined(list)
}

// joined puts parts that are too short to be hidden to the one before or behind.
func joined(list []span) []span {
	for i := 1; i < len(list); {
		a, b := &list[i-1], list[i]
		short := min(a.end-a.start, b.end-b.start) < redact.ShortestSecret
		if !short || b.start-a.end > farApart {
			i++
			continue
		}
		a.end = b.end
		list = slices.Delete(list, i, i+1)
	}
	return list
}

func commonPrefix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}

func commonSuffix(a, b string) int {
	n := 0
	for n < min(len(a), len(b)) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	for n > 0 && !utf8.RuneStart(a[len(a)-n]) {
		n--
	}
	return n
}

// wordStart and wordEnd are the ends of the word that a place is in.
func wordStart(text string, at int) int {
	for at > 0 {
		r, size := utf8.DecodeLastRuneInString(text[:at])
		if isNoWord(r) {
			break
		}
		at -= size
	}
	return at
}

func wordEnd(text string, at int) int {
	for at < len(text) {
		r, size := utf8.DecodeRuneInString(text[at:])
		if isNoWord(r) {
			break
		}
		at += size
	}
	return at
}

func isNoWord(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
