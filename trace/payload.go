package trace

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sort"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A Payload is what an event says beside its place and time: a pointer to a
// struct whose fields are the attributes. A field's tags are all there is to
// an attribute:
//
//	type RetryWait struct {
//		Delay  time.Duration `attr:"delay_ns,always" doc:"how long it waits"`
//		Policy string        `attr:"policy" doc:"name of the retry policy"`
//	}
//
// The tag attr names the key, then options: always for one that is there also
// when it is zero, outside for one that carries what came from outside of the
// engine (a variable, a scenario, a request or an answer) and is hidden where
// secrets are. The tag doc is its sentence in the reference, and type its
// type there where the field's own does not tell. A zero field without always
// is left out, and so are an empty list, a nil pointer and what is [Absent].
// Embedded structs give their attributes; of two with one key the outer one
// counts.
//
// A payload belongs to its event once that is appended and must not be changed.
type Payload interface {
	// EventType is the type of the events that carry it, "" for one that fits
	// several.
	EventType() Type
}

// Attrs is a payload without a type of its own: the attributes in a list, by
// key. Tests use it, and events of a file that say what no payload knows.
type Attrs []Attr

// EventType implements Payload.
func (Attrs) EventType() Type { return "" }

// An Absent value may say that it is not there.
type Absent interface{ Absent() bool }

// A Nullable value may hold members that are null, which the canonical encoding
// leaves out. It adds their places to a list, each beginning with at, and puts
// them back when it is read.
type Nullable interface {
	AppendNulls(list []string, at string) []string
	SetNulls(places []string)
}

// nullsKey is the attribute that lists the null members of all others.
const nullsKey = "nulls"

var nullsInfo = AttrInfo{nullsKey, "list", "members of the other attributes that are null, as JSON pointers; the encoding leaves them out"}

// codec is how payloads of one type are encoded and read.
type codec struct {
	of       reflect.Type // of the struct
	fields   []field      // sorted by key
	nullable []int        // of fields
	outside  bool         // any of them is
}

// field is one attribute of a payload.
type field struct {
	AttrInfo
	path            []int
	typ             reflect.Type
	always, outside bool
}

var codecs sync.Map // of *codec by the type of the pointer

func codecOf(p Payload) *codec {
	t := reflect.TypeOf(p)
	if c, ok := codecs.Load(t); ok {
		return c.(*codec)
	}
	c, _ := codecs.LoadOrStore(t, newCodec(t.Elem()))
	return c.(*codec)
}

func newCodec(t reflect.Type) *codec {
	c := &codec{of: t}
	c.add(t, nil)
	sort.SliceStable(c.fields, func(i, j int) bool {
		a, b := c.fields[i], c.fields[j]
		return cmp.Or(strings.Compare(a.Name, b.Name), len(a.path)-len(b.path)) < 0
	})
	c.fields = slices.CompactFunc(c.fields, func(a, b field) bool { return a.Name == b.Name })
	nullable := reflect.TypeFor[Nullable]()
	for i, f := range c.fields {
		if f.typ.Implements(nullable) || reflect.PointerTo(f.typ).Implements(nullable) {
			c.nullable = append(c.nullable, i)
		}
		c.outside = c.outside || f.outside
	}
	return c
}

func (c *codec) add(t reflect.Type, path []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(slices.Clone(path), i)
		tag, ok := f.Tag.Lookup("attr")
		if !ok {
			if f.Anonymous {
				part := f.Type
				if part.Kind() == reflect.Pointer {
					part = part.Elem()
				}
				c.add(part, at)
			}
			continue
		}
		options := strings.Split(tag, ",")
		c.fields = append(c.fields, field{
			AttrInfo: AttrInfo{Name: options[0], Type: typeName(f), Doc: f.Tag.Get("doc")}, path: at, typ: f.Type,
			always: slices.Contains(options, "always"), outside: slices.Contains(options, "outside"),
		})
	}
}

// typeName is what the reference calls the type of a field.
func typeName(f reflect.StructField) string {
	if name, ok := f.Tag.Lookup("type"); ok {
		return name
	}
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == reflect.TypeFor[time.Duration]() {
		return "duration"
	}
	switch t.Kind() {
	case reflect.String:
		return "string"
	case reflect.Bool:
		return "bool"
	case reflect.Int:
		return "int"
	case reflect.Float64:
		return "number"
	case reflect.Slice:
		return "list"
	case reflect.Map:
		return "object"
	}
	return "any"
}

