package process

import (
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// followed feeds a text in pieces of arbitrary lengths.
func followed(text string, keep int, random *rand.Rand) (lines []Line, pieces string, tail string) {
	f := &follower{calls: &sync.Mutex{}, out: Output{
		Keep:  keep,
		Line:  func(_ Stream, l Line) { lines = append(lines, l) },
		Piece: func(_ Stream, p []byte) { pieces += string(p) },
	}}
	for text != "" {
		n := 1 + random.IntN(len(text))
		f.take([]byte(text[:n]))
		text = text[n:]
	}
	f.end()
	return lines, pieces, string(f.tail())
}

// Lines are what stands between line ends, wherever a read has cut them; a last
// one needs no end, and of one that is too long the beginning is there.
func TestLines(t *testing.T) {
	longest := strings.Repeat("é", LineMax/2)
	text := "one\n\ntwo\r\n" + longest + "\n" + longest + "\r\n" + longest + "é\nfour\r and\x00\xff\n" + longest + "\n" + longest + longest + "\nlast"
	want := []Line{
		{Text: "one"},
		{Text: ""},
		{Text: "two"},
		{Text: longest},
		{Text: longest},
		{Text: longest, Cut: true},
		{Text: "four\r and\x00\xff"},
		{Text: longest},
		{Text: longest, Cut: true},
		{Text: "last"},
	}
	for seed := range uint64(200) {
		lines, pieces, _ := followed(text, 0, rand.New(rand.NewPCG(seed, 0)))
		if diff := cmp.Diff(want, lines); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
		if pieces != text {
			t.Fatalf("seed %d: the pieces are not the text", seed)
		}
	}
	if lines, _, _ := followed("one\n", 0, rand.New(rand.NewPCG(1, 1))); len(lines) != 1 {
		t.Errorf("%v: a line end ends a line and begins none", lines)
	}
}

// A tail is the end of all that was written, from the first whole character on.
func TestTail(t *testing.T) {
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 0))
		text := strings.Repeat("aé€😀", random.IntN(50))
		for _, keep := range []int{0, 1, 2, 3, 7, 100, 10000} {
			want := text[max(0, len(text)-keep):]
			for want != "" && !utf8.ValidString(want) {
				want = want[1:]
			}
			if _, _, got := followed(text, keep, random); got != want {
				t.Fatalf("seed %d, the last %d of %q: %q, want %q", seed, keep, text, got, want)
			}
		}
	}
}
