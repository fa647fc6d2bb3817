package report

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Shows that what was written for a merge says in every format what the results
// themselves say, and that writing it again gives the same bytes.
func TestMergeKeepsWhatFormatsShow(t *testing.T) {
	valid := entriesOf(strings.ToValidUTF8(hostile, "\uFFFD")) // no file has another text
	for name, all := range map[string][]Entry{"entries": entries(), "driven": {driven()}, "hostile": valid, "nothing": nil} {
		file := written(t, Merge, all, nil)
		read := readAll(t, file)
		for _, f := range Formats() {
			for _, opts := range []Options{{}, {Verbose: true}, {Quiet: true}} {
				want, got := withOptions(t, f, opts, all), withOptions(t, f, opts, read)
				if got != want {
					t.Errorf("%s of %s:\n%s", f.Name, name, cmp.Diff(want, got))
				}
			}
		}
	}
}

func withOptions(t *testing.T, f Format, opts Options, all []Entry) string {
	t.Helper()
	var b strings.Builder
	r := f.New(&b, opts)
	var s Summary
	for _, e := range all {
		s.Add(e.Result)
		if err := r.Add(e); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// readAll reads the scenarios of a file.
func readAll(t *testing.T, file string) []Entry {
	t.Helper()
	var all []Entry
	for line := range strings.Lines(file) {
		if !strings.HasPrefix(line, `{"type":"scenario"`) {
			continue
		}
		e, err := ReadEntry([]byte(line))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, e)
	}
	return all
}

// Shows that a line which no report wrote is refused, whatever is wrong.
func TestReadEntryRefuses(t *testing.T) {
	for _, line := range []string{
		``, `[]`, `{`, `{}`, `{"status":"green"}`,
		`{"status":"pass","trace":[{}]}`, `{"status":"pass","trace":[1]}`, `{"status":"pass","trace":[{"seq":"one","type":"run_end"}]}`,
		`{"status":"pass","header":{"trace":2}}`, `{"status":"pass","header":3}`,
		`{"status":"pass","source":[{"line":0,"text":""}]}`, `{"status":"pass","source":[{"line":2},{"line":2}]}`, `{"status":"pass","source":[{"line":99999999}]}`,
		`{"status":"pass","problems":{}}`, `{"status":"pass","report":7}`,
	} {
		if _, err := ReadEntry([]byte(line)); err == nil {
			t.Errorf("%s is read", line)
		}
	}
}

func FuzzReadEntry(f *testing.F) {
	for _, all := range suites() {
		var b strings.Builder
		r := Merge(&b, Options{})
		for _, e := range all {
			_ = r.Add(e)
		}
		for line := range strings.Lines(b.String()) {
			f.Add([]byte(line))
		}
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		e, err := ReadEntry(line)
		if err != nil {
			return
		}
		for _, format := range Formats() {
			withOptions(t, format, Options{Verbose: true}, []Entry{e})
		}
		once := written(t, Merge, []Entry{e}, nil)
		if again := written(t, Merge, readAll(t, once), nil); again != once {
			t.Errorf("read and written again:\n%s\n%s", once, again)
		}
	})
}
