package providers

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// lines returns every line of a stream, those without an end in brackets, and
// the error that ended it.
func lines(r io.Reader) ([]string, error) {
	reader := NewLineReader(r)
	var list []string
	for {
		line, ended, err := reader.Next()
		if err != nil {
			return list, err
		}
		text := string(line)
		if !ended {
			text = "[" + text + "]"
		}
		list = append(list, text)
	}
}

// Shows that lines are read in every kind of line end and in pieces of every
// size, that blank ones are none, and that a last line without an end is given
// once, as one.
func TestLineReader(t *testing.T) {
	for stream, want := range map[string][]string{
		"":                        nil,
		"\n \n":                   nil,
		"{\"a\":1}\n":             {`{"a":1}`},
		"a\n\nb\n":                {"a", "b"},
		"a\n b \n":                {"a", "b"},
		"a\nb":                    {"a", "[b]"},
		"a\n ":                    {"a"},
		strings.Repeat("x", 9000): {"[" + strings.Repeat("x", 9000) + "]"},
	} {
		for _, ending := range []string{"\n", "\r\n", "\r"} {
			stream := strings.ReplaceAll(stream, "\n", ending)
			for _, r := range []io.Reader{strings.NewReader(stream), iotest.OneByteReader(strings.NewReader(stream)), iotest.DataErrReader(strings.NewReader(stream))} {
				if got, err := lines(r); err != io.EOF || !cmp.Equal(got, want) {
					t.Errorf("%q: got %q, %v; want %q", stream, got, err, want)
				}
			}
		}
	}
}

// Shows that the source's own error comes through as it is, without the piece
// of a line before it, and that a line may not grow without bound.
func TestLineReaderErrors(t *testing.T) {
	broken := errors.New("broken")
	got, err := lines(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || !cmp.Equal(got, []string{"a"}) {
		t.Errorf("%q, %v", got, err)
	}
	r := NewLineReader(repeated("x"))
	r.lines.max = 1 << 16
	if _, _, err := r.Next(); !errors.Is(err, ErrTooLarge) {
		t.Errorf("an endless line: %v", err)
	}
}

// Shows that a line is given as soon as its end has arrived, without asking the
// source for more.
func TestLineReaderIsIncremental(t *testing.T) {
	source := &counted{pieces: []string{"a\n", "b\n"}}
	r := NewLineReader(source)
	for i, want := range []string{"a", "b"} {
		if line, ended, err := r.Next(); string(line) != want || !ended || err != nil || source.reads != i+1 {
			t.Errorf("line %q after %d reads, %v", line, source.reads, err)
		}
	}
}
