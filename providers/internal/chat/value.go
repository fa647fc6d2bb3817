package chat

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/providers"
)

// An Object is a JSON object of a request's body, and a [Value] a piece of one,
// each with its place there. They are read leniently: what is absent or null is
// the zero of whatever it is read as, and fields that nobody asks for are passed
// over. The first mismatch is kept for [Object.Err], and reading goes on.
type Object struct {
	body   *body
	at     string
	fields map[string]json.RawMessage
}

// A Value is described with [Object].
type Value struct {
	body *body
	at   string
	// raw is nil for what is absent or null.
	raw json.RawMessage
}

// A body keeps the first error of what is read of it.
type body struct{ err error }

// ReadObject reads a body that has to be a JSON object.
func ReadObject(data []byte) Object {
	b := &body{}
	data = bytes.Trim(data, " \t\r\n")
	if !json.Valid(data) {
		b.err = notJSON(data)
		data = nil
	}
	root := Value{body: b, raw: data}
	if string(data) == "null" {
		root.Fail("is null, and must be an object")
	}
	return root.Object()
}

// notJSON says where a text stops to be JSON.
func notJSON(data []byte) error {
	if len(data) == 0 {
		return fmt.Errorf("the body is empty, and must be a JSON object")
	}
	err := json.Unmarshal(data, new(any))
	if e, ok := err.(*json.SyntaxError); ok {
		return fmt.Errorf("the body is not JSON: at byte %d: %w", e.Offset, err)
	}
	return fmt.Errorf("the body is not JSON: %w", err)
}

// Err is the first mismatch: where it is in the body, what stands there and what
// was expected.
func (o Object) Err() error { return o.body.err }

// Get is the first of these fields that is there, and not null. Names after the
// first are other spellings of it.
func (o Object) Get(names ...string) Value {
	v := Value{body: o.body, at: o.place(names[0])}
	for _, name := range names {
		if raw, ok := o.fields[name]; ok && string(raw) != "null" {
			v.at, v.raw = o.place(name), raw
			return v
		}
	}
	return v
}

// Need is Get for a field that has to be there.
func (o Object) Need(names ...string) Value {
	v := o.Get(names...)
	if !v.Given() {
		v.Fail("is missing")
	}
	return v
}

// Only is the value of a field that is the only one.
func (o Object) Only(name string) (Value, bool) {
	if _, ok := o.fields[name]; !ok || len(o.fields) != 1 {
		return Value{}, false
	}
	return o.Get(name), true
}

// place is where a member stands in the body.
//
//go:noinline
func (o Object) place(name string) string {
	if o.at == "" {
		return name
	}
	return o.at + "." + name
}

// Fail keeps a mismatch, whose sentence begins with the value's place.
func (v Value) Fail(what string) {
	if v.body.err != nil {
		return
	}
	at := v.at
	if at == "" {
		at = "the body"
	}
	v.body.err = fmt.Errorf("%s %s", at, what)
}

func (v Value) mismatch(want string) {
	if v.Given() {
		v.Fail("is " + described(v.raw) + ", and must be " + want)
	}
}

// described names a value, and shows it where it is short.
func described(raw []byte) string {
	switch raw[0] {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "the string " + shown(raw)
	case 't', 'f':
		return string(raw)
	default:
		return "the number " + shown(raw)
	}
}

// shown is the beginning of a text.
func shown(raw []byte) string {
	const most = 60
	if len(raw) <= most {
		return string(raw)
	}
	return strings.ToValidUTF8(string(raw[:most]), "") + "…"
}

// Given reports whether there is a value.
func (v Value) Given() bool { return v.raw != nil }

// is reports whether the value begins with one of these bytes, as every kind of
// value has its own.
func (v Value) is(first string) bool {
	return v.Given() && strings.IndexByte(first, v.raw[0]) >= 0
}

// IsText reports whether the value is a string.
func (v Value) IsText() bool { return v.is(`"`) }

// IsList reports whether the value is a list.
func (v Value) IsList() bool { return v.is("[") }

// IsObject reports whether the value is an object.
func (v Value) IsObject() bool { return v.is("{") }

// Text is a string.
func (v Value) Text() string { return v.textOr("a string") }

// Said is a content that is a string, where it could be a list of parts, too.
func (v Value) Said() string { return v.textOr("a string or a list") }

func (v Value) textOr(want string) string {
	if !v.IsText() {
		v.mismatch(want)
		return ""
	}
	if text, ok := providers.PlainString(v.raw); ok {
		return text
	}
	var text string
	v.decode(&text)
	return text
}

// Bool is true or false.
func (v Value) Bool() bool {
	if !v.is("tf") {
		v.mismatch("true or false")
	}
	return v.is("t")
}

// Number is a number, nil for none.
func (v Value) Number() *float64 {
	if !v.Given() {
		return nil
	}
	n, err := strconv.ParseFloat(string(v.raw), 64)
	if err != nil || !v.is("-0123456789") {
		v.mismatch("a number")
		return nil
	}
	return &n
}

// Int is an integer, nil for none.
func (v Value) Int() *int {
	n := v.Number()
	if n == nil {
		return nil
	}
	if whole := int(*n); *n > -1<<53 && *n < 1<<53 && float64(whole) == *n {
		return &whole
	}
	v.mismatch("an integer")
	return nil
}

// List is the elements of a list.
func (v Value) List() []Value {
	if !v.IsList() {
		v.mismatch("a list")
		return nil
	}
	var raws []json.RawMessage
	v.decode(&raws)
	list := make([]Value, len(raws))
	for i, raw := range raws {
		list[i] = Value{body: v.body, at: fmt.Sprintf("%s[%d]", v.at, i)}
		if string(raw) != "null" {
			list[i].raw = raw
		}
	}
	return list
}

// Object is an object.
func (v Value) Object() Object {
	o := Object{body: v.body, at: v.at}
	if !v.IsObject() {
		v.mismatch("an object")
		return o
	}
	v.decode(&o.fields)
	return o
}

// Objects are the elements of a list of objects.
func (v Value) Objects() []Object {
	var list []Object
	for _, e := range v.List() {
		if !e.Given() {
			e.Fail("is null, and must be an object")
		}
		list = append(list, e.Object())
	}
	return list
}

// Any is the value as it is, decoded, with numbers as [json.Number].
func (v Value) Any() any {
	if !v.Given() {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(v.raw))
	d.UseNumber()
	var decoded any
	if err := d.Decode(&decoded); err != nil {
		v.Fail("cannot be read: " + err.Error())
	}
	return decoded
}

// Arguments is the text of a call's arguments: a string as it is, an object as
// [ArgumentsText] has it.
func (v Value) Arguments() string {
	switch {
	case !v.Given(), v.IsText(), v.IsObject():
		return ArgumentsText(v.raw)
	}
	v.mismatch("an object, or a string of JSON")
	return ""
}

// Compact is the value's text without space between its tokens; of a string it
// is what the string says.
func (v Value) Compact() string {
	if v.IsText() {
		return v.Text()
	}
	var b bytes.Buffer
	_ = json.Compact(&b, v.raw) // what is raw is JSON
	return b.String()
}

// decode decodes what is known to be of the right kind.
func (v Value) decode(into any) {
	if err := providers.DecodeJSON(v.raw, into); err != nil {
		v.Fail("cannot be read: " + err.Error())
	}
}
