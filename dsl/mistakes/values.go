package mistakes

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl/dotted"
	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/internal/pattern"
	"github.com/scenario-lang/scenario/schema"
)

// mostShown is how long code may be that a message shows.
const mostShown = 2000

// Parses reports whether code that a message shows can be typed as it stands: as a part of
// a file or as an expression. An … in it stands for something.
func Parses(code string) bool {
	if len(code) > mostShown {
		return false
	}
	for _, other := range []string{"x", "x = 1", ""} {
		src := []byte(strings.ReplaceAll(code, "…", other))
		if _, diags := dotted.ParseConfig(append(src, '\n'), "", hcl.InitialPos); !diags.HasErrors() {
			return true
		}
		if _, diags := dotted.ParseExpression(src, "", hcl.InitialPos); !diags.HasErrors() {
			return true
		}
	}
	return false
}

var (
	shownCode   = pattern.New("`[^`]+`")
	assignedTo  = pattern.New(`^([A-Za-z_][\w-]*) = `)
	asExpansion = pattern.New(`\$\{|%\{`)
)

// tried leaves of the code that a message shows what can be typed: the name of an attribute
// where its value cannot.
func tried(detail string) string {
	return shownCode().ReplaceAllStringFunc(detail, func(quoted string) string {
		code := strings.Trim(quoted, "`")
		if m := assignedTo().FindStringSubmatch(code); m != nil && !Parses(code) {
			return "`" + m[1] + " = …`"
		}
		return quoted
	})
}

// attributeWords are the names of attributes that no block has for its type.
var attributeWords = sync.OnceValue(func() map[string]bool {
	words := map[string]bool{}
	language.Each(func(b *schema.Block) {
		for i := range b.Attrs {
			words[b.Attrs[i].Name] = true
		}
	})
	for typ := range blockWords() {
		delete(words, typ)
	}
	return words
})

var opensWord = pattern.New(`([{\s])([A-Za-z_]\w*)\s*\{`)

// withEquals is a line with an equals sign behind each attribute that is written like a
// block, and the first of them; "" where there is none.
func withEquals(line string) (fixed, name string) {
	fixed = opensWord().ReplaceAllStringFunc(line, func(found string) string {
		m := opensWord().FindStringSubmatch(found)
		if !attributeWords()[m[2]] {
			return found
		}
		name = cmp.Or(name, m[2])
		return m[1] + m[2] + " = {"
	})
	return strings.TrimSpace(fixed), name
}

var (
	choiceLast  = pattern.New(`("(?:[^"\\]|\\.)*"|[A-Za-z_][\w.]*(?:\[[^\[\]]*\])?(?:\([^()]*\))?|[0-9.]+)\s+if\s+(.+?)\s+else\s+("(?:[^"\\]|\\.)*"|[A-Za-z_][\w.]*(?:\[[^\[\]]*\])?(?:\([^()]*\))?|[0-9.]+)`)
	choiceFirst = pattern.New(`([^\s:(\[,{][^:(\[,{]*?)\s*\?\s*([^?:]+?)\s*$`)
	namedBefore = pattern.New(`^[A-Za-z_][\w-]*\s*=\s+`)
	filterFirst = pattern.New(`([\[{])\s*for\s+(\w+(?:\s*,\s*\w+)?)\s+in\s+(.+?)\s*$`)
	filtered    = pattern.New(`^if\s+(.+?)\s+:\s*([^\]}]+?)\s*[\]}]`)
	sliced      = pattern.New(`([A-Za-z_][\w.]*)\[\s*(-?\w*)\s*:\s*(-?\w*)\s*\]`)
	// stringBefore is the string that is the value of an attribute and ends at a place.
	stringBefore = pattern.New(`=\s*"(?:[^"\\]|\\.)*"$`)
	underscored  = pattern.New(`^_[0-9][0-9_]*`)
	digits       = pattern.New(`(?:^|[^\w.])([0-9]+)$`)
	percent      = pattern.New(`(?:^|[^\w.)\]])([0-9]+(?:\.[0-9]+)?)\s*%$`)
	changed      = pattern.New(`^([A-Za-z_][\w-]*)\s*(?:[-+*/%]=|\+\+|--)\s*(.*)$`)
	compares     = pattern.New(`^([A-Za-z_][\w-]*)\s*([<>]=?|!=)\s*([^=\s].*)$`)
	objectParen  = pattern.New(`([A-Za-z_]\w*)\s*=\s*\(\s*([A-Za-z_]\w*\s*)$`)
	closesParen  = pattern.New(`^(=\s*.+?)\s*\)[\s}]*$`)
	listItem     = pattern.New(`^\s*-\s+(\S.*?),?\s*$`)
	openLabel    = pattern.New(`^\s*([A-Za-z_]\w*(?:\s+"[^"]*")*)\s+"([^"{]*?)\s*\{\s*$`)
	conditional  = pattern.New(`^(?:condition|when|while|until|passed|skip)$`)
)

