package providers

import (
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
)

// read returns every event of a stream as "name|data|id|retry", and the error
// that ended it.
func read(r io.Reader) ([]string, error) {
	events := NewEventReader(r)
	var list []string
	for {
		e, err := events.Next()
		if err != nil {
			return list, err
		}
		retry := "-"
		if e.HasRetry {
			retry = strconv.Itoa(e.Retry)
		}
		list = append(list, strings.Join([]string{e.Name, string(e.Data), e.ID, retry}, "|"))
	}
}

// Shows the format as the HTML standard describes it, with the examples of its
// section on interpreting an event stream among them, in every kind of line end
// and in pieces of every size.
func TestEventReader(t *testing.T) {
	for _, c := range []struct {
		name, stream string
		want         []string
		err          error
	}{
		{"empty", "", nil, io.EOF},
		{"one", "data: a\n\n", []string{"|a||-"}, io.EOF},
		{"no space", "data:a\n\n", []string{"|a||-"}, io.EOF},
		{"one space goes, two do not", "data:  a\n\n", []string{"| a||-"}, io.EOF},
		{"a space before the end stays", "data: {} \n\n", []string{"|{} ||-"}, io.EOF},
		{"many lines", "data: YHOO\ndata: +2\ndata: 10\n\n", []string{"|YHOO\n+2\n10||-"}, io.EOF},
		{"comments, ids", ": test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n", []string{"|first event|1|-", "|second event||-", "| third event||-"}, io.EOF},
		{"empty data", "data\n\ndata\ndata\n\n", []string{"|||-", "|\n||-"}, io.EOF},
		{"an id lasts", "id: 7\ndata: a\n\ndata: b\n\n", []string{"|a|7|-", "|b|7|-"}, io.EOF},
		{"an id with NUL", "id: 7\x00\ndata: a\n\n", []string{"|a||-"}, io.EOF},
		{"a name does not", "event: x\ndata: a\n\ndata: b\n\n", []string{"x|a||-", "|b||-"}, io.EOF},
		{"no data", "event: ping\n\ndata: b\n\n", []string{"|b||-"}, io.EOF},
		{"retry", "retry: 10\ndata: a\n\nretry: x\ndata: b\n\nretry: 0\ndata: c\n\n", []string{"|a||10", "|b||-", "|c||0"}, io.EOF},
		{"unknown field", "datum: x\ndata: a\n\n", []string{"|a||-"}, io.EOF},
		{"byte order mark", "\ufeffdata: a\n\n", []string{"|a||-"}, io.EOF},
		{"colon in data", "data: a: b\n\n", []string{"|a: b||-"}, io.EOF},
		{"cut in the blank line", "data: a\n\ndata: b\n", []string{"|a||-"}, ErrCutEvent},
		{"cut in a line", "data: a\n\nda", []string{"|a||-"}, ErrCutEvent},
		{"cut after an id", "id: 4\n", nil, ErrCutEvent},
		{"cut in a comment", "data: a\n\n: keep-al", []string{"|a||-"}, io.EOF},
		{"cut after a comment", "data: a\n\n: keep-alive\n", []string{"|a||-"}, io.EOF},
	} {
		for ending, stream := range map[string]string{
			"LF": c.stream, "CRLF": strings.ReplaceAll(c.stream, "\n", "\r\n"), "CR": strings.ReplaceAll(c.stream, "\n", "\r"),
		} {
			for pieces, wrap := range map[string]func(io.Reader) io.Reader{
				"whole": func(r io.Reader) io.Reader { return r }, "bytes": iotest.OneByteReader, "with EOF": iotest.DataErrReader,
			} {
				t.Run(c.name+"/"+ending+"/"+pieces, func(t *testing.T) {
					got, err := read(wrap(strings.NewReader(stream)))
					if !errors.Is(err, c.err) || !cmp.Equal(got, c.want) {
						t.Errorf("%q: got %q, %v; want %q, %v", stream, got, err, c.want, c.err)
					}
				})
			}
		}
	}
}

// Shows that an event is delivered as soon as its last line end has arrived,
// also a CR that a LF may follow, without asking the source for more.
func TestEventReaderIsIncremental(t *testing.T) {
	for _, end := range []string{"\n", "\r\n", "\r"} {
		source := &counted{pieces: []string{"data: a" + end + end, "data: b" + end + end}}
		events := NewEventReader(source)
		for i, want := range []string{"a", "b"} {
			e, err := events.Next()
			if err != nil || string(e.Data) != want || source.reads != i+1 {
				t.Errorf("%q: event %q after %d reads, %v", end, e.Data, source.reads, err)
			}
		}
	}
}

type counted struct {
	pieces []string
	reads  int
}

func (c *counted) Read(p []byte) (int, error) {
	if len(c.pieces) == 0 {
		return 0, io.EOF
	}
	n := copy(p, c.pieces[0])
	c.pieces = c.pieces[1:]
	c.reads++
	return n, nil
}

// Shows that the source's own error comes through as it is, whatever was read
// of an event before it, and that a source which reads nothing is given up.
func TestEventReaderErrors(t *testing.T) {
	broken := errors.New("broken")
	got, err := read(io.MultiReader(strings.NewReader("data: a\n\ndata: b"), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || len(got) != 1 {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := read(idle{}); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("an idle source: %v", err)
	}
}

type idle struct{}

func (idle) Read([]byte) (int, error) { return 0, nil }

// Shows that neither a line nor the lines of one event may grow without bound.
func TestEventReaderLimits(t *testing.T) {
	for name, source := range map[string]io.Reader{
		"line":  repeated("x"),
		"event": io.MultiReader(repeated("data: "+strings.Repeat("y", 1000)+"\n"), strings.NewReader("\n")),
	} {
		r := NewEventReader(source)
		r.lines.max, r.max = 1<<16, 1<<16
		if _, err := r.Next(); !errors.Is(err, ErrTooLarge) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := io.Copy(io.Discard, LimitBody(endless{})); !errors.Is(err, ErrTooLarge) {
		t.Errorf("body: %v", err)
	}
}

func repeated(s string) io.Reader { return strings.NewReader(strings.Repeat(s, 1<<17)) }

// endless reads more than any answer may have, without filling memory with
// distinct bytes.
type endless struct{}

func (endless) Read(p []byte) (int, error) { return len(p), nil }

// Shows that what is written as an event is read back as that event, with every
// line break as a line feed.
func FuzzEvents(f *testing.F) {
	f.Add("", []byte("a\nb"))
	f.Add("error", []byte("\r\n\r x\n"))
	f.Add("x", []byte(""))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		if strings.ContainsAny(name, "\r\n") {
			return
		}
		lines := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(string(data))
		stream := AppendEvent(AppendEvent(nil, name, data), "", []byte("next"))
		events := NewEventReader(bytes.NewReader(stream))
		e, err := events.Next()
		if err != nil || string(e.Data) != lines || e.Name != name {
			t.Fatalf("%q: got %q %q, %v", stream, e.Name, e.Data, err)
		}
		if e, err = events.Next(); err != nil || string(e.Data) != "next" {
			t.Fatalf("%q: then %q, %v", stream, e.Data, err)
		}
		if _, err = events.Next(); err != io.EOF {
			t.Fatalf("%q: at the end %v", stream, err)
		}
		read(iotest.OneByteReader(bytes.NewReader(data))) // arbitrary bytes, for what must not happen
	})
}