// value is a field of a payload, the zero Value where it is not set.
func (f *field) value(v reflect.Value) reflect.Value {
	for _, i := range f.path {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	if f.isAbsent(v) {
		return reflect.Value{}
	}
	return v
}

func (f *field) isAbsent(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice:
		if v.Len() > 0 {
			return false
		}
		if a, ok := v.Addr().Interface().(Absent); ok {
			return a.Absent()
		}
		return !f.always
	case reflect.String, reflect.Map:
		return v.Len() == 0 && !f.always
	case reflect.Float64:
		n := v.Float()
		return n == 0 && !f.always || math.IsNaN(n) || math.IsInf(n, 0)
	case reflect.Pointer, reflect.Interface:
		return v.IsNil()
	case reflect.Struct:
		a, ok := v.Addr().Interface().(Absent)
		return ok && a.Absent()
	}
	return v.IsZero() && !f.always
}

// boxed is a field as generic readers get it: a plain value, or one that
// encodes itself.
func boxed(v reflect.Value) any {
	switch v.Kind() {
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return v.Bool()
	case reflect.Int:
		return int(v.Int())
	case reflect.Int64:
		return time.Duration(v.Int())
	case reflect.Float64:
		return v.Float()
	case reflect.Pointer:
		return boxed(v.Elem())
	case reflect.Slice:
		if list := reflect.TypeFor[[]string](); v.CanConvert(list) && v.Type().Elem().Kind() == reflect.String {
			return v.Convert(list).Interface()
		}
	}
	return v.Interface()
}

// appendField encodes a field without making an interface of what is plain.
func appendField(dst []byte, v reflect.Value) []byte {
	switch v.Kind() {
	case reflect.String:
		return AppendString(dst, v.String())
	case reflect.Bool:
		return strconv.AppendBool(dst, v.Bool())
	case reflect.Int, reflect.Int64:
		return strconv.AppendInt(dst, v.Int(), 10)
	case reflect.Float64:
		return AppendFloat(dst, v.Float())
	case reflect.Pointer:
		return appendField(dst, v.Elem())
	case reflect.Struct, reflect.Slice, reflect.Map:
		if own, ok := v.Addr().Interface().(Value); ok {
			return own.AppendJSON(dst)
		}
	}
	return AppendValue(dst, v.Interface())
}

// find is the field of a key, nil for none.
func (c *codec) find(key string) *field {
	i, ok := slices.BinarySearchFunc(c.fields, key, func(f field, key string) int { return strings.Compare(f.Name, key) })
	if !ok {
		return nil
	}
	return &c.fields[i]
}

// asNullable is a field that may hold members that are null.
func asNullable(v reflect.Value) Nullable {
	if v.Kind() != reflect.Pointer {
		v = v.Addr()
	}
	return v.Interface().(Nullable)
}

// nulls lists the members of a payload that are null.
func (c *codec) nulls(v reflect.Value) []string {
	var list []string
	for _, i := range c.nullable {
		f := &c.fields[i]
		if part := f.value(v); part.IsValid() {
			list = asNullable(part).AppendNulls(list, "/"+f.Name)
		}
	}
	return list
}

// each gives the attributes that are set, sorted by key.
func (c *codec) each(p Payload, yield func(f *field, v reflect.Value)) {
	v := reflect.ValueOf(p).Elem()
	nulls := c.nulls(v)
	for i := range c.fields {
		f := &c.fields[i]
		if nulls != nil && f.Name > nullsKey {
			yield(&nullsField, reflect.ValueOf(&nulls).Elem())
			nulls = nil
		}
		if part := f.value(v); part.IsValid() {
			yield(f, part)
		}
	}
	if nulls != nil {
		yield(&nullsField, reflect.ValueOf(&nulls).Elem())
	}
}

var nullsField = field{AttrInfo: nullsInfo}

func (c *codec) appendMembers(dst []byte, p Payload) []byte {
	c.each(p, func(f *field, v reflect.Value) {
		dst = append(AppendString(append(dst, ','), f.Name), ':')
		dst = appendField(dst, v)
	})
	return dst
}

func (c *codec) attrs(p Payload) []Attr {
	list := make([]Attr, 0, len(c.fields))
	c.each(p, func(f *field, v reflect.Value) { list = append(list, Attr{f.Name, boxed(v)}) })
	return list
}

func (c *codec) attr(p Payload, key string) any {
	v := reflect.ValueOf(p).Elem()
	if f := c.find(key); f != nil {
		if part := f.value(v); part.IsValid() {
			return boxed(part)
		}
		return nil
	}
	if key == nullsKey {
		if nulls := c.nulls(v); nulls != nil {
			return nulls
		}
	}
	return nil
}

// A Hider says what may be shown of an attribute that came from outside. It
// must give the same each time.
type Hider interface {
	Show(key string, v any) any
}

