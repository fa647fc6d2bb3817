package mutate

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/itchyny/gojq"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/patterns"
)

// A document is a text in which changes are made: that of a file, or one that is written between quotation marks.
type document struct {
	file, declaration, keeps string
	// head is what stands before what is changed: the attribute, in a block of the program.
	head string
	src  []byte
	// text is what is written, and at the place in src of each byte of it and of its end. Without a list text is src.
	text string
	at   []int
	// escaped says that a text has escapes, as one between quotation marks has.
	escaped bool
	// calls are the functions that a program of jq calls.
	calls []inner.Builtin
	// json says that it is JSON and no expression of the language.
	json bool
}

// document is that of a file in which an expression is written.
func (l located) document() *document {
	p := &document{file: l.file.Path, declaration: l.declaration(), src: l.file.Source, keeps: l.attr.Name}
	if l.block != nil {
		p.head = l.attr.Name + ": "
	}
	return p
}

// place is where a byte of the text stands.
func (p *document) place(i int) int {
	if p.at == nil {
		return i
	}
	return p.at[i]
}

// part is a part of the text.
func (p *document) part(from, to int) string {
	if p.at == nil {
		return string(p.src[from:to])
	}
	return p.text[from:to]
}

// written is the text between quotation marks, or that of a heredoc, as it is without escapes; nil where something is
// put into it.
func (l located) written() *document {
	parts := []hclsyntax.Expression{l.Expression}
	if x, is := l.Expression.(*hclsyntax.TemplateExpr); is {
		parts = x.Parts
	}
	for _, part := range parts {
		if v, written := dsl.Literal(part); !written || !isText(v) {
			return nil
		}
	}
	p := l.document()
	rng := l.Range()
	raw := string(rng.SliceBytes(p.src))
	if strings.HasPrefix(raw, "<<") {
		first, last := strings.IndexByte(raw, '\n')+1, strings.LastIndexByte(strings.TrimRight(raw, " \t\r\n"), '\n')
		if first == 0 || last < first || strings.Contains(raw, "$${") || strings.Contains(raw, "%%{") {
			return nil
		}
		p.text = raw[first:last]
		for i := range len(p.text) + 1 {
			p.at = append(p.at, rng.Start.Byte+first+i)
		}
		return p
	}
	p.escaped = true
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return nil
	}
	var b strings.Builder
	put := func(at int, text string) {
		b.WriteString(text)
		for range len(text) {
			p.at = append(p.at, rng.Start.Byte+at)
		}
	}
	for i := 1; i < len(raw)-1; {
		n, text := 1, raw[i:i+1]
		rest := raw[i : len(raw)-1]
		switch {
		case strings.HasPrefix(rest, "$${") || strings.HasPrefix(rest, "%%{"):
			n, text = 3, rest[1:3]
		case rest[0] == '\\' && len(rest) > 1:
			n = 2
			switch rest[1] {
			case 'u':
				n = 6
			case 'U':
				n = 10
			}
			if n > len(rest) {
				return nil
			}
			value, err := strconv.Unquote(`"` + rest[:n] + `"`)
			if err != nil {
				return nil
			}
			text = value
		}
		put(i, text)
		i += n
	}
	p.text = b.String()
	p.at = append(p.at, rng.Start.Byte+len(raw)-1)
	return p
}

// spelled is a text as it has to be written in the document; ok is false where it cannot be.
func (p *document) spelled(text string) (string, bool) {
	switch {
	case p.at == nil:
		return text, true
	case !p.escaped:
		return text, !strings.Contains(text, "${") && !strings.Contains(text, "%{")
	}
	text = strconv.Quote(text)
	text = text[1 : len(text)-1]
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(text), !strings.Contains(text, `\x`) && utf8.ValidString(text)
}

// A variant is a change in a document.
type variant struct {
	*document
	change
}

// variantsMax is how many changes are made of one value at most, evenly of all of it.
const variantsMax = 100

