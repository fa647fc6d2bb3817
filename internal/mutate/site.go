package mutate

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/schema"
)

// isProgram reports whether the blocks of a file of a type say what the program does; the
// others say what happens to it, and what must hold.
func isProgram(typ string) bool {
	switch typ {
	case "provider", "retry", "breaker", "rate_limit", "gateway", "fanout", "classifier", "lock", "registry", "actor", "workflow", "taxonomy", "bench":
		return true
	}
	return false
}

// A site is a block of a program, where something may be weakened.
type site struct {
	*dsl.Block
	src []byte
	// near knows the members of what the program is given; nil for nothing.
	near func() *members
	// stripped are the texts that the file takes off others.
	stripped []stripped
}

// leftAlone reports whether a block of a program, with all in it, stays as it is: what a dynamic block generates, and
// what answers the workflow of a bench.
func leftAlone(typ string) bool {
	switch typ {
	case "dynamic", "match", "on", "cassette":
		return true
	}
	return false
}

// sitesOf are the blocks of the program that a file declares, each before those in
// it.
func sitesOf(file *dsl.File) []*site {
	var list []*site
	var visit func(blocks []*dsl.Block)
	visit = func(blocks []*dsl.Block) {
		for _, b := range blocks {
			if leftAlone(b.Type) {
				continue
			}
			list = append(list, &site{Block: b, src: file.Source})
			visit(b.Blocks)
		}
	}
	for _, b := range file.Body.Blocks {
		if isProgram(b.Type) {
			visit([]*dsl.Block{b})
		}
	}
	return list
}

// localsOf are the locals of a file that a program reads, each as a block of its own.
func localsOf(file *dsl.File, read map[string]bool) []*site {
	var list []*site
	for _, b := range file.Body.All("locals") {
		for _, a := range b.Attrs {
			if read[a.Name] {
				list = append(list, &site{Block: &dsl.Block{Type: b.Type, Attrs: []*dsl.Attr{a}, DefRange: b.DefRange, End: b.End}, src: file.Source})
			}
		}
	}
	return list
}

// name is how a reader finds the block: step.answer, gateway.llm target.primary.
func (s *site) name() string {
	if s.Type == "locals" {
		return "local." + s.Attrs[0].Name
	}
	name := address(s.Block)
	if s.Type == "step" { // its name says enough
		return name
	}
	for b := s.Parent; b != nil && b.Type != ""; b = b.Parent {
		name = address(b) + " " + name
		if b.Type == "step" {
			break
		}
	}
	return name
}

// address is the type and the name of a block.
func address(b *dsl.Block) string {
	if b.Name() == "" || hclsyntax.ValidIdentifier(b.Name()) {
		return b.Address()
	}
	return b.Type + " " + strconv.Quote(b.Name())
}

// member is how a member of a value is read.
func member(of, name string) string {
	if hclsyntax.ValidIdentifier(name) {
		return of + "." + name
	}
	return of + "[" + quoted(name) + "]"
}

// header is where the block begins.
func (s *site) header() hcl.Range { return s.DefRange }

// whole is the range of the block.
func (s *site) whole() hcl.Range { return hcl.RangeBetween(s.DefRange, s.End) }

// source is what stands in a range.
func (s *site) source(rng hcl.Range) string {
	return string(s.src[rng.Start.Byte:rng.End.Byte])
}

// brief is what stands there on one line, and not for long.
func (s *site) brief(rng hcl.Range) string { return brief(s.source(rng)) }

func brief(text string) string {
	const most = 40
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > most {
		text = string(r[:most-1]) + "…"
	}
	return text
}

// drop takes an attribute away; there is none to take where it is not written.
func (s *site) drop(name string) []edit {
	a := s.Attr(name)
	if a == nil || isNull(a) {
		return nil
	}
	return []edit{{keeps: name, what: fmt.Sprintf("%s %s dropped", name, s.brief(a.Expr.Range())), rng: a.Range, text: blanked(s.src, a.Range)}}
}

func isNull(a *dsl.Attr) bool {
	v, literal := dsl.Literal(a.Expr)
	return literal && v.IsNull()
}

// dropBlock takes the block itself away.
func (s *site) dropBlock() []edit {
	return []edit{{what: "dropped", rng: s.header(), text: blanked(s.src, s.whole())}}
}

// set gives an attribute another value, shown as from what to what. One that is not
// written is added.
func (s *site) set(name, from, to string) []edit {
	e := edit{keeps: name, what: fmt.Sprintf("%s %s → %s", name, from, to), rng: s.header()}
	if a := s.Attr(name); a != nil {
		e.rng = a.Range
		e.text = replaced(s.src, a.Expr.Range(), to)
	} else {
		e.text = inserted(s.src, s.Block, name+" = "+to)
	}
	return []edit{e}
}

// literal is the value of an attribute as it is written, or its default; ok is false
// where it is computed, or there is none.
func (s *site) literal(name string) (v cty.Value, ok bool) {
	if a := s.Attr(name); a != nil {
		v, ok = dsl.Literal(a.Expr)
		return v, ok && !v.IsNull()
	}
	known := s.Schema.Attr(name)
	if known == nil || known.Default == "" {
		return cty.NilVal, false
	}
	if n, err := strconv.ParseFloat(known.Default, 64); err == nil {
		return cty.NumberFloatVal(n), true
	}
	if b, err := strconv.ParseBool(known.Default); err == nil {
		return cty.BoolVal(b), true
	}
	text, err := strconv.Unquote(known.Default)
	return cty.StringVal(text), err == nil
}

func isText(v cty.Value) bool { return !v.IsNull() && v.Type() == cty.String }

// number is the value of an attribute that is a literal number.
func (s *site) number(name string) (n float64, ok bool) {
	v, ok := s.literal(name)
	if !ok || v.Type() != cty.Number {
		return 0, false
	}
	n, _ = v.AsBigFloat().Float64()
	return n, true
}

// word is the value of an attribute that is a literal string.
func (s *site) word(name string) string {
	v, ok := s.literal(name)
	if !ok || v.Type() != cty.String {
		return ""
	}
	return v.AsString()
}

// duration is the value of an attribute that is a literal duration.
func (s *site) duration(name string) (time.Duration, bool) {
	return schema.ParseDuration(s.word(name))
}

// plus adds to a number, also to one that is computed, of which more must be left
// than least.
func (s *site) plus(name string, add int, least float64) []edit {
	n, ok := s.number(name)
	switch a := s.Attr(name); {
	case ok && n+float64(add) < least:
		return nil
	case ok:
		return s.set(name, shown(n), shown(n+float64(add)))
	case a != nil && !isNull(a):
		from := s.brief(a.Expr.Range())
		return s.set(name, from, fmt.Sprintf("(%s) %+d", s.source(a.Expr.Range()), add))
	}
	return nil
}

// twice doubles a literal duration.
func (s *site) twice(name string) []edit {
	d, ok := s.duration(name)
	if !ok || d == 0 {
		return nil
	}
	return s.set(name, strconv.Quote(s.word(name)), strconv.Quote((2 * d).String()))
}

func shown(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