// choiceOf writes the choice of Python on a line with its condition first, as an
// expression that can be typed, or shows the form.
func choiceOf(line string) string {
	if m := wholeChoice().FindStringSubmatch(line); m != nil {
		value, condition := joined(inLanguage(m[1])), inLanguage(m[2])
		if plainName().MatchString(condition) && strings.Contains(value, condition) {
			condition += ` != ""` // what stands in a string is no bool
		}
		if code := fmt.Sprintf("%s ? %s : %s", condition, value, joined(inLanguage(withoutClosing(m[3])))); Parses(code) {
			return fmt.Sprintf("A choice is written with its condition first: `%s`.", code)
		}
	}
	if m := choiceLast().FindStringSubmatch(line); m != nil {
		if code := fmt.Sprintf("%s ? %s : %s", inLanguage(m[2]), inLanguage(m[1]), inLanguage(m[3])); Parses(code) {
			return fmt.Sprintf("A choice is written with its condition first: `%s`.", code)
		}
	}
	return "A choice is written with its condition first: condition ? value : other value."
}

// wholeChoice is a choice of Python that is the value of an attribute.
var wholeChoice = pattern.New(`^\s*[A-Za-z_][\w-]*\s*=\s*(.+?)\s+if\s+(.+?)\s+else\s+(.+?)\s*$`)

// joined writes strings and references that are added to each other as one string, and leaves
// any other expression as it is.
func joined(text string) string {
	e, diags := dotted.ParseExpression([]byte(text), "", hcl.InitialPos)
	if diags.HasErrors() {
		return text
	}
	return cmp.Or(Joined(e, func(e hclsyntax.Expression) string { return string(e.Range().SliceBytes([]byte(text))) }), text)
}

// Addends are the parts of a sum, or an expression that is none. Of a sum that is refused
// for its length they are the last ones.
func Addends(e hclsyntax.Expression) []hclsyntax.Expression { return addends(e, 0) }

func addends(e hclsyntax.Expression, behind int) []hclsyntax.Expression {
	if sum, ok := e.(*hclsyntax.BinaryOpExpr); ok && sum.Op == hclsyntax.OpAdd {
		if behind == mostAddends {
			return nil
		}
		return append(addends(sum.LHS, behind+1), sum.RHS)
	}
	return []hclsyntax.Expression{e}
}

// mostAddends is how many parts a sum may have.
const mostAddends = 1000

// Joined writes a sum of which a part is a string that is written out as the string that was
// meant, "" for any other expression. code writes a part.
func Joined(e hclsyntax.Expression, code func(hclsyntax.Expression) string) string {
	parts := Addends(e)
	var b strings.Builder
	text := false
	for _, part := range parts {
		written := code(part)
		if len(written) > 1 && written[0] == '"' && strings.HasSuffix(written, `"`) {
			b.WriteString(written[1 : len(written)-1])
			text = true
			continue
		}
		b.WriteString("${" + written + "}")
	}
	if joined := `"` + b.String() + `"`; text && len(parts) > 1 && Parses(joined) {
		return joined
	}
	return ""
}

