package lie

import (
	"errors"

	"github.com/scenario-lang/scenario/schema"
)

// A Lie is one way in which an answer is false.
type Lie struct {
	// Name, Summary, AlsoCalled, For, Attrs and Example are those of the kind of
	// fault that tells it.
	Name, Summary string
	AlsoCalled    []string
	For           []string
	Attrs         []schema.Attr
	Example       string
	// Tried are the arguments with which a search tries it.
	Tried []schema.Values
	// Recalls is where the answer is from that it gives again, and Without says why
	// there may be none.
	Recalls Source
	Without string
	// Words are an example of what it says where nothing tells what is right.
	Words string
	// NeedsArguments says that it goes by what was asked.
	NeedsArguments bool
	// Tell changes the content in place. An error of type [Powerless] says that
	// nothing of it can be false in this way; any other is about the arguments.
	// Nil says that it does not look at the answer.
	Tell func(args schema.Values, c *Content) error
}

// A Source is where a lie has an answer from.
type Source int

// The sources.
const (
	Nothing   Source = iota // it has none: it changes the answer at hand, or is one itself
	Here                    // what the same place was answered before
	Elsewhere               // what another place was answered last
)

// Lies are all of them, in the order of the reference.
func Lies() []*Lie {
	return []*Lie{StaleResponse, SwappedResponse, TruncatedList, WrongNumbers, WrongRecord, Contradiction, Refusal}
}

// everywhere is where answers can be false in most ways.
var everywhere = []string{"llm", "http", "mcp tool", "sql"}

// Powerless says why a lie cannot be told of an answer.
type Powerless string

// Error implements error.
func (p Powerless) Error() string { return string(p) }

// IsPowerless reports whether an error says that a lie cannot be told of an answer,
// and not that its arguments are wrong.
func IsPowerless(err error) bool {
	var p Powerless
	return errors.As(err, &p)
}

// A Content is what an answer says, in the parts that can be false.
type Content struct {
	// Documents are its pieces of text, each of JSON or words.
	Documents []*string
	// List is what the answer itself is a list of, nil for none.
	List *List
	// Table is what a statement returned, nil for none.
	Table *Table
	// Count is how many rows a statement says to have changed, nil for none.
	Count *int
	// Arguments are the strings and numbers of the request.
	Arguments []string
}

// A List can be cut.
type List struct {
	Len int
	Cut func(n int)
}

// A Table is what a statement returned. A value is nil, a bool, a json.Number or a
// float64, a string, or what a JSON document holds.
type Table struct {
	Columns []Column
	Rows    [][]any
	// Fits reports why a value is none of a column, nil where it is one.
	Fits func(column int, value any) error
}

// A Column is one of a table.
type Column struct{ Name, Type string }

// names are the list of names that an argument has, nil for all.
func names(args schema.Values, name string) []string {
	switch v := args[name].(type) {
	case []string:
		return v
	case []any:
		var list []string
		for _, e := range v {
			if s, ok := e.(string); ok {
				list = append(list, s)
			}
		}
		return list
	}
	return nil
}

// fieldsAttr is the argument that narrows a lie to members of some names.
func fieldsAttr(rest string) schema.Attr {
	return schema.Attr{Name: "fields", Type: schema.Strings, Doc: "The names of the members, or columns, that are false. " + rest}
}
