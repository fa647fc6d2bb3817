package constant

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/pattern"
)

// An image is what a function can return, for its arguments.
type image func(f *finder, args []hclsyntax.Expression) text

// Anything are the functions of which nothing is known that their strings cannot
// be, with the reason.
var Anything = map[string]string{
	"trimprefix":   "only one prefix is taken away",
	"trimsuffix":   "only one suffix is taken away",
	"strrev":       "the reverse of any string",
	"base64decode": "any string was encoded",
	"formatdate":   "the pattern may write any words",
	"tostring":     "any string is one",
	"file":         "any file",
	"fileset":      "any names",
	"keys":         "any names",
	"jq":           "any value",
	"schemaerror":  "what contradicts may be any words",
	"jsondecode":   "any value", "yamldecode": "any value", "csvdecode": "any value",
	"lookup": "any value", "element": "any value", "one": "any value", "values": "any value",
	"concat": "any elements", "flatten": "any elements", "setunion": "any elements", "setintersection": "any elements",
	"merge": "any attributes", "zipmap": "any attributes",
	"max": "a number", "min": "a number",
}

// imageOf is what a function returns that returns a string, nil where nothing is
// known of it. A function of strings is here, in elementsOf or in Anything.
func imageOf(name string) image {
	switch name {
	case "lower":
		return cased(unicode.ToLower, "there is no capital letter in what lower() returns", "Write the text in lower case.")
	case "upper":
		return cased(unicode.ToUpper, "there is no small letter in what upper() returns", "Write the text in upper case.")
	case "title":
		return titled
	case "trim":
		return trimmed
	case "trimspace":
		return spaceTrimmed
	case "chomp":
		return chomped
	case "indent":
		return indented
	case "replace":
		return replaced
	case "join":
		return joined
	case "regex":
		return matched
	case "substr":
		return cut
	case "format":
		return formatted
	case "coalesce", "try":
		return alternative
	case "jsonencode":
		return jsonText
	case "base64encode":
		return alphabet(name, isBase64)
	case "urlencode":
		return alphabet(name, isURL)
	case "timeadd":
		return alphabet(name, isTime)
	case "sha256", "sha256canonical":
		return digest(name, 64)
	case "uuidv5":
		return digest(name, 36)
	}
	return nil
}

// elementsOf is imageOf for a function that returns a list of strings.
func elementsOf(name string) image {
	switch name {
	case "split":
		return separated
	case "regexall":
		return matched
	case "formatlist":
		return formatted
	}
	return nil
}

// parts are the rules of an argument that each part of it keeps to.
func parts(f *finder, args []hclsyntax.Expression, i int) text {
	if i >= len(args) {
		return nil
	}
	return f.textOf(args[i]).keeping(byParts)
}

// chars is the rule that some characters do not occur.
func chars(never func(rune) bool, why, hint string) rule {
	return rule{func(s string, _ place) bool { return strings.ContainsFunc(s, never) }, why, hint, byParts | bySigns}
}

// edges is the rule that some characters are neither first nor last.
func edges(never func(rune) bool, why, hint string) rule {
	return rule{func(s string, at place) bool {
		first, _ := utf8.DecodeRuneInString(s)
		last, _ := utf8.DecodeLastRuneInString(s)
		return s != "" && (at&atStart != 0 && never(first) || at&atEnd != 0 && never(last))
	}, why, hint, byCase}
}

// longest is the rule that a string has no more characters than so many.
func longest(n int, why, hint string) rule {
	return rule{func(s string, _ place) bool { return isASCII(s) && len(s) > n }, why, hint, byParts | byCase}
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf || r == '\r' })
}

//go:noinline
func cased(to func(rune) rune, why, hint string) image {
	return func(f *finder, args []hclsyntax.Expression) text {
		if len(args) != 1 {
			return nil
		}
		return append(f.textOf(args[0]).keeping(byCase), chars(func(r rune) bool { return to(r) != r }, why, hint))
	}
}

// titled knows that words begin with a capital letter. A fragment in the middle may
// begin within a word.
func titled(_ *finder, _ []hclsyntax.Expression) text {
	return text{{func(s string, at place) bool {
		if at&atStart == 0 {
			s = "x" + s
			return titleOf(s)[1:] != s[1:]
		}
		return titleOf(s) != s
	}, "each word that title() returns begins with a capital letter", "Write the words with a capital letter.", 0}}
}

// titleOf is strings.Title of letters, which begins a word behind anything but a
// letter, a digit and an underscore; of other signs this knows nothing.
func titleOf(s string) string {
	before := ' '
	return strings.Map(func(r rune) rune {
		begins := strings.ContainsRune(" \t\n", before)
		before = r
		if begins && r < utf8.RuneSelf {
			return unicode.ToTitle(r)
		}
		return r
	}, s)
}

func trimmed(f *finder, args []hclsyntax.Expression) text {
	if len(args) != 2 {
		return nil
	}
	t := parts(f, args, 0)
	if set, ok := written(args[1]); ok && set != "" {
		t = append(t, edges(func(r rune) bool { return strings.ContainsRune(set, r) }, "trim() takes these characters from the ends", "Write the text without them."))
	}
	return t
}

