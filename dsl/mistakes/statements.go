package mistakes

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/internal/pattern"
)

// foreign reports whether a diagnostic is about a construct of another
// language: what else is wrong with its line, such as the quotes, goes with it.
func foreign(d *hcl.Diagnostic) bool {
	switch d.Summary {
	case summaryCheck, summaryDeclared, summaryDotted, summaryPattern, summaryMethod:
		return true
	}
	return false
}

// statement explains a line that is a statement in other languages: the declaration
// of a value, or a check.
func statement(e syntaxError) (string, string) {
	line := strings.TrimRight(strings.TrimSpace(e.line), "; \t")
	if m := declaration().FindStringSubmatch(line); m != nil {
		return summaryDeclared, fmt.Sprintf("A value gets a name in a block of the file: `locals { %s = %s }`. Elsewhere it is local.%[1]s.", m[1], oneLineValue(m[2]))
	}
	if m := walrus().FindStringSubmatch(strings.TrimSpace(e.after)); m != nil {
		value := oneLineValue(withoutClosing(m[2]))
		if indent(e.line) > 0 || strings.TrimSpace(e.before) != "" {
			return summaryOperator, fmt.Sprintf("An attribute is written with an equals sign alone: `%s = %s`.", m[1], value)
		}
		return summaryDeclared, fmt.Sprintf("A value gets a name in a block of the file: `locals { %s = %s }`. Elsewhere it is local.%[1]s.", m[1], value)
	}
	if name, condition := check(line); condition != "" {
		return summaryCheck, fmt.Sprintf("A check is a block with a name: `assert %q { condition = %s }`.", cmp.Or(name, "name"), condition)
	}
	return dottedName(e)
}

var (
	declaration = pattern.New(`^(?:export\s+)?(?:const|let|var|val|final|local|my)\s+([A-Za-z_]\w*)\s*(?::\s*[\w<>\[\]]+\s*|\s(?:string|int|bool|float64)\s*)?:?=\s*(.*)$`)
	walrus      = pattern.New(`^([A-Za-z_][\w-]*)\s*:=\s*(.*)$`)
)

// oneLineValue is a value that ends on its line, "…" for one that does not.
func oneLineValue(text string) string {
	text = inLanguage(text)
	if opens, closes := braces(text); text == "" || opens != closes || strings.Count(text, "[") != strings.Count(text, "]") {
		return "…"
	}
	return text
}

// check reads a check as test frameworks have them. It returns the name that goes
// with it, if any, and the condition, "" where the line is none.
func check(line string) (name, condition string) {
	if m := assertWord().FindStringSubmatch(line); m != nil {
		rest := strings.TrimSpace(m[1])
		if condition, message, found := strings.Cut(rest, `, "`); found && strings.HasSuffix(message, `"`) && braceless(condition) {
			return strings.TrimSuffix(message, `"`), inLanguage(condition)
		}
		return "", inLanguage(rest)
	}
	m := checkCall().FindStringSubmatch(line)
	if m == nil {
		return "", ""
	}
	arguments, rest, closed := argumentsOf(line[len(m[0])-1:])
	if !closed || len(arguments) == 0 {
		return "", "…"
	}
	for i, a := range arguments {
		arguments[i] = inLanguage(a)
	}
	library, word := m[1], strings.ToLower(strings.TrimPrefix(m[2], "."))
	switch {
	case library == "expect":
		return "", matched(arguments[0], rest)
	case library == "require" && word == "":
		return "", "" // a module of JavaScript
	}
	if word == "" {
		if message := arguments[len(arguments)-1]; len(arguments) > 1 && strings.HasPrefix(message, `"`) {
			name = strings.Trim(message, `"`)
		}
		return name, arguments[0]
	}
	if arguments[0] == "t" && len(arguments) > 1 { // in Go what is wanted comes first
		arguments = arguments[1:]
		if len(arguments) > 1 && strings.Contains(word, "equal") {
			arguments[0], arguments[1] = arguments[1], arguments[0]
		}
	}
	return "", compared(word, arguments)
}

var (
	// assertWord is a check of Python, or one without its block.
	assertWord = pattern.New(`^assert\s+(?:condition\s*=\s*)?([^\s"{(=][^{]*?(?:==|!=|<|>|&&|\|\||\bin\b|\bis\b|\bnot\b|\bcontains\b|[.(!]).*)$`)
	checkCall  = pattern.New(`^(?:await\s+)?(?:self\.)?(expect|assert|require)((?:\.\w+|[A-Z]\w+)?)\(`)
	// bareCheck is a comparison that stands alone.
	bareCheck = pattern.New(`^[A-Za-z_][\w-]*(?:\.[\w.\[\]*"-]+)\s*(?:[=!]==?|[<>]=?)\s*[^=\s].*$`)
	matcher   = pattern.New(`^((?:\.\w+)*)\.(\w+)`)
)

func braceless(text string) bool { return !strings.ContainsAny(text, "{}") }

// matched is the condition of expect(value).…
func matched(value, rest string) string {
	m := matcher().FindStringSubmatch(rest)
	if m == nil {
		return value
	}
	arguments := []string{value}
	if more, _, closed := argumentsOf(rest[len(m[0]):]); closed {
		for _, a := range more {
			arguments = append(arguments, inLanguage(a))
		}
	}
	word := strings.ToLower(m[2])
	for _, prefix := range []string{"to", "be", "have"} {
		if short := strings.TrimPrefix(word, prefix); short != "" {
			word = short
		}
	}
	if strings.Contains(m[1], ".not") {
		word = "not" + word
	}
	return compared(word, arguments)
}

