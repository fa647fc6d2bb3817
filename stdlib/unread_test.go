package stdlib_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/stdlib"
)

// Tests that a text which cannot be read names the place where a person would look.
func TestWhereATextCannotBeRead(t *testing.T) {
	rows := []struct{ function, text, says string }{
		{"jsondecode", "{\"path\": \"/x\",\n \"b\": 1,\n}", "in line 3, column 1, of the text: JSON has no comma before '}'"},
		{"jsondecode", "[1, 2,]", "in column 7: JSON has no comma before ']'"},
		{"jsondecode", "{'a': 1}", "in column 2: texts in JSON are in double quotes"},
		{"jsondecode", `{"a": True}`, "in column 7: no value begins with 'T': texts are in double quotes, and the words are true, false and null"},
		{"jsondecode", `{"é" 1}`, "in column 6: a colon is missing before '1'"},
		{"jsondecode", `{"a": 1 "b": 2}`, `in column 9: a comma is missing before '"'`},
		{"jsondecode", `[1 2]`, "in column 4: a comma is missing before '2'"},
		{"jsondecode", `{é: 1}`, "in column 2: a key in double quotes belongs here, and not 'é'"},
		{"jsondecode", `{"a": 1} x`, "in column 10: the value has ended before 'x', and a text has one value"},
		{"jsondecode", "{\"a\": 1, // one\n}", "in line 1, column 10, of the text: JSON has no comments"},
		{"jsondecode", "# head\n{}", "in line 1, column 1, of the text: JSON has no comments"},
		{"jsondecode", " \n", "the text is empty"},
		{"jsondecode", `{"a": [1,`, "the text ends before its JSON does: a bracket or a quote is not closed"},
		// The lines were counted by hand.
		{"yamldecode", "a:\n  b: [1, 2\nc: 1\n", "in line 3 of the text: did not find expected ',' or ']'"},
		{"yamldecode", "path: /x\nb:\n  - id: 1\n   name: 2\nfoo: 1\n", "in line 4 of the text: did not find expected '-' indicator"},
		{"yamldecode", "a: 1\nb: x: y\n", "in line 2 of the text: mapping values are not allowed in this context"},
		{"yamldecode", "a: 1\n\tb: 2\n", "in line 2 of the text: found a tab character that violates indentation"},
		{"yamldecode", "a: 1\n- b\n", "in line 2 of the text: did not find expected key"},
		{"yamldecode", "a: \"x\nb: 1\n", "at the end of the text: found unexpected end of stream"},
		{"yamldecode", "a: {x: 1\n", "at the end of the text: did not find expected ',' or '}'"},
		{"yamldecode", "x: !foo!a 1\n", "in line 1 of the text: found undefined tag handle"},
		{"yamldecode", "k: @x\n", "in line 1 of the text: found character that cannot start any token"},
		// A value above the mistake is not told.
		{"yamldecode", "pin: !!int hunter2\nb: x: y\n", "in line 2 of the text: mapping values are not allowed in this context"},
		{"yamldecode", "a: !Ref x\nb: x: y\n", "in line 2 of the text: mapping values are not allowed in this context"},
		// Of the construct that has the mistake only the beginning is known where it does not
		// stand by itself from its line on.
		{"yamldecode", "a:\n  - - 1\n    - {x: [1,\n     }\n", "in line 4 of the text: did not find expected node content"},
		{"yamldecode", "a:\n  b: &x 1\n  c: [*x,\n    2\nd: 3\n", "in what begins in line 3 of the text: did not find expected ',' or ']'"},
		{"yamldecode", "a: b\n...\nfoo\n", "in line 3 of the text: did not find expected <document start>"},
		{"yamldecode", "a: 1\nb: \x01\n", "in line 2 of the text: control characters are not allowed"},
		{"yamldecode", "a: 1\nb: *x\n", "unknown anchor 'x' referenced"},
		// What is read and has no value.
		{"yamldecode", "# nothing\n", "the text has no value"},
		{"yamldecode", "a: 1\n---\nb: 2\n", "in line 2 of the text: a second document begins, and a text has one"},
		{"yamldecode", "a: 1\nb: !!int hunter2\n", "in line 2 of the text: the value is not what its tag !!int says"},
		{"yamldecode", "a: 1\nb: !!bool 1\n", "in line 2 of the text: the value is not what its tag !!bool says"},
		{"yamldecode", "a: 1\n~: 2\n", "in line 2 of the text: a key is not null"},
		{"yamldecode", "a: 1\n[hunter2]: 2\n", "in line 2 of the text: a key is a text, and neither a mapping, a sequence nor an alias"},
		{"yamldecode", "a: 1\n<<: [{b: 1}, hunter2]\n", "in line 2 of the text: only mappings and sequences of them are merged with <<"},
		{"yamldecode", "a: !!set {b}\n", "in line 1 of the text: a mapping has a tag that is not !!map, and no value stands for it"},
		{"yamldecode", "a: .nan\n", "in line 1 of the text: there is no number for .nan"},
		{"yamldecode", "a: &a [&b {x: *a}]\n", "in line 1 of the text: the alias stands inside its own definition"},
		// What is large or nests deep is read once.
		{"yamldecode", strings.Repeat("[", 1_000_000), "exceeded max depth of 10000"},
		{"yamldecode", strings.Repeat("[", 5_000), "line 1: did not find expected node content"},
		{"yamldecode", "a: x: y\n" + strings.Repeat("# more\n", 20_000), "mapping values are not allowed in this context"},
	}
	for _, r := range rows {
		_, err := stdlib.Functions()[r.function].Call([]cty.Value{cty.StringVal(r.text)})
		if err == nil || err.Error() != r.says {
			t.Errorf("%s of %.80q says\n%v\nand not\n%s", r.function, r.text, err, r.says)
		}
	}
}

// Tests that whatever text is no JSON for the standard library is refused with a reason that
// repeats at most one character of it, as it may be a secret.
func TestWhatIsSaidOfATextIsShort(t *testing.T) {
	const secret = "hunter2-and-more"
	pieces := []string{"{", "}", "[", "]", ",", ":", `"` + secret + `"`, secret, "1", "null", "\n", "//", "'", `"\q`}
	for i := range 20_000 {
		var text strings.Builder
		for n := i; n > 0; n /= len(pieces) {
			text.WriteString(pieces[n%len(pieces)])
		}
		_, err := stdlib.Functions()["jsondecode"].Call([]cty.Value{cty.StringVal(text.String())})
		if valid := json.Valid([]byte(text.String())); valid != (err == nil) {
			t.Fatalf("%q: valid is %v, and the error is %v", text.String(), valid, err)
		}
		if err != nil && strings.Contains(err.Error(), "hunter") {
			t.Fatalf("%q: the error repeats it: %v", text.String(), err)
		}
	}
}