func spaceTrimmed(f *finder, args []hclsyntax.Expression) text {
	return append(parts(f, args, 0), edges(unicode.IsSpace, "there is no white space at the ends of what trimspace() returns", "Write the text without white space at its ends."))
}

func chomped(f *finder, args []hclsyntax.Expression) text {
	return append(parts(f, args, 0), rule{func(s string, at place) bool {
		return at&atEnd != 0 && strings.HasSuffix(s, "\n")
	}, "there is no newline at the end of what chomp() returns", "Write the text without it.", byCase})
}

// indented knows that a line behind the first begins with spaces.
func indented(_ *finder, args []hclsyntax.Expression) text {
	if len(args) != 2 {
		return nil
	}
	v, ok := dsl.Literal(args[0])
	if !ok || v.Type() != cty.Number {
		return nil
	}
	n, _ := v.AsBigFloat().Int64()
	return text{{func(s string, _ place) bool {
		lines := strings.Split(s, "\n")
		for _, l := range lines[1:] {
			if bare := strings.TrimLeft(l, " "); bare != "" && len(l)-len(bare) < int(n) {
				return true
			}
		}
		return false
	}, fmt.Sprintf("indent() begins each line but the first with %d spaces", n), "Write the lines with them.", 0}}
}

// replaced knows of one character that is replaced everywhere, and of characters that
// neither the text nor what comes into it has.
func replaced(f *finder, args []hclsyntax.Expression) text {
	if len(args) != 3 {
		return nil
	}
	part, ok := written(args[1])
	by, known := written(args[2])
	if !ok || !known {
		return nil
	}
	var t text
	if !strings.Contains(by, "$") { // which stands for a part of what a pattern matches
		t = slices.DeleteFunc(f.textOf(args[0]).keeping(bySigns), func(r rule) bool { return r.denies(by, inside) })
	}
	if len(part) == 1 && isASCII(part) && !strings.Contains(by, part) {
		t = append(t, lacks(part, fmt.Sprintf("replace() leaves no %q", part)))
	}
	return append(t, lacksAll(part, by)...)
}

// lacksAll knows of a pattern that every single one of some characters is replaced: it
// matches one alone, and never nothing.
func lacksAll(part, by string) text {
	pattern, is := strings.CutPrefix(part, "/")
	pattern, ends := strings.CutSuffix(pattern, "/")
	if !is || !ends || len(part) < 2 || strings.Contains(by, "$") {
		return nil
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || !isPlain(parsed) {
		return nil
	}
	alone, err := regexp.Compile(`\A(?:` + pattern + `)\z`)
	if err != nil || alone.MatchString("") {
		return nil
	}
	return text{chars(func(r rune) bool {
		return r < utf8.RuneSelf && alone.MatchString(string(r)) && !strings.ContainsRune(by, r)
	}, "replace() leaves no such character", "Write the text without it.")}
}

// joined knows of characters that neither the parts nor what comes between them have.
func joined(f *finder, args []hclsyntax.Expression) text {
	if len(args) != 2 {
		return nil
	}
	between, ok := written(args[0])
	if !ok {
		return nil
	}
	return slices.DeleteFunc(f.elementOf(args[1]).keeping(bySigns), func(r rule) bool { return r.denies(between, inside) })
}

func lacks(part, why string) rule {
	if len(part) == 1 {
		return chars(func(r rune) bool { return r == rune(part[0]) }, why, "Write the text without it.")
	}
	return rule{func(s string, _ place) bool { return strings.Contains(s, part) }, why, "Write the text without it.", byParts}
}

func separated(f *finder, args []hclsyntax.Expression) text {
	t := parts(f, args, 1)
	if separator, ok := written(args[0]); ok && separator != "" && isASCII(separator) {
		t = append(t, lacks(separator, fmt.Sprintf("split() leaves no %q in the parts", separator)))
	}
	return t
}

// matched knows that the match of a pattern is one by itself. With groups it is no
// string, and what the pattern says of its surroundings nobody knows here.
func matched(f *finder, args []hclsyntax.Expression) text {
	pattern, ok := "", false
	if len(args) == 2 {
		pattern, ok = written(args[0])
	}
	if !ok {
		return nil
	}
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || !isPlain(parsed) {
		return nil
	}
	alone, err := regexp.Compile(`\A(?:` + pattern + `)\z`)
	if err != nil {
		return nil
	}
	return append(parts(f, args, 1), rule{func(s string, at place) bool {
		return at == whole && !alone.MatchString(s)
	}, "the pattern does not match that", "Write what the pattern matches.", 0})
}

// isPlain reports whether a pattern has no groups and asks for nothing around what
// it matches.
func isPlain(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpCapture, syntax.OpBeginLine, syntax.OpEndLine, syntax.OpBeginText, syntax.OpEndText, syntax.OpWordBoundary, syntax.OpNoWordBoundary:
		return false
	}
	for _, sub := range re.Sub {
		if !isPlain(sub) {
			return false
		}
	}
	return true
}

