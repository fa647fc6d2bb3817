package report

import (
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/interp"
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

// Shows that a file for a merge, which is also how results are kept from one run to the next, keeps
// each field of what formats show, those that are named here aside.
func TestMergeKeepsEveryField(t *testing.T) {
	left := map[string]string{
		"Problem.Partly":                    "it is read within a run",
		"Problem.Range.Start.Byte":          "formats show lines and columns",
		"Problem.Range.End.Byte":            "formats show lines and columns",
		"Setting.Near":                      "only those that a run came to are kept",
		"InvariantCount.Always":             "coverage looks for it in runs of its own",
		"InvariantCount.Range.Start.Column": "formats show its line",
		"InvariantCount.Range.Start.Byte":   "formats show its line",
		"InvariantCount.Range.End.Line":     "formats show its line",
		"InvariantCount.Range.End.Column":   "formats show its line",
		"InvariantCount.Range.End.Byte":     "formats show its line",
	}
	for name, of := range map[string]func(r *interp.Result) any{
		"Problem":        func(r *interp.Result) any { return &r.Problems[0] },
		"Row":            func(r *interp.Result) any { return r.Row },
		"InvariantCount": func(r *interp.Result) any { return &r.Invariants[0] },
		"Setting":        func(r *interp.Result) any { return &r.Settings[0] },
	} {
		for path, at := range fieldsOf(reflect.TypeOf(of(bare())).Elem(), name) {
			r := bare()
			field := reflect.ValueOf(of(r)).Elem().FieldByIndex(at)
			fill(field)
			line, err := MergeLine(Entry{Result: r})
			if err != nil {
				t.Fatal(err)
			}
			read, err := ReadEntry(line)
			if err != nil {
				t.Fatal(err)
			}
			got, want := reflect.ValueOf(of(read.Result)).Elem().FieldByIndex(at).Interface(), field.Interface()
			switch kept, is := cmp.Equal(got, want), left[path] != ""; {
			case !kept && !is:
				t.Errorf("%s is lost: %#v is read as %#v", path, want, got)
			case kept && is && path != "Setting.Near":
				t.Errorf("%s is kept: it need not be named", path)
			}
			delete(left, path)
		}
	}
	for path := range left {
		t.Errorf("there is no %s", path)
	}
}

// bare is a result that has one of each thing, with nothing in it.
func bare() *interp.Result {
	return &interp.Result{
		Plan: &interp.Plan{File: "a.scenario.hcl", Name: "one", Line: 1}, Verdict: interp.Pass, Row: &interp.Row{},
		Problems: make([]interp.Problem, 1), Invariants: make([]interp.InvariantCount, 1), Settings: []interp.Setting{{Near: true}},
	}
}

// fieldsOf are the fields of a struct that are no structs, and those of its structs.
func fieldsOf(of reflect.Type, name string) map[string][]int {
	fields := map[string][]int{}
	for i := range of.NumField() {
		f := of.Field(i)
		if f.Type.Kind() != reflect.Struct {
			fields[name+"."+f.Name] = []int{i}
			continue
		}
		for path, at := range fieldsOf(f.Type, name+"."+f.Name) {
			fields[path] = append([]int{i}, at...)
		}
	}
	return fields
}

// fill puts something into a value that is not its zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(3)
	case reflect.String:
		v.SetString("some")
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
	default:
		panic("no value for a " + v.Kind().String())
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
