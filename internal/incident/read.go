package incident

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// An Error says why a file gives no draft, and what to do about it.
type Error struct {
	Path string
	// Line is where the problem is, 0 where it has no line.
	Line          int
	Problem, Hint string
}

func (e *Error) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", e.Path, e.Line, e.Problem)
	}
	return e.Path + ": " + e.Problem
}

// A file is a trace file while it is read: once to see which traces there are, and
// once for the spans of the one that is wanted. So the memory that it takes grows
// with one trace, however many the file has.
type file struct {
	path string
	data []byte
	dec  *json.Decoder
	// span and record are given what is found, as it is found.
	span   func(*rawSpan, *resource) error
	record func(*rawRecord) error
	hide   hider
}

// A resource is what a list of spans comes from. It may be known only after them.
type resource struct{ service string }

// containers are the members that lead to spans and to log records, whatever the
// program that wrote the file calls them.
var (
	spanLists   = []string{"resourceSpans", "batches"}
	scopeLists  = []string{"scopeSpans", "instrumentationLibrarySpans"}
	recordLists = []string{"resourceLogs"}
)

// Is reports whether a file holds traces: whether the first object in it has a
// member that leads to spans.
func Is(data []byte) bool {
	data = bytes.TrimPrefix(data, byteOrderMark)
	f := &file{data: data, dec: json.NewDecoder(bytes.NewReader(data))}
	found := false
	_ = f.document(func(key string) error {
		found = slices.Contains(spanLists, key) || slices.Contains(recordLists, key) || key == "trace" || key == "data"
		if found && (key == "trace" || key == "data") {
			var inner json.RawMessage
			if err := f.dec.Decode(&inner); err != nil {
				return err
			}
			found = bytes.Contains(inner, []byte(`"resourceSpans"`)) || bytes.Contains(inner, []byte(`"spans"`)) || bytes.Contains(inner, []byte(`"batches"`))
			return errStop
		}
		if found {
			return errStop
		}
		return f.skip()
	})
	return found
}

var byteOrderMark = []byte("\xef\xbb\xbf")

// errStop ends a reading that has seen enough.
var errStop = errors.New("enough")

// each reads all documents of the file.
func (f *file) each() error {
	f.dec = json.NewDecoder(bytes.NewReader(f.data))
	f.dec.UseNumber()
	for {
		err := f.document(f.top)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return f.flaw(err)
		}
	}
}

// document reads the next object of the file, or a list of such objects; io.EOF
// where there is none.
func (f *file) document(member func(string) error) error {
	token, err := f.dec.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('{'):
		return f.members(member)
	case json.Delim('['):
		for f.dec.More() {
			if err := f.document(member); err != nil {
				return unexpected(err)
			}
		}
		_, err = f.dec.Token()
		return unexpected(err)
	}
	return wrongKind{"an object with traces", fmt.Sprint(token)}
}

// members reads the members of an object that is open.
func (f *file) members(member func(string) error) error {
	for f.dec.More() {
		token, err := f.dec.Token()
		if err != nil {
			return unexpected(err)
		}
		key, _ := token.(string)
		if err := member(key); err != nil {
			return err
		}
	}
	_, err := f.dec.Token()
	return unexpected(err)
}

// list reads a list of objects, each member by member; null is an empty one.
func (f *file) list(what string, item func() error) error {
	if is, err := f.opens('[', what+" as a list"); !is {
		return err
	}
	for f.dec.More() {
		if err := item(); err != nil {
			return err
		}
	}
	_, err := f.dec.Token()
	return unexpected(err)
}

// opens reads the beginning of a value, and reports whether it is one of a kind; null
// is none, and no error.
func (f *file) opens(with json.Delim, what string) (bool, error) {
	token, err := f.dec.Token()
	switch {
	case err != nil:
		return false, unexpected(err)
	case token == nil:
		return false, nil
	case token != with:
		return false, wrongKind{what, shown(token)}
	}
	return true, nil
}

func (f *file) object(what string, member func(string) error) error {
	if is, err := f.opens('{', what+" as an object"); !is {
		return err
	}
	return f.members(member)
}

func (f *file) skip() error {
	var ignored json.RawMessage
	return unexpected(f.dec.Decode(&ignored))
}