// A comparison is what the words of a check mean: in its form %[1]s is the value, %[2]s what it is
// compared with.
type comparison struct {
	words func() *regexp.Regexp
	form  string
}

var comparisons = []comparison{
	{pattern.New(`^not_?(?:deep|strict)*_?(?:equals?|be|eql|same)$`), "%[1]s != %[2]s"},
	{pattern.New(`^(?:deep|strict)*_?(?:equals?|be|eql|same|eq|equalvalues|jsoneq)$`), "%[1]s == %[2]s"},
	{pattern.New(`^not(?:null|nil|undefined)$|^defined$|^exists?$|^isnotnone$|^notzero$`), "%[1]s != null"},
	{pattern.New(`^(?:null|nil|undefined|isnone|isnull)$`), "%[1]s == null"},
	{pattern.New(`^(?:length|len|lengthof|count)$`), "length(%[1]s) == %[2]s"},
	{pattern.New(`^(?:contains?|includes?|equalcontaining)$`), "contains(%[1]s, %[2]s)"},
	{pattern.New(`^not_?(?:contains?|includes?)$`), "!contains(%[1]s, %[2]s)"},
	{pattern.New(`^(?:match|matches|matchregex)$`), "regexmatch(%[2]s, %[1]s)"},
	{pattern.New(`^(?:greaterthan|greater|above)$`), "%[1]s > %[2]s"},
	{pattern.New(`^(?:greaterthanorequal|greaterorequal|least)$`), "%[1]s >= %[2]s"},
	{pattern.New(`^(?:lessthan|less|below)$`), "%[1]s < %[2]s"},
	{pattern.New(`^(?:lessthanorequal|lessorequal|most)$`), "%[1]s <= %[2]s"},
	{pattern.New(`^(?:falsy|false|isfalse|notok|nottrue|nottruthy)$`), "!(%[1]s)"},
	{pattern.New(`^(?:empty)$`), "length(%[1]s) == 0"},
	{pattern.New(`^(?:notempty)$`), "length(%[1]s) > 0"},
}

// compared is a condition from the word of a check and its arguments.
func compared(word string, arguments []string) string {
	if word == "ok" || word == "true" || word == "truthy" || word == "istrue" {
		return arguments[0]
	}
	i := slices.IndexFunc(comparisons, func(c comparison) bool { return c.words().MatchString(word) })
	if i < 0 {
		return arguments[0] + " == …"
	}
	other := "…"
	if len(arguments) > 1 {
		other = arguments[1]
	}
	if !strings.Contains(comparisons[i].form, "[2]") {
		return fmt.Sprintf(comparisons[i].form, arguments[0])
	}
	return fmt.Sprintf(comparisons[i].form, arguments[0], other)
}

var (
	dottedAttribute = pattern.New(`^([A-Za-z_][\w-]*)\.([\w.\[\]*-]+)\s*=\s*([^=~].*)$`)
	simpleName      = pattern.New(`^[A-Za-z_]\w*$`)
)

// observed are the roots of what a check can be about.
var observed = strings.Fields("run sut step endpoint target breaker gateway llm mcp")

// dottedName explains a reference that stands where the name of an attribute should.
func dottedName(e syntaxError) (string, string) {
	after := strings.TrimSpace(e.after)
	if bareCheck().MatchString(after) && !dottedAttribute().MatchString(after) {
		if block := e.within(); blockWords()[block].conditions {
			return summaryCheck, fmt.Sprintf("What has to hold is the attribute condition of %s block: `condition = %s`.", wording.WithArticle(block), inLanguage(withoutClosing(after)))
		}
		return summaryCheck, fmt.Sprintf("A check is a block with a name: `assert \"name\" { condition = %s }`.", inLanguage(withoutClosing(after)))
	}
	m := dottedAttribute().FindStringSubmatch(after)
	if m == nil {
		return "", ""
	}
	root, name, value := m[1], m[2], oneLineValue(withoutClosing(m[3]))
	if !slices.Contains(observed, root) {
		return summaryDotted, fmt.Sprintf("The name of an attribute has no dots. A block in the block is written `%s { %s = %s }`, an object `%[1]s = { %[2]s = %[3]s }`.", root, name, value)
	}
	address := root
	if first, rest, found := strings.Cut(name, "."); found && addressed("expect", root) {
		address, name = first, rest
	}
	if !simpleName().MatchString(name) || address == root && root != "run" && root != "sut" {
		return summaryDotted, fmt.Sprintf("The name of an attribute has no dots. What has to hold is a check: `assert \"name\" { condition = %s.%s == %s }`.", root, m[2], value)
	}
	return summaryDotted, fmt.Sprintf("The name of an attribute has no dots. What is expected of %s.%s is written `expect %q { %s = %s }`.", root, m[2], address, name, value)
}

// statements are words with which other languages begin one that holds others.
var statements = map[string]bool{"if": true, "else": true, "for": true, "foreach": true, "while": true, "unless": true, "switch": true}