// cut is substr with a length that is written out.
func cut(f *finder, args []hclsyntax.Expression) text {
	if len(args) != 3 {
		return nil
	}
	t := parts(f, args, 0)
	if v, ok := dsl.Literal(args[2]); ok && v.Type() == cty.Number {
		if n, _ := v.AsBigFloat().Int64(); n >= 0 {
			t = append(t, longest(int(n), fmt.Sprintf("substr() returns %d characters, and no more", n), "Take as many characters as the text has, or ask for its beginning with startswith()."))
		}
	}
	return t
}

// verb is one of a pattern of format.
var verb = pattern.New(`%[^a-zA-Z%]*[a-zA-Z%]`)

func formatted(_ *finder, args []hclsyntax.Expression) text {
	if len(args) == 0 {
		return nil
	}
	pattern, ok := written(args[0])
	verbs := verb().FindAllStringIndex(pattern, -1)
	if !ok || len(verbs) == 0 || strings.Count(pattern, "%") != strings.Count(verb().ReplaceAllString(pattern, "%"), "%") {
		return nil
	}
	return framed(pattern[:verbs[0][0]], pattern[verbs[len(verbs)-1][1]:])
}

// framed is a text with something written before and behind it. A mark that follows
// a letter may become a part of it.
func framed(first, last string) text {
	if n := len(first); n > 0 && (first[n-1] >= utf8.RuneSelf || unicode.IsLetter(rune(first[n-1]))) {
		_, size := utf8.DecodeLastRuneInString(first)
		first = first[:n-size]
	}
	if first == "" && last == "" || !isASCII(first) || !isASCII(last) {
		return nil
	}
	return text{{func(s string, at place) bool {
		if at == whole {
			return len(s) < len(first)+len(last) || !strings.HasPrefix(s, first) || !strings.HasSuffix(s, last)
		}
		return at == atStart && !meets(s, first, strings.HasPrefix) || at == atEnd && !meets(s, last, strings.HasSuffix)
	}, "what is written around the value is in it, too", "Compare the value itself.", 0}}
}

// meets reports whether two strings can stand at one end of a third.
func meets(s, t string, has func(s, t string) bool) bool { return has(s, t) || has(t, s) }

// alternative is one of its arguments.
func alternative(f *finder, args []hclsyntax.Expression) text { return f.anyOf(args...) }

//go:noinline
func alphabet(name string, is func(rune) bool) image {
	return func(*finder, []hclsyntax.Expression) text {
		return text{chars(func(r rune) bool { return !is(r) }, name+"() writes no such character", "Compare with the result of "+name+"().")}
	}
}

func isBase64(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("+/=", r))
}

func isURL(r rune) bool {
	return r < utf8.RuneSelf && (unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("-_.~+%", r))
}

func isTime(r rune) bool { return strings.ContainsRune("0123456789TZ:+-.", r) }

// digest is a text of so many small hexadecimal digits.
//
//go:noinline
func digest(name string, n int) image {
	return func(*finder, []hclsyntax.Expression) text {
		hint := "Compare with the result of " + name + "()."
		return text{
			chars(func(r rune) bool { return !strings.ContainsRune("0123456789abcdef-", r) }, name+"() writes no such character", hint),
			longest(n, fmt.Sprintf("%s() returns %d characters", name, n), hint),
			{func(s string, at place) bool { return at == whole && len(s) != n }, fmt.Sprintf("%s() returns %d characters", name, n), hint, 0},
		}
	}
}

// jsonText knows that there is no white space between the tokens of what
// jsonencode writes, and how strings are escaped.
func jsonText(*finder, []hclsyntax.Expression) text {
	return text{{
		// lower() and upper() leave its signs alone, but not the words true, false and null.
		func(s string, _ place) bool { return !isJSONFragment(s) && !isJSONFragment(strings.ToLower(s)) },
		"jsonencode() writes no such thing: it has no white space between names and values, and escapes <, >, & and control characters", "Compare the attribute itself, or write the text as jsonencode() does.", byCase,
	}}
}

// isJSONFragment reports whether a string can be a part of JSON without white
// space, which may begin anywhere: where a value may (open), within a number or a word,
// behind a value (closed), within a string, or behind a backslash.
func isJSONFragment(s string) bool {
	type states struct{ open, word, closed, within, escaped bool }
	now := states{true, true, true, true, true}
	for _, r := range s {
		var next states
		inWord := strings.ContainsRune("0123456789+-.eEtruefalsn", r)
		next.open = (now.word || now.closed) && r == ',' || now.closed && r == ':' || now.open && (r == '{' || r == '[')
		next.word = (now.open || now.word) && inWord
		next.closed = (now.open || now.word || now.closed) && (r == '}' || r == ']')
		next.within = now.open && r == '"'
		if now.within {
			switch {
			case r == '"':
				next.closed = true
			case r == '\\':
				next.escaped = true
			case r >= ' ' && !strings.ContainsRune("<>&", r):
				next.within = true
			}
		}
		if now.escaped {
			// A mark behind \n makes one letter of both.
			next.within = next.within || strings.ContainsRune(`"\/bfnrtu`, r) || r >= utf8.RuneSelf
		}
		if now = next; now == (states{}) {
			return false
		}
	}
	return true
}
