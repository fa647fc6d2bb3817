package inert

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"unicode"
)

// What is shown of a text does not depend on how it was cut, and is what a table
// says.
func TestWhatIsShown(t *testing.T) {
	for _, c := range []struct{ text, shown string }{
		{"a line\n", "a line\n"},
		{"no end", "no end"},
		{"\ttab — ünïcode ✓\n", "\ttab — ünïcode ✓\n"},
		{"a\x1b[2Jb\n", "a\\u001b[2Jb\n"},
		{"a\x1b[31mred\x1b[0m\n", "a\\u001b[31mred\\u001b[0m\n"},
		{"over\rwritten\n", "over\\u000dwritten\n"},
		{"dos\r\n", "dos\n"},
		{"bell\a, back\b, nul\x00, del\x7f, csi\u009b2J\n", "bell\\u0007, back\\u0008, nul\\u0000, del\\u007f, csi\\u009b2J\n"},
		{"abc\u202edef\u2066\u200f\u061c\n", "abc\\u202edef\\u2066\\u200f\\u061c\n"},
		{"a\u2028b\n", "a\\u2028b\n"},
		{"tag \U000e0041\n", "tag \\udb40\\udc41\n"},
		{"bytes \x9b\xff\n", "bytes \ufffd\ufffd\n"},
		{"::error::x\n", "\\u003a:error::x\n"},
		{"  \t::error::x\n", "  \t\\u003a:error::x\n"},
		{"\r::error::x\n", "\\u000d\\u003a:error::x\n"},
		{"a ::error::x\n", "a ::error::x\n"},
		{"fine\n::set-output name=a::b\n", "fine\n\\u003a:set-output name=a::b\n"},
		{"a ##[error]x\n", "a #\\u0023[error]x\n"},
		{"##vso[task.setvariable]x\n##teamcity[x]\n", "#\\u0023vso[task.setvariable]x\n#\\u0023teamcity[x]\n"},
		{"## heading [x]\n### three [x]\n", "## heading [x]\n### three [x]\n"},
	} {
		for size := 1; size <= len(c.text); size++ {
			var b bytes.Buffer
			w := New(&b)
			for rest := []byte(c.text); len(rest) > 0; {
				n := min(size, len(rest))
				if m, err := w.Write(rest[:n]); m != n || err != nil {
					t.Fatal(m, err)
				}
				rest = rest[n:]
			}
			if err := w.Flush(); err != nil || b.String() != c.shown {
				t.Errorf("%q in pieces of %d: got %q, want %q, %v", c.text, size, b.String(), c.shown, err)
			}
		}
	}
}

// Painted, the colours of the command pass and nothing else.
func TestColours(t *testing.T) {
	var b bytes.Buffer
	w := New(&b)
	w.Paint()
	w.Write([]byte("\x1b[31mred\x1b[0m\x1b[8mhidden\x1b[2J\x1b]0;title\x07\n"))
	if want := "\x1b[31mred\x1b[0m\\u001b[8mhidden\\u001b[2J\\u001b]0;title\\u0007\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

// Commands pass where they are meant, and nothing else in their lines does.
func TestCommands(t *testing.T) {
	var b bytes.Buffer
	w := New(&b)
	w.Commands().Write([]byte("::error title=\x1b[2J::x\n"))
	w.Write([]byte("::error::y\n"))
	if want := "::error title=\\u001b[2J::x\n\\u003a:error::y\n"; b.String() != want {
		t.Errorf("got %q, want %q", b.String(), want)
	}
}

// A line of JSON has the same value afterwards, in whatever strings, and nothing in
// it is obeyed.
func FuzzJSONKeepsItsValue(f *testing.F) {
	f.Add("::error ##[x] \u202e\x1b\u009b\U000e0041")
	f.Fuzz(func(t *testing.T, text string) {
		var in bytes.Buffer
		enc := json.NewEncoder(&in)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(map[string]string{"a": text}); err != nil {
			t.Fatal(err)
		}
		var want, got map[string]string
		if err := json.Unmarshal(in.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		w := New(&b)
		w.Write(in.Bytes())
		if err := json.Unmarshal(b.Bytes(), &got); err != nil || got["a"] != want["a"] {
			t.Errorf("%q became %q: %v", in.String(), b.String(), err)
		}
		for _, r := range b.String() {
			if unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r) {
				t.Errorf("%U passed", r)
			}
		}
	})
}

// A line that is longer than what is held back is shown as a short one is.
func TestLongLines(t *testing.T) {
	var b bytes.Buffer
	w := New(&b)
	long := strings.Repeat("é\x1b::##[x", heldMax/4)
	for rest := long + "\n"; rest != ""; {
		n := min(len(rest), 100_003)
		w.Write([]byte(rest[:n]))
		rest = rest[n:]
	}
	if want := strings.Repeat("é\\u001b::#\\u0023[x", heldMax/4) + "\n"; b.String() != want {
		t.Errorf("%d bytes, want %d", b.Len(), len(want))
	}
}

// The first error of the writer behind is kept.
func TestErrorIsKept(t *testing.T) {
	full := errors.New("disk full")
	w := New(failing{full})
	if _, err := w.Write([]byte("a\n")); err != full {
		t.Error(err)
	}
	if err := w.Flush(); err != full {
		t.Error(err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