// choice explains a choice without its other value.
func choice(e syntaxError) (string, string) {
	if m := choiceFirst().FindStringSubmatch(e.before); m != nil {
		if code := fmt.Sprintf("%s ? %s : …", namedBefore().ReplaceAllString(m[1], ""), m[2]); Parses(code) {
			return summaryOperator, fmt.Sprintf("A choice has a value for each case, and this has none for the other one: `%s`.", code)
		}
	}
	return summaryOperator, "A choice has a value for each case: condition ? value : other value."
}

// forExpression explains what is wrong with a for expression.
func forExpression(e syntaxError) (string, string) {
	m := filterFirst().FindStringSubmatch(e.before)
	after := filtered().FindStringSubmatch(e.after)
	switch {
	case e.at == "else" || choiceLast().MatchString(e.line) && e.at == "if":
		return summaryOperator, choiceOf(e.line)
	case m != nil && after != nil:
		closing := map[string]string{"[": "]", "{": "}"}[m[1]]
		if code := fmt.Sprintf("%sfor %s in %s : %s if %s%s", m[1], m[2], m[3], after[2], after[1], closing); Parses(code) {
			return summaryOperator, fmt.Sprintf("In a for expression if comes last: `%s`.", code)
		}
		return summaryOperator, "In a for expression if comes last: [for x in list : x.name if x.ok]."
	case strings.Contains(e.detail, "'in' keyword") && (e.at == "of" || e.at == "="):
		return summaryOperator, "A for expression has the word in: [for x in list : x.name]."
	case strings.Contains(e.detail, "when building an object"):
		return summaryOperator, "In braces a for expression makes an object, of a name and a value for each element: { for x in list : x.name => x }. In brackets it makes a list: [for x in list : x.name]."
	case strings.Contains(e.detail, "when building a tuple"):
		return summaryOperator, "In brackets a for expression makes a list, of one value for each element: [for x in list : x.name]. With => it makes an object, in braces: { for x in list : x.name => x }."
	case strings.Contains(e.detail, "requires a colon"):
		return summaryOperator, "What a for expression makes of each element follows a colon: [for x in list : x.name]."
	case strings.Contains(e.detail, "Extra characters"):
		return summaryOperator, fmt.Sprintf("The for expression is complete before %q, and ends with a bracket: [for x in list : x.name], or [for x in list : x.name if x.ok].", strings.TrimSpace(e.at))
	}
	return summaryOperator, "A for expression is [for x in list : x.name], with an index [for i, x in list : i]; with a condition at its end [for x in list : x.name if x.ok]."
}

// indexed explains an index without its bracket, such as a part of a list in Python.
func indexed(e syntaxError) (string, string) {
	if said := part(e.line); said != "" {
		return summaryOperator, said
	}
	return summaryBracket, "An index ends with a closing bracket: list[0]. All elements of a list are list[*]."
}

// part writes a part of a list that other languages write with a colon as a call, "" for
// a line without one.
func part(line string) string {
	m := sliced().FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	end := cmp.Or(m[3], fmt.Sprintf("length(%s)", m[1]))
	if strings.HasPrefix(end, "-") {
		end = fmt.Sprintf("length(%s) - %s", m[1], end[1:])
	}
	return fmt.Sprintf("A part of a list is `slice(%s, %s, %s)`: the elements from the first index up to the one before the second.", m[1], cmp.Or(m[2], "0"), end)
}

// noEnd explains what is open when the file ends.
func noEnd(e syntaxError) (string, string) {
	return summaryBracket, fmt.Sprintf("What opens here with %q is not closed before the file ends.", strings.TrimSpace(e.at))
}

