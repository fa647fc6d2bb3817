package help

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/schema"
)

// A Class is a sort of words that are explained.
type Class string

// The classes, as they are typed after scenario help.
const (
	Fault Class = "fault"
	Gate  Class = "gate"
	Kind  Class = "kind"
)

// Classes lists them.
func Classes() []Class { return []Class{Fault, Gate, Kind} }

// ClassOf is the class that a word typed after scenario help means, in the
// singular or the plural; false where it means none.
func ClassOf(word string) (c Class, ok bool) {
	i := slices.IndexFunc(Classes(), func(c Class) bool { return word == string(c) || word == string(c)+"s" })
	if i < 0 {
		return "", false
	}
	return Classes()[i], true
}

// Find lists the classes that have a word, for one that is asked for by itself.
func Find(name string) []Class {
	return slices.DeleteFunc(Classes(), func(c Class) bool { return !slices.Contains(Names(c), name) })
}

// A Topic is one word that is explained.
type Topic struct{ Name, Summary string }

// About says what the words of a class are.
func (c Class) About() string {
	switch c {
	case Fault:
		return "Kinds of fault, for fault \"KIND\" { … } in a script"
	case Gate:
		return "Gates: checks that a green is green for the right reason"
	}
	return "Kinds of step, for step \"KIND\" \"NAME\" { … } in a workflow"
}

// Topics lists what can be asked for in a class.
func Topics(c Class) []Topic {
	var list []Topic
	switch c {
	case Fault:
		for _, k := range faults.Kinds() {
			list = append(list, Topic{k.Name, k.Summary})
		}
	case Gate:
		for _, g := range interp.GateTable() {
			list = append(list, Topic{g.Name, g.Means})
		}
	case Kind:
		for _, b := range steps() {
			list = append(list, Topic{b.Kind, b.Doc})
		}
	}
	return list
}

// steps are the kinds of steps as the language declares them.
func steps() []*schema.Block { return language.StepBlock().Kinds }

// Text explains a word; false where the class has none of that name.
func Text(c Class, name string) (text string, ok bool) {
	switch c {
	case Fault:
		if k := faults.Lookup(name); k != nil {
			return faultText(k), true
		}
	case Gate:
		for _, g := range interp.GateTable() {
			if g.Name == name {
				return gateText(g), true
			}
		}
	case Kind:
		for _, b := range steps() {
			if b.Kind == name {
				return kindText(b), true
			}
		}
	}
	return "", false
}

// Example is the file that the text of a word shows, and the files beside it, by
// name. It compiles; one of a fault or of a kind of step passes.
func Example(c Class, name string) (source string, files map[string]string) {
	if c == Fault {
		return faultExample(faults.Lookup(name)), nil
	}
	return example(c, name)
}

// Names lists the names of a class.
func Names(c Class) []string {
	var names []string
	for _, t := range Topics(c) {
		names = append(names, t.Name)
	}
	return names
}

// List is the text about a class: its words, a line for each.
func List(c Class) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.\n\n", c.About())
	width := 0
	for _, name := range Names(c) {
		width = max(width, len(name))
	}
	for _, t := range Topics(c) {
		b.WriteString(wrapped(fmt.Sprintf("  %-*s  ", width, t.Name), t.Summary))
	}
	fmt.Fprintf(&b, "\n\"scenario help %s NAME\" explains one, with an example.\n", c)
	return b.String()
}

// lineWidth is how wide lines of text are at most.
const lineWidth = 90

// wrapped breaks a text into lines below each other, the first behind some
// words of its own.
func wrapped(first, text string) string {
	var b strings.Builder
	indent := strings.Repeat(" ", len(first))
	line, empty := first, true
	for _, word := range strings.Fields(text) {
		switch {
		case empty:
			line, empty = line+word, false
		case len([]rune(line))+1+len([]rune(word)) > lineWidth:
			b.WriteString(strings.TrimRight(line, " ") + "\n")
			line = indent + word
		default:
			line += " " + word
		}
	}
	b.WriteString(strings.TrimRight(line, " ") + "\n")
	return b.String()
}

// indented puts a file below a text.
func indented(source string) string {
	var b strings.Builder
	for line := range strings.Lines(source) {
		if line != "\n" {
			line = "  " + line
		}
		b.WriteString(line)
	}
	return b.String()
}

// arguments describes attributes, the required ones first.
func arguments(b *strings.Builder, attrs []schema.Attr) {
	attrs = slices.Clone(attrs)
	slices.SortStableFunc(attrs, func(x, y schema.Attr) int {
		switch {
		case x.Required == y.Required:
			return 0
		case x.Required:
			return -1
		}
		return 1
	})
	for i := range attrs {
		a := &attrs[i]
		said := a.TypeName()
		switch {
		case a.Required:
			said += ", required"
		case a.Default != "":
			said += ", default " + a.Default
		}
		if len(a.OneOf) > 0 {
			said += ", one of " + strings.Join(a.OneOf, ", ")
		}
		b.WriteString(wrapped("  "+a.Name+"  ", "("+said+") "+a.Doc))
	}
}
