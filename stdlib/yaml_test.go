package stdlib_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	ctyyaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/stdlib"
)

func yamldecode(text string) (cty.Value, error) {
	return stdlib.Functions()["yamldecode"].Call([]cty.Value{cty.StringVal(text)})
}

// plain are scalars as they are written: each kind, and what almost is of it.
var plain = strings.Fields(`x foo y Y yes no No n on Off OFF true TRUE tRUE false ~ null Null nULL
	0 1 -1 +7 12345678901234567890123 007 0o17 0o18 0x1F 0xg 1_000 1.5 -.5 +.5 .5 5. 1e3 1E-3 1.e2 . .. .5.5 1.2.3 --1 +
	.inf -.INF +.Inf .Infinity inf -inf 0b11 12:30:45 1e 0x
	2001-12-14 2001-12-14T21:59:43Z 2001-1-2t3:4:5+02:00 2001-13-01 2001-12-14T 2001- 20011-12-14
	é a#b a:b http://x/y?z=1 <<x =  'no' '12' "null" "yes" "a\tb\u00e9" 'it''s' ""
	!!str\ 12 !!str\ no !!bool\ on !!null\ ~ !!int\ 7 !!int\ 0x7 !!float\ 1.5 !!float\ 3 !!timestamp\ 2001-12-14 !!binary\ aGk=`)

type writer struct {
	*rand.Rand
	anchors int
	out     strings.Builder
}

// flow writes a value within one line.
func (w *writer) flow(depth int) string {
	switch n := w.IntN(10); {
	case depth > 0 && n < 2:
		items := make([]string, w.IntN(4))
		for i := range items {
			items[i] = w.flow(depth - 1)
		}
		return "[" + strings.Join(items, ", ") + "]"
	case depth > 0 && n < 4:
		items := make([]string, w.IntN(4))
		for i := range items {
			items[i] = w.key() + ": " + w.flow(depth-1)
		}
		return "{" + strings.Join(items, ", ") + "}"
	case n < 5 && w.anchors > 0:
		return fmt.Sprintf("*a%d ", w.IntN(w.anchors))
	}
	return w.scalar()
}

func (w *writer) scalar() string { return strings.ReplaceAll(plain[w.IntN(len(plain))], `\ `, " ") }

func (w *writer) key() string { return w.scalar() }

// block writes a mapping or a sequence over lines. A value is anchored once it ended.
func (w *writer) block(indent string, depth int) {
	sequence := w.IntN(2) == 0
	for range 1 + w.IntN(4) {
		if sequence {
			w.out.WriteString(indent + "-")
		} else {
			w.out.WriteString(indent + w.key() + ":")
		}
		switch n := w.IntN(6); {
		case depth > 0 && n < 2:
			w.out.WriteString("\n")
			w.block(indent+"  ", depth-1)
		case n == 2:
			text := w.flow(2)
			if !strings.HasPrefix(text, "*") {
				w.out.WriteString(fmt.Sprintf(" &a%d", w.anchors))
			}
			w.out.WriteString(" " + text + " # said\n")
			if !strings.HasPrefix(text, "*") {
				w.anchors++
			}
		default:
			w.out.WriteString(" " + w.flow(2) + "\n")
		}
	}
}

// Tests that yamldecode reads what Terraform's reads, which is that of the library of cty,
// and refuses what that refuses.
func TestYAMLIsThatOfCty(t *testing.T) {
	read := 0
	for seed := range uint64(20_000) {
		w := &writer{Rand: rand.New(rand.NewPCG(seed, 1))}
		w.block("", 3)
		text := w.out.String()
		want, wrong := ctyyaml.Standard.Unmarshal([]byte(text), cty.DynamicPseudoType)
		got, err := yamldecode(text)
		if (err == nil) != (wrong == nil) {
			t.Fatalf("%s\nthe error is %v\nand the library's %v", text, err, wrong)
		}
		if err == nil && !got.RawEquals(want) {
			t.Fatalf("%s\nis %#v\nand to the library\n%#v", text, got, want)
		}
		if err == nil {
			read++
		}
	}
	if read < 5_000 {
		t.Errorf("only %d of the texts were read", read)
	}
}

// Tests where yamldecode keeps to the specification and the library of cty does not.
func TestYAMLOfTheSpecification(t *testing.T) {
	number, text := cty.NumberIntVal, cty.StringVal
	rows := []struct {
		text string
		is   cty.Value
		why  string
	}{
		{"|-\n  12\n", text("12"), "YAML 1.2.2, 10.3.2: only plain scalars are resolved"},
		{">-\n  yes\n", text("yes"), "as above"},
		{"!!int '12'", number(12), "YAML 1.2.2, 6.9.1: a tag says what a node is"},
		{"0xFFFFFFFFFFFFFFFFFF", cty.MustParseNumberVal("4722366482869645213695"), "YAML 1.2.2, 10.3.2: no bound"},
		{"<<: {a: 1, b: 2}\na: 3\n", cty.ObjectVal(map[string]cty.Value{"a": number(3), "b": number(2)}), "merge: own keys win"},
		{"a: 3\n<<: {a: 1, b: 2}\n", cty.ObjectVal(map[string]cty.Value{"a": number(3), "b": number(2)}), "merge: wherever they stand"},
		{"<<: [{a: 1}, {a: 2, b: 2}]\n", cty.ObjectVal(map[string]cty.Value{"a": number(1), "b": number(2)}), "merge: earlier mappings win"},
		{"\"<<\": {a: 1}\n", cty.ObjectVal(map[string]cty.Value{"<<": cty.ObjectVal(map[string]cty.Value{"a": number(1)})}), "only plain scalars are resolved"},
	}
	for _, r := range rows {
		if v, err := yamldecode(r.text); err != nil || !v.RawEquals(r.is) {
			t.Errorf("%q is %#v, %v, and not %#v (%s)", r.text, v, err, r.is, r.why)
		}
	}
}