// hidden is a payload of which not all is shown. It is looked through only when
// it is read.
type hidden struct {
	payload Payload
	by      Hider
}

// EventType implements Payload.
func (h *hidden) EventType() Type { return h.payload.EventType() }

func (h *hidden) attr(key string) any {
	v := attrOf(h.payload, key)
	if v == nil || !isOutside(h.payload, key) {
		return v
	}
	return h.by.Show(key, v)
}

func (h *hidden) attrs() []Attr {
	list := slices.Clone(attrsOf(h.payload))
	for i := range list {
		if a := &list[i]; a.Value != nil && isOutside(h.payload, a.Key) {
			a.Value = h.by.Show(a.Key, a.Value)
		}
	}
	return list
}

func isOutside(p Payload, key string) bool {
	switch p := p.(type) {
	case Attrs:
		return true
	case *hidden:
		return isOutside(p.payload, key)
	}
	if key == nullsKey {
		return false
	}
	f := codecOf(p).find(key)
	return f == nil || f.outside
}

// Hide puts a hider between the attributes of an event that came from outside
// and whoever reads them. Types and names, times and numbers are the engine's
// and stay as they are.
func (e *Event) Hide(by Hider) {
	switch p := e.Payload.(type) {
	case nil:
		return
	case Attrs, *hidden:
	default:
		c := codecOf(p)
		if !c.outside || !c.carries(p) {
			return
		}
	}
	e.Payload = &hidden{e.Payload, by}
}

// Beneath is a payload without what hides its attributes. It is for who counts and
// compares, and shows nothing of it.
func Beneath(p Payload) Payload {
	if h, is := p.(*hidden); is {
		return h.payload
	}
	return p
}

// carries reports whether a payload has anything from outside.
func (c *codec) carries(p Payload) bool {
	v := reflect.ValueOf(p).Elem()
	for i := range c.fields {
		if f := &c.fields[i]; f.outside && f.value(v).IsValid() {
			return true
		}
	}
	return false
}

func attrOf(p Payload, key string) any {
	switch p := p.(type) {
	case nil:
		return nil
	case Attrs:
		for i := range p {
			if p[i].Key == key {
				return p[i].Value
			}
		}
		return nil
	case *hidden:
		return p.attr(key)
	}
	return codecOf(p).attr(p, key)
}

// textOf is an attribute: as plain text where a payload has it as one, which
// spares making an interface of it, else as a value.
func textOf(p Payload, key string) (value any, text string) {
	switch p.(type) {
	case nil, Attrs, *hidden:
		return attrOf(p, key), ""
	}
	f := codecOf(p).find(key)
	if f == nil || f.typ.Kind() != reflect.String {
		return attrOf(p, key), ""
	}
	if v := f.value(reflect.ValueOf(p).Elem()); v.IsValid() {
		return nil, v.String()
	}
	return nil, ""
}

func attrsOf(p Payload) []Attr {
	switch p := p.(type) {
	case nil:
		return nil
	case Attrs:
		return p
	case *hidden:
		return p.attrs()
	}
	return codecOf(p).attrs(p)
}

func appendMembers(dst []byte, p Payload) []byte {
	switch p := p.(type) {
	case nil:
		return dst
	case Attrs, *hidden:
		for _, a := range attrsOf(p) {
			if !isNull(a.Value) {
				dst = append(AppendString(append(dst, ','), a.Key), ':')
				dst = AppendValue(dst, a.Value)
			}
		}
		return dst
	}
	return codecOf(p).appendMembers(dst, p)
}

// Describe returns the description of the type of event that a payload is of,
// for the reference.
func Describe(p Payload, doc string) TypeInfo {
	c := codecOf(p)
	info := TypeInfo{Type: p.EventType(), Doc: doc, Attrs: make([]AttrInfo, 0, len(c.fields)+1)}
	nulls := c.nullable != nil
	for _, f := range c.fields { // in the order of their names
		if nulls && nullsInfo.Name < f.Name {
			info.Attrs, nulls = append(info.Attrs, nullsInfo), false
		}
		info.Attrs = append(info.Attrs, f.AttrInfo)
	}
	if nulls {
		info.Attrs = append(info.Attrs, nullsInfo)
	}
	return info
}

// misnamed says why a payload cannot be one of an event of a type.
func misnamed(e *Event) error {
	if e.Payload == nil || e.Payload.EventType() == "" || e.Payload.EventType() == e.Type {
		return nil
	}
	return fmt.Errorf("event %d of type %s has the payload of %q", e.Seq, e.Type, e.Payload.EventType())
}