// sample notes the changes of a value, no more than variantsMax, evenly of all of it.
func (w *world) sample(operator string, list []variant) {
	for i, v := range list {
		if len(list) > variantsMax && i*variantsMax/len(list) == (i+1)*variantsMax/len(list) {
			continue
		}
		if p, ok := v.placed(operator); ok {
			w.placed[v.file] = append(w.placed[v.file], p)
		}
	}
}

// placed is a change in the file of its document.
func (v variant) placed(operator string) (placed, bool) {
	with, ok := v.spelled(v.with)
	from, to := v.place(v.from), v.place(v.to)
	if missing := bytes.Count(v.src[from:to], []byte("\n")) - strings.Count(with, "\n"); missing > 0 && !v.escaped {
		with += strings.Repeat("\n", missing)
	}
	p := placed{
		operator: operator, declaration: v.declaration, what: v.head + v.what, keeps: v.keeps, from: from, to: to, with: with,
		rng: hcl.Range{Filename: v.file, Start: position(v.src, from), End: position(v.src, to)},
	}
	return p, ok && string(v.src[from:to]) != with
}

// position is the place of a byte.
func position(src []byte, at int) hcl.Pos {
	line := bytes.Count(src[:at], []byte("\n")) + 1
	return hcl.Pos{Line: line, Column: at - bytes.LastIndexByte(src[:at], '\n'), Byte: at}
}

// operatorOf is the operator whose changes a role has.
func operatorOf(r role) string {
	switch r {
	case asPattern, asMatch, asReplace:
		return "related"
	case asProgram:
		return "jq"
	case asTable, asData:
		return "data"
	case asFormat, asDate:
		return "format"
	}
	return "schema"
}

// changes are those of a text with a role.
func (p *document) changes(r role, path string) []variant {
	var list []variant
	text := p.text
	if p.at == nil {
		text = string(p.src)
	}
	switch r {
	case asData:
		if p.at == nil {
			return p.data()
		}
	case asSchema, asTold:
		p.json = true
		return schemaChanges(p.tree(), path, r == asTold)
	case asProgram:
		p.calls = inner.Builtins(text)
		for _, c := range inner.Changes("jq", text) {
			if parses(text, c.Apply(text)) {
				list = append(list, variant{p, change{what: strings.TrimPrefix(path+": "+c.Change, ": "), from: c.From, to: c.To, with: c.Text}})
			}
		}
	case asFormat, asDate:
		changes := formatChanges
		if r == asDate {
			changes = dateChanges
		}
		for _, c := range changes(text) {
			c.what = strings.TrimPrefix(path+": "+c.what, ": ")
			list = append(list, variant{p, c})
		}
	case asPattern, asMatch, asReplace:
		from, to := 0, len(text)
		if r == asReplace {
			if len(text) < 3 || text[0] != '/' || text[len(text)-1] != '/' {
				return nil
			}
			from, to = 1, len(text)-1
		}
		for _, c := range patterns.Changes(text[from:to], r == asMatch, brief) {
			list = append(list, variant{p, change{what: strings.TrimPrefix(path+": "+c.What, ": "), from: c.From + from, to: c.To + from, with: c.With}})
		}
	}
	return list
}

// A node is a value that is written as JSON or in the language, and where.
type node struct {
	*document
	from, to int
	// kind is '{', '[' or 0 for a value, which is nil where it is computed or null.
	kind  byte
	value any
	// parts are its members or elements.
	parts []*part
}

// A part is a member of an object or an element of a list.
type part struct {
	name                string
	from, nameTo, after int
	of                  *node
}

// leftOut are the changes that leave out one part.
func (n *node) leftOut(i int) (from, to int) {
	switch {
	case i+1 < len(n.parts):
		return n.parts[i].from, n.parts[i+1].from
	case !n.json: // a comma may be the last
		from, to = n.parts[i].from, n.parts[i].after
		for to < len(n.src) && (n.src[to] == ' ' || n.src[to] == '\t') {
			to++
		}
		if to < len(n.src) && n.src[to] == ',' {
			return from, to + 1
		}
		return from, n.parts[i].after
	case i > 0:
		return n.parts[i-1].after, n.parts[i].after
	}
	return n.parts[i].from, n.parts[i].after
}

