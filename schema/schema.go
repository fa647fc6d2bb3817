package schema

import "slices"

// A Type says what an attribute holds.
type Type uint8

const (
	// Any is any value.
	Any Type = iota
	String
	Number
	Int // an integer
	Bool
	// Duration is a string such as "5s", "250ms", "1h30m" or "2d".
	Duration
	// Strings is a tuple of strings.
	Strings
	// Map is an object of any values.
	Map
	// StringMap is an object of strings.
	StringMap
	// Ref is a reference to a declaration, such as provider.primary. The block
	// types it may refer to are in Attr.Refs.
	Ref
	// Refs is a tuple of references.
	Refs
	// Expr is an expression that is evaluated while the scenario runs, or
	// after it; the decoder keeps it as it is.
	Expr
)

// An Attr describes one attribute of a block, or one argument of a fault kind.
type Attr struct {
	Name     string
	Type     Type
	Required bool
	// Default is how the default value is written in the language, "" where
	// there is none.
	Default string
	Doc     string
	// OneOf lists the allowed strings, where only some are.
	OneOf []string
	// BareWords says that one of them may stand without quotes.
	BareWords bool
	// Refs lists the block types that a Ref or Refs may refer to, or that the
	// text of a String or Strings names.
	Refs []string
	// Addresses says that the text is an address, as the label of a script is.
	Addresses bool
	// Takes are the kinds of values that an attribute of type Expr can use, nil for any.
	Takes []ShapeKind
	// Runtime marks an attribute of another type than Expr whose expression
	// may refer to what only exists while the scenario runs.
	Runtime bool
	// Min and Max bound a number, where HasMin and HasMax say so; for a
	// duration they are in seconds.
	Min, Max       float64
	HasMin, HasMax bool
	// AboveMin says that Min itself is not allowed.
	AboveMin bool
	// Refused marks an attribute that means nothing on a block of this kind, but
	// something on its siblings. The compiler refuses it with a message of its
	// own; the reference, completion and suggestions leave it out.
	Refused bool
}

// A Block describes a block type.
type Block struct {
	Type string
	// Labels names the labels, in order.
	Labels []string
	// Kinds, where not nil, holds the description that depends on the first
	// label (the kind of a step, a provider, a fault), in place of Attrs.
	Kinds []*Block
	// Kind is the first label that this description belongs to.
	Kind  string
	Attrs []Attr
	// Blocks are the nested block types.
	Blocks []*Block
	// Open allows attributes of any name.
	Open bool
	// Max is how often the block may occur in its parent, 0 for any number;
	// Min is how often it must.
	Min, Max int
	Doc      string
}

// Listed are the attributes that can be given: all but the refused ones.
func (b *Block) Listed() []Attr {
	return slices.DeleteFunc(slices.Clone(b.Attrs), func(a Attr) bool { return a.Refused })
}

// Attr returns the attribute of that name, or nil.
func (b *Block) Attr(name string) *Attr {
	for i := range b.Attrs {
		if b.Attrs[i].Name == name {
			return &b.Attrs[i]
		}
	}
	return nil
}

// Block returns the nested block type of that name, or nil.
func (b *Block) Block(name string) *Block {
	for _, n := range b.Blocks {
		if n.Type == name {
			return n
		}
	}
	return nil
}

// ForKind returns the description for a first label, b itself where the block
// has no kinds, and nil for an unknown kind.
func (b *Block) ForKind(kind string) *Block {
	if b.Kinds == nil {
		return b
	}
	for _, k := range b.Kinds {
		if k.Kind == kind {
			return k
		}
	}
	return nil
}

// Values are evaluated attributes in Go's own types: string, float64, int,
// bool, time.Duration, []string, map[string]string, map[string]any, []any,
// nil. An attribute that was not given and has no default is absent.
type Values map[string]any