// innerQuotes is the string of a line with the quotes in it escaped, where a quote that
// belongs to its text ended it; "" for any other line.
func innerQuotes(e syntaxError) string {
	begun := stringBefore().FindStringIndex(e.before)
	last := strings.LastIndexByte(e.line, '"')
	if begun == nil || last <= len(e.before) || !wordBegins().MatchString(e.at) {
		return ""
	}
	first := begun[1] - len(strings.TrimLeft(e.before[begun[0]:], "= \t"))
	if asExpansion().MatchString(e.line[first:last]) {
		return ""
	}
	text := e.line[first+1 : last]
	if strings.Contains(text, `\"`) || strings.Contains(text, " = ") {
		return ""
	}
	return `"` + strings.ReplaceAll(text, `"`, `\"`) + `"`
}

var wordBegins = pattern.New(`^[A-Za-z_]`)

// numeral explains a number as other languages write it, "" for any other expression.
func numeral(e syntaxError) string {
	if m := digits().FindStringSubmatch(e.before); m != nil && underscored().MatchString(e.after) {
		return fmt.Sprintf("A number is written without underscores: %s.", m[1]+strings.ReplaceAll(underscored().FindString(e.after), "_", ""))
	}
	return ""
}

// share explains a percentage, "" for any other expression.
func share(before string) string {
	m := percent().FindStringSubmatch(before)
	if m == nil {
		return ""
	}
	whole, fraction, _ := strings.Cut(m[1], ".")
	for len(whole) < 3 {
		whole = "0" + whole
	}
	point := len(whole) - 2
	written := strings.TrimLeft(whole[:point], "0")
	return fmt.Sprintf("There is no percent sign: a share is a number from 0 to 1, %s.", cmp.Or(written, "0")+strings.TrimSuffix("."+strings.TrimRight(whole[point:]+fraction, "0"), "."))
}

// unassigned explains an attribute with another sign than an equals sign, "" for any
// other line.
func unassigned(e syntaxError) (string, string) {
	after := withoutClosing(strings.TrimSpace(e.after))
	if m := changed().FindStringSubmatch(after); m != nil {
		return summaryOperator, fmt.Sprintf("No value changes here: an attribute is set once, with an equals sign alone: `%s = %s`.", m[1], cmp.Or(m[2], "…"))
	}
	m := compares().FindStringSubmatch(after)
	if m == nil {
		return "", ""
	}
	if checked := e.address(); checked != "" {
		return summaryCheck, fmt.Sprintf("What an expect block says of an attribute is what it equals. Any other comparison is a check: `assert %q { condition = %s.%s }`.", m[1], checked, inLanguage(after))
	}
	return summaryOperator, fmt.Sprintf("An attribute gets its value from an equals sign alone: `%s = …`. What has to hold is a check: `assert \"name\" { condition = … }`.", m[1])
}

var inObject = pattern.New(`=\s*\{[^{}]*$`)

// inParentheses explains an object in parentheses, "" for any other expression.
func inParentheses(e syntaxError) (string, string) {
	opened, closed := objectParen().FindStringSubmatch(e.before), closesParen().FindStringSubmatch(e.after)
	if e.at != "=" || opened == nil || closed == nil || conditional().MatchString(opened[1]) {
		return "", ""
	}
	if _, block := blockWords()[opened[1]]; block || !attributeWords()[opened[1]] {
		return "", ""
	}
	return summaryBrace, fmt.Sprintf("An object stands in braces: `%s = { %s%s }`.", opened[1], opened[2], closed[1])
}

// items is a list of YAML that begins a text, as it is written here, "" for any other
// text.
func items(text string) string {
	var elements []string
	for line := range strings.Lines(text) {
		m := listItem().FindStringSubmatch(strings.TrimRight(line, "\r\n"))
		if m == nil {
			break
		}
		element := strings.TrimRight(m[1], "}] \t")
		if !Parses(element) || simpleName().MatchString(element) {
			element = wording.Quote(element)
		}
		elements = append(elements, element)
	}
	if len(elements) == 0 {
		return ""
	}
	return "[" + strings.Join(elements, ", ") + "]"
}
