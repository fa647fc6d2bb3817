package providers

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// Shows that a reader is read to its end whatever was announced of it, and that
// what came before an error is kept.
func TestReadAll(t *testing.T) {
	text := strings.Repeat("0123456789", 30_000)
	for _, announced := range []int64{-1, 0, 1, 299_999, 300_000, 300_001, 1 << 62} {
		for name, wrap := range map[string]func(io.Reader) io.Reader{
			"plain": func(r io.Reader) io.Reader { return r }, "one byte": iotest.OneByteReader, "end with the data": iotest.DataErrReader,
		} {
			if got, err := ReadAll(wrap(strings.NewReader(text)), announced); string(got) != text || err != nil {
				t.Errorf("%s, %d announced: %d bytes, %v", name, announced, len(got), err)
			}
		}
	}
	broken := errors.New("broken")
	if got, err := ReadAll(io.MultiReader(strings.NewReader("abc"), iotest.ErrReader(broken)), 9); string(got) != "abc" || err != broken {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := ReadAll(strings.NewReader(""), 0); got == nil || len(got) != 0 || err != nil {
		t.Errorf("an empty reader: %#v, %v", got, err)
	}
}