// top reads one member of a document.
func (f *file) top(key string) error {
	switch {
	case slices.Contains(spanLists, key):
		return f.list(key, func() error { return f.resourceSpans(key) })
	case slices.Contains(recordLists, key):
		return f.list(key, func() error { return f.object("an item of "+key, f.scopeLogs) })
	case key == "trace": // as Tempo has it
		return f.object("the trace", f.top)
	case key == "data": // as Jaeger has it
		return f.list(key, f.jaeger)
	}
	return f.skip()
}

func (f *file) resourceSpans(list string) error {
	from := &resource{}
	return f.object("an item of "+list, func(key string) error {
		switch {
		case key == "resource":
			var r struct{ Attributes []rawAttr }
			if err := f.decode(&r); err != nil {
				return err
			}
			for _, a := range r.Attributes {
				if a.Key == "service.name" && a.Value.String != nil {
					from.service = *a.Value.String
				}
			}
			return nil
		case slices.Contains(scopeLists, key):
			return f.list(key, func() error { return f.scope(key, from) })
		}
		return f.skip()
	})
}

func (f *file) scope(list string, from *resource) error {
	return f.object("an item of "+list, func(key string) error {
		if key != "spans" {
			return f.skip()
		}
		return f.list("spans", func() error {
			s := &rawSpan{offset: f.dec.InputOffset()}
			if err := f.decode(s); err != nil {
				return err
			}
			return f.span(s, from)
		})
	})
}

func (f *file) scopeLogs(key string) error {
	if key != "scopeLogs" {
		return f.skip()
	}
	return f.list(key, func() error {
		return f.object("an item of scopeLogs", func(key string) error {
			if key != "logRecords" {
				return f.skip()
			}
			return f.list(key, func() error {
				r := &rawRecord{}
				if err := f.decode(r); err != nil {
					return err
				}
				return f.record(r)
			})
		})
	})
}

// decode reads the next value. The place of what is wrong in it is that in the
// file.
func (f *file) decode(v any) error {
	at := f.dec.InputOffset()
	err := f.dec.Decode(v)
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return &Error{Line: f.line(at + kind.Offset), Problem: fmt.Sprintf("%s is %s, which it cannot be", place(kind), kind.Value)}
	}
	return unexpected(err)
}

func place(e *json.UnmarshalTypeError) string {
	if e.Field == "" {
		return "an item of a list"
	}
	return e.Field
}

// unexpected says of an end within something that it is none at which to stop.
func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// A wrongKind is a value that is not what has to be there.
type wrongKind struct{ want, is string }

func (e wrongKind) Error() string { return "expected " + e.want + ", and there is " + e.is }

func shown(token json.Token) string {
	switch v := token.(type) {
	case json.Delim:
		if v == '{' {
			return "an object"
		}
		return "a list"
	case string:
		return "a string"
	case nil:
		return "null"
	case bool:
		return "a bool"
	}
	return "a number"
}

// flaw is an error of reading as one that the user can do something about.
func (f *file) flaw(err error) error {
	e := &Error{}
	var syntax *json.SyntaxError
	switch {
	case errors.As(err, &e):
	case errors.Is(err, io.ErrUnexpectedEOF):
		e.Line, e.Problem = f.line(int64(len(f.data))), "the file ends in the middle of a trace: it is truncated"
		e.Hint = "export it again, or remove what follows the last whole line"
	case errors.As(err, &syntax):
		e.Line, e.Problem = f.line(syntax.Offset), "this is no JSON: "+syntax.Error()
	default:
		e.Line, e.Problem = f.line(f.dec.InputOffset()), err.Error()
	}
	if e.Hint == "" {
		e.Hint = "imported are OTLP/JSON, one export a line or one document, and the JSON of Tempo and Jaeger"
	}
	e.Path = f.path
	return e
}

func (f *file) line(offset int64) int {
	offset = min(max(offset, 0), int64(len(f.data)))
	return 1 + bytes.Count(f.data[:offset], []byte("\n"))
}

// normal is an id as it is compared: in hexadecimal of lower case, also where it
// was written in Base64, as by general encoders of Protocol Buffers.
func normal(id string) string {
	if raw, ok := fromBase64(id); ok {
		return fmt.Sprintf("%x", raw)
	}
	return strings.ToLower(id)
}