// tree is the JSON of a text, nil where it is none.
func (p *document) tree() *node {
	text := p.part(0, p.length())
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	start := func() int {
		at := int(d.InputOffset())
		for at < len(text) && strings.IndexByte(" \t\r\n,:", text[at]) >= 0 {
			at++
		}
		return at
	}
	var read func(depth int) *node
	read = func(depth int) *node {
		n := &node{document: p, from: start()}
		t, err := d.Token()
		if err != nil || depth > nestedMax*10 {
			return nil
		}
		open, nested := t.(json.Delim)
		if !nested {
			n.to, n.value = int(d.InputOffset()), plain(t)
			return n
		}
		n.kind = byte(open)
		for d.More() {
			m := &part{from: start()}
			if open == '{' {
				t, err := d.Token()
				if err != nil {
					return nil
				}
				m.name, _ = t.(string)
				m.nameTo = int(d.InputOffset())
			}
			if m.of = read(depth + 1); m.of == nil {
				return nil
			}
			m.after = m.of.to
			n.parts = append(n.parts, m)
		}
		if _, err := d.Token(); err != nil {
			return nil
		}
		n.to = int(d.InputOffset())
		return n
	}
	return read(0)
}

func (p *document) length() int {
	if p.at == nil {
		return len(p.src)
	}
	return len(p.text)
}

func plain(t json.Token) any {
	if n, is := t.(json.Number); is {
		f, err := n.Float64()
		if err != nil {
			return nil
		}
		return f
	}
	return t
}

// node is a value that is written in the language, with the values of locals in it.
func (w *world) node(l located, depth int) *node {
	rng := l.Range()
	p := l.document()
	n := &node{document: p, from: rng.Start.Byte, to: rng.End.Byte}
	inner := func(e hclsyntax.Expression) *node {
		list := w.values(l.in(e), depth+1)
		if len(list) != 1 {
			r := e.Range()
			return &node{document: p, from: r.Start.Byte, to: r.End.Byte}
		}
		return w.node(list[0], depth+1)
	}
	if depth > nestedMax {
		return n
	}
	switch x := l.Expression.(type) {
	case *hclsyntax.ObjectConsExpr:
		n.kind = '{'
		for _, item := range x.Items {
			key, value := item.KeyExpr.Range(), item.ValueExpr.Range()
			n.parts = append(n.parts, &part{name: keyName(item.KeyExpr), from: key.Start.Byte, nameTo: key.End.Byte, after: value.End.Byte, of: inner(item.ValueExpr)})
		}
	case *hclsyntax.TupleConsExpr:
		n.kind = '['
		for _, e := range x.Exprs {
			value := e.Range()
			n.parts = append(n.parts, &part{from: value.Start.Byte, after: value.End.Byte, of: inner(e)})
		}
	case *hclsyntax.LiteralValueExpr:
		switch v := x.Val; {
		case v.IsNull():
		case v.Type() == cty.Number:
			n.value, _ = v.AsBigFloat().Float64()
		case v.Type() == cty.Bool:
			n.value = v.True()
		case v.Type() == cty.String:
			n.value = v.AsString()
		}
	case *hclsyntax.UnaryOpExpr:
		if v, written := dsl.Literal(x.Val); x.Op == hclsyntax.OpNegate && written && !v.IsNull() && v.Type() == cty.Number {
			f, _ := v.AsBigFloat().Float64()
			n.value = -f
		}
	}
	return n
}

// parses reports whether one program of jq is made another one, which has no function that there is not.
func parses(program, changed string) bool {
	before, err := gojq.Parse(program)
	if err != nil {
		return false
	}
	after, err := gojq.Parse(changed)
	if err != nil || before.String() == after.String() {
		return false
	}
	_, err = gojq.Compile(after)
	return err == nil
}
