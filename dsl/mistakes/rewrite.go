package mistakes

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/internal/pattern"
)

// Rewrite puts diagnostics of the syntax into the words of the language: what
// was probably meant, and what to write instead. It keeps those that it does
// not know, takes out what only follows from an error reported at the same
// place, and changes nothing when it is applied again. src is the file that
// all of them are about.
func Rewrite(diags hcl.Diagnostics, src []byte) hcl.Diagnostics {
	diags = withoutOpenBracket(withoutPasted(withoutOpenComment(diags, src), src), src)
	blocks := sync.OnceValue(func() *nesting { return nestingOf(fileOf(diags), src) })
	var all hcl.Diagnostics
	for _, d := range diags {
		if d.Subject == nil || d.Subject.Start.Byte < 0 || d.Subject.Start.Byte > len(src) {
			all = append(all, d)
			continue
		}
		all = append(all, rewritten(d, src, blocks))
	}
	var kept hcl.Diagnostics
	for _, d := range all {
		if !follows(d, kept) {
			kept = append(kept, d)
		}
	}
	return kept
}

// A syntaxError is a diagnostic of the parser with the text around it.
type syntaxError struct {
	summary string
	detail  string
	// line is the whole line, before and after are its parts around the start
	// of the place.
	line, before, after string
	// at is the text of the place.
	at string
	// rest is everything after the line.
	rest string
	// within is the word with which the block around the line begins, and address the
	// reference to what that block checks, "" for a block that checks nothing.
	within, address func() string
}

func rewritten(d *hcl.Diagnostic, src []byte, blocks func() *nesting) *hcl.Diagnostic {
	rewrite, ok := rewrites[d.Summary]
	if !ok {
		return d
	}
	pos := d.Subject.Start.Byte
	start := bytes.LastIndexByte(src[:pos], '\n') + 1
	line, next := LineAt(src, start)
	line = withoutComment(line)
	cut := min(pos-start, len(line))
	summary, detail := rewrite(syntaxError{
		summary: d.Summary, detail: d.Detail, line: string(line), before: string(line[:cut]), after: string(line[cut:]),
		at: string(d.Subject.SliceBytes(src)), rest: string(src[next:]),
		within:  func() string { return blocks().at(pos).word },
		address: func() string { return checked(blocks().at(pos), src) },
	})
	if summary == "" {
		return d
	}
	changed := *d
	changed.Summary, changed.Detail = summary, tried(detail)
	if summary == summaryOpenText || summary == summaryOpenTemplate {
		changed.Subject = opening(d.Subject, src, summary)
	}
	if d.Summary == "Unclosed configuration block" {
		changed.Subject = opened(d.Subject, src)
	}
	if detail == openHeredoc {
		changed.Detail = heredocSaid(changed.Subject, src)
	}
	if detail == tooManyBraces || detail == tooManyAfterBlock {
		if at := tooMany(d.Subject, src); at != nil {
			changed.Subject, changed.Detail = at, tooManyByIndent
		}
	}
	return &changed
}

// withoutComment is a line without the comment at its end, which is no part of
// what was meant.
func withoutComment(line []byte) []byte {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch {
		case quoted && line[i] == '\\':
			i++
		case line[i] == '"':
			quoted = !quoted
		case !quoted && (line[i] == '#' || bytes.HasPrefix(line[i:], []byte("//"))):
			return bytes.TrimRight(line[:i], " \t")
		}
	}
	return line
}

// follows reports whether an earlier diagnostic already says what is wrong at
// this place, or says the same of this line.
func follows(d *hcl.Diagnostic, earlier hcl.Diagnostics) bool {
	if d.Subject == nil || !syntaxSummary(d.Summary) {
		return false
	}
	return slices.ContainsFunc(earlier, func(e *hcl.Diagnostic) bool {
		return e.Subject != nil && e.Subject.Filename == d.Subject.Filename && e.Subject.Start.Line == d.Subject.Start.Line &&
			(e.Subject.Start.Byte == d.Subject.Start.Byte || e.Summary == d.Summary)
	})
}

// SummaryOneLine heads the error about a block that is written on one line;
// Unfold writes it as it should be.
const SummaryOneLine = "Block on one line"

const (
	summaryOpenText     = "Text without closing quote"
	summaryOpenTemplate = "Template without closing brace"
	summaryNoEquals     = "Equals sign missing"
	summaryLabel        = "Label without quotes"
	summaryBrace        = "Brace in the wrong place"
	summaryNoBrace      = "Opening brace missing"
	summaryQuotes       = "Wrong quotes"
	summaryMethod       = "Values have no methods"
	summaryOperator     = "Wrong operator"
	summaryNewLine      = "New line missing"
	summaryUnit         = "Duration without quotes"
	summaryInvisible    = "Invisible character"
	summaryCharacter    = "Invalid character"
	summaryUnclosed     = "Block without closing brace"
	summaryTwice        = "Attribute set twice"
	summaryComma        = "Comma missing"
	summaryWritten      = "Block written as an attribute"
	summaryKey          = "Name in quotes"
	summaryNoValue      = "Value missing"
	summaryCheck        = "Check without a block"
	summaryDeclared     = "Value with a name"
	summaryDotted       = "Name with a dot"
	summaryPattern      = "Regular expression without quotes"
)

const (
	tooManyBraces     = "This closing brace closes nothing: there is one too many, or an opening one is missing above."
	tooManyAfterBlock = "This closing brace closes nothing: there is one too many."
	tooManyByIndent   = "By the indentation, this closing brace is one too many. Delete it."
)

// syntaxSummary reports whether a diagnostic is one of the parser, as opposed
// to one of the language, of which several may be right about one place.
func syntaxSummary(summary string) bool {
	switch summary {
	case SummaryOneLine, summaryUnclosed, summaryOpenText, summaryOpenTemplate, summaryNoEquals, summaryLabel, summaryBrace, summaryNoBrace,
		summaryQuotes, summaryMethod, summaryOperator, summaryNewLine, summaryUnit, summaryInvisible, summaryComma, summaryBracket, summaryPasted, summaryCheck, summaryDeclared, summaryDotted, summaryPattern, "Invalid expression", "Missing newline after argument":
		return true
	}
	return false
}

// A rewrite returns "" where it cannot tell what was meant.
type rewrite func(e syntaxError) (summary, detail string)

var rewrites = map[string]rewrite{
	"Invalid single-argument block definition":        oneLine,
	"Argument definition required":                    oneLine,
	"Invalid block definition":                        blockHeader,
	"Argument or block definition required":           bodyItem,
	summaryCharacter:                                  character,
	"Attribute redefined":                             twice,
	"Invalid multi-line string":                       openText,
	"Unterminated template string":                    openText,
	"Unclosed template interpolation sequence":        openTemplate,
	"Extra characters after interpolation expression": openTemplate,
	"Missing newline after argument":                  afterExpression,
	"Missing item separator":                          afterExpression,
	"Missing argument separator":                      afterExpression,
	"Missing attribute separator":                     afterExpression,
	"Unbalanced parentheses":                          afterExpression,
	"Invalid expression":                              noExpression,
	"Unexpected comma after argument":                 comma,
	"Invalid argument name":                           quotedName,
	"Unclosed configuration block":                    openBlock,
	"Missing newline after block definition":          afterBlock,
	"Unsupported operator":                            operator,
	"Missing key/value separator":                     keyWithoutEquals,
	"Invalid template control keyword":                directive,
	"Invalid template directive":                      directive,
	"Invalid 'for' expression":                        forExpression,
	"Missing false expression in conditional":         choice,
	"Missing close bracket on index":                  indexed,
	"Missing close bracket on splat index":            indexed,
	"Unclosed index brackets":                         indexed,
	"Unterminated function call":                      noEnd,
	"Unterminated tuple constructor expression":       noEnd,
	"Unterminated object constructor expression":      noEnd,
}

// oneLine shows the block as it should be written, where all of it is on one
// line. A word or sign that goes on with the expression before it is no second
// attribute.
func oneLine(e syntaxError) (string, string) {
	if lettered(e) {
		return summaryQuotes, noLetter
	}
	if goesOn(e) || e.summary == "Invalid single-argument block definition" && !another().MatchString(e.after) {
		e.summary = "Missing newline after argument"
		return afterExpression(e)
	}
	if said := listed(e); said != "" {
		return summaryNewLine, said
	}
	if lastComma().MatchString(e.after) {
		return comma(e)
	}
	if opens, closes := braces(e.line); opens > closes && strings.TrimSpace(e.after) == "" && filled(e.line) && !closedBelow(e) {
		return summaryUnclosed, fmt.Sprintf("The block that begins on this line is not closed on it. Write `%s`, or each of its attributes and blocks on a line of its own.", strings.TrimSpace(e.line)+strings.Repeat(" }", opens-closes))
	}
	if fixed, name := withEquals(e.line); name != "" {
		if Parses(fixed) {
			return summaryNoEquals, fmt.Sprintf("%s is an attribute, and has an equals sign before its value: `%s`.", name, fixed)
		}
		e.line = fixed
	}
	detail := "A block that is written on one line can hold one attribute and no other block. Write each of its attributes and blocks on a line of its own."
	if unfolded := Unfold(e.line); unfolded != "" {
		detail += "\nhint: write\n" + unfolded
	}
	return SummaryOneLine, detail
}

// braces counts those of a line that are no part of a string.
func braces(line string) (opening, closing int) {
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case !quoted && c == '{':
			opening++
		case !quoted && c == '}':
			closing++
		}
	}
	return opening, closing
}

// filled reports whether the only block that begins on a line has just one attribute
// there, so that nothing but its closing brace is missing.
func filled(line string) bool {
	header, inside, _ := strings.Cut(line, "{")
	return !strings.Contains(header, "=") && oneAttribute().MatchString(inside)
}

// closedBelow reports whether the next line is the closing brace of this one, by its
// indentation.
func closedBelow(e syntaxError) bool {
	next, _, _ := strings.Cut(strings.TrimLeft(e.rest, "\n"), "\n")
	return strings.TrimSpace(next) == "}" && indent(next) >= indent(e.line)
}

// another is what makes a line too full: a second attribute, a block, a sign between
// them, or nothing more.
var another = pattern.New(`^\s*(?:$|\}|,|"?[A-Za-z_][\w-]*"?\s*(?::|=(?:[^=~]|$))|[A-Za-z_][\w-]*(?:\s+"[^"]*")*\s*\{)`)

// lastComma stands behind the only attribute of a line.
var lastComma = pattern.New(`^,\s*\}`)

var oneAttribute = pattern.New(`^\s*[A-Za-z_][\w-]*\s*=\s*(?:"(?:[^"\\]|\\.)*"|[\w.]+)\s*$`)

// goesOn reports whether an expression was meant to go on at the place of an
// error, with a sign or a word of another language.
func goesOn(e syntaxError) bool {
	switch e.at {
	case "=":
		return true
	case "and", "or", "in", "if", "is", "not":
		return !strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(e.after, e.at)), "=")
	}
	return false
}

var bareLabel = pattern.New(`^\s*([A-Za-z_]\w*)((?:\s+"[^"]*")*)\s+([^\s"{]+)\s*\{`)

// bareAttribute is a name and a reference with nothing between them.
var bareAttribute = pattern.New(`^\s*([A-Za-z_]\w*)\s+([A-Za-z_]\w*\.[\w.\[\]"*]+)$`)

// blockHeader explains a label without quotes, and a brace that is missing or
// on the next line.
func blockHeader(e syntaxError) (string, string) {
	if summary, detail := statement(e); summary != "" {
		return summary, detail
	}
	header := strings.TrimSpace(e.before)
	if m := bareLabel().FindStringSubmatch(e.line); m != nil && m[3] != "=" {
		label := m[3]
		if statements[m[1]] {
			return summaryLabel, fmt.Sprintf("A file has no statements, and no %s. A value is chosen by condition ? value : other value, a block is repeated by `dynamic \"TYPE\" { … }`, and a step has when for what it waits for.", m[1])
		}
		detail := fmt.Sprintf("What follows the type of a block is its label, a string in quotes: %s%s %q { … }.", m[1], m[2], label)
		if root, name, found := strings.Cut(label, "."); found && addressed(m[1], root) {
			detail = fmt.Sprintf("An address is a string in quotes, and that of %s is its name: %s%s %q { … }.", wording.WithArticle(root), m[1], m[2], name)
		}
		return summaryLabel, detail
	}
	if strings.HasPrefix(e.after, "=") {
		return summaryWritten, fmt.Sprintf("A block has no equals sign: write %s { … }.", header)
	}
	if strings.HasPrefix(e.after, "(") && strings.TrimSpace(e.after) == "(" {
		return summaryBrace, fmt.Sprintf("What a block says stands between braces: `%s { … }`.", header)
	}
	if strings.HasPrefix(e.after, "(") {
		e.after = header + e.after
		return head(e)
	}
	if strings.HasPrefix(e.after, ":") {
		return summaryWritten, fmt.Sprintf("A block has no colon: write %s { … }.", header)
	}
	if m := bareImport().FindStringSubmatch(e.line); m != nil {
		return summaryNoEquals, fmt.Sprintf("What a file imports is a list: import = [%q].", strings.ReplaceAll(m[1], ".", "/"))
	}
	if m := bareAttribute().FindStringSubmatch(e.line); m != nil {
		return summaryNoEquals, fmt.Sprintf("An attribute is written with an equals sign: `%s = %s`.", m[1], m[2])
	}
	if strings.TrimSpace(e.after) != "" {
		return summaryBrace, fmt.Sprintf("The head of a block is its type and its labels, strings in quotes, and then an opening brace: `%s { … }`.", header)
	}
	if strings.HasPrefix(strings.TrimSpace(e.rest), "{") {
		return summaryBrace, fmt.Sprintf("The opening brace of a block stands on the line of its header: write %s {.", header)
	}
	if path, ok := strings.CutPrefix(header, "import "); ok {
		return summaryNoEquals, fmt.Sprintf("What a file imports is a list: import = [%s].", strings.TrimSpace(path))
	}
	if detail := headAlone(e, header); detail != "" {
		return summaryNoBrace, detail
	}
	if name, value, found := strings.Cut(header, " "); found {
		if summary, detail := labelled(name, strings.TrimSpace(value)); summary != "" {
			return summary, detail
		}
		return summaryNoEquals, fmt.Sprintf("An attribute is written with an equals sign: %s = %s. A block has an opening brace on this line: %s {.", name, strings.TrimSpace(value), header)
	}
	return summaryBrace, fmt.Sprintf("A block has an opening brace on this line: `%s { … }`. An attribute has an equals sign and a value: `%[1]s = …`.", header)
}

// addressed reports whether a block speaks of a declaration by its name alone, which
// other tools would put behind its type.
func addressed(block, root string) bool {
	return root == "step" || (block == "on" || block == "expect") && (root == "provider" || root == "endpoint" || root == "llm" || root == "mcp")
}

// bodyItem explains what stands where an attribute or a block has to begin.
func bodyItem(e syntaxError) (string, string) {
	if e.at == "}" {
		return summaryBrace, tooManyBraces
	}
	if summary, detail := head(e); summary != "" {
		return summary, detail
	}
	if m := bareLabel().FindStringSubmatch(e.line); m != nil && m[3] != "=" && !strings.HasSuffix(m[1]+m[3], ":") {
		return blockHeader(e)
	}
	if strings.HasPrefix(e.after, `"`) && quotedItem().MatchString(e.after) {
		return quotedName(e)
	}
	if strings.HasPrefix(e.after, "--") || strings.HasPrefix(e.after, ";") {
		return summaryComment, "A comment begins with # or //, or stands between /* and */."
	}
	if continuation().MatchString(e.after) {
		return summaryOperator, "An expression ends with its line. One of several lines stands in parentheses: name = ( … )."
	}
	if summary, detail := statement(e); summary != "" {
		return summary, detail
	}
	if summary, detail := unassigned(e); summary != "" {
		return summary, detail
	}
	name, value := e.at, withoutClosing(strings.TrimLeft(strings.TrimPrefix(e.after, e.at), ": \t"))
	if strings.HasPrefix(value, "==") {
		return summaryOperator, fmt.Sprintf("One equals sign gives an attribute its value: `%s = %s`. Two values are compared with == inside of a condition.", name, strings.TrimSpace(value[2:]))
	}
	if value == "" && attributeName().MatchString(name) && strings.HasPrefix(strings.TrimPrefix(e.after, name), ":") {
		return summaryNoEquals, fmt.Sprintf(yamlSaid+" A block is written `%s { … }`, with an attribute on each line: `name = value`.", headOf(name))
	}
	if strings.HasPrefix(value, "{") && attributeName().MatchString(name) && strings.HasPrefix(strings.TrimPrefix(e.after, name), ":") {
		return withColon(name)
	}
	if detail := headAlone(e, strings.TrimSpace(e.after)); detail != "" {
		return summaryNoBrace, detail
	}
	if !attributeName().MatchString(name) || value == "" || strings.ContainsAny(value[:1], "{}()[]=,") && !strings.HasPrefix(value, "[") {
		return summaryNewLine, "Here an attribute begins, `name = value`, or a block, `type \"LABEL\" { … }`: each on a line of its own, and nothing else."
	}
	if bareText().MatchString(value) && !slices.Contains(literalWords, value) {
		value = wording.Quote(value) // YAML has no quotes there
	}
	return summaryNoEquals, fmt.Sprintf("An attribute is written with an equals sign: `%s = %s`.", name, value)
}

var (
	// continuation is an operator with which no attribute and no block begins.
	continuation = pattern.New(`^(?:&&|\|\||[=!<>]=|[<>?+*/%])`)
	// quotedItem is a member as JSON has it.
	quotedItem    = pattern.New(`^"([A-Za-z_][\w-]*)"\s*[:=]\s*(.+?),?\s*$`)
	attributeName = pattern.New(`^[A-Za-z_][\w-]*$`)
)

// withoutClosing is a value without the braces that close the block around it.
func withoutClosing(value string) string {
	for strings.HasSuffix(value, "}") && strings.Count(value, "}") > strings.Count(value, "{") {
		value = strings.TrimRight(value[:len(value)-1], " \t")
	}
	return value
}

var setBefore = pattern.New(`^The argument "([^"]*)" was already set at (.*):(\d+),`)

// twice explains an attribute that stands in one block for the second time.
func twice(e syntaxError) (string, string) {
	m := setBefore().FindStringSubmatch(e.detail)
	if m == nil {
		return "", ""
	}
	return summaryTwice, fmt.Sprintf("The attribute %q was set before at %s:%s. In one block it can be set only once.", m[1], m[2], m[3])
}

func openText(e syntaxError) (string, string) {
	if m := openLabel().FindStringSubmatch(e.line); m != nil {
		return summaryOpenText, fmt.Sprintf("The label has no closing quote: write `%s %q { … }`.", m[1], m[2])
	}
	if strings.TrimSpace(e.after) == "" && strings.TrimSpace(e.rest) == "" && !strings.Contains(e.line, `"`) {
		return summaryOpenText, openHeredoc
	}
	if strings.Count(e.line, "${")+strings.Count(e.line, "%{") > strings.Count(e.line, "}") {
		return summaryOpenTemplate, "A ${ in this text has no closing brace on this line. Write $${ for a literal ${."
	}
	return summaryOpenText, "The string does not end on its line. Close it with a double quote. Write \\n for a line break in a string, or start a string of several lines with <<EOT and end it with a line EOT."
}

var (
	methodCall      = pattern.New(`("(?:[^"\\]|\\.)*"|[A-Za-z_][\w.\[\]*"-]*(?:\([^()]*\))?)\.([A-Za-z_]\w*)$`)
	calledReference = pattern.New(`\b((\w+)\.\w+)$`)
	bareUnit        = pattern.New(`(?:^|[^\w.])([0-9]+(?:\.[0-9]+)?)$`)
	unit            = pattern.New(`^(?:ms|s|m|h|d)\b`)
	wordIf          = pattern.New(`=\s*if\s+$`)
	stringPrefix    = pattern.New(`(?:^|[^\w.])[fFrRbBuU]$`)
	lastOperand     = pattern.New(`("(?:[^"\\]|\\.)*"|[A-Za-z_][\w.\[\]*]*|[0-9.]+)\s+$`)
	firstOperand    = pattern.New(`^(?:in|is|is not)\s+("(?:[^"\\]|\\.)*"|[A-Za-z_][\w.\[\]*]*|\[[^\]]*\]|[0-9.]+)`)
	plainArguments  = pattern.New(`^\(([^()]*)\)`)
	chained         = pattern.New(`^\.([A-Za-z_]\w*)\(([^()]*)\)`)
	wordNot         = pattern.New(`\bnot\s+$`)
)

// declares reports whether a reference can begin with a word.
func declares(word string) bool {
	switch word {
	case "step", "var", "local", "input":
		return true
	}
	return language.File().Block(word) != nil
}

// afterExpression explains what follows an expression on its line.
func afterExpression(e syntaxError) (string, string) {
	if m := calledReference().FindStringSubmatch(e.before); m != nil && declares(m[2]) && strings.HasPrefix(e.after, "()") {
		return summaryMethod, fmt.Sprintf("A reference is not called: write %s without parentheses.", m[1])
	}
	if m := methodCall().FindStringSubmatch(e.before); m != nil && e.at == "(" {
		return summaryMethod, method(m[1], m[2], e.before, e.after)
	}
	if m := bareUnit().FindStringSubmatch(e.before); m != nil && unit().MatchString(e.after) {
		return summaryUnit, fmt.Sprintf("A duration is a string in quotes: %q.", m[1]+unit().FindString(e.after))
	}
	if said := numeral(e); said != "" {
		return summaryOperator, said
	}
	if text := innerQuotes(e); text != "" {
		return summaryQuotes, fmt.Sprintf("The string ends before this. A quote in a string is written with a backslash: %s.", text)
	}
	if summary, detail := inParentheses(e); summary != "" {
		return summary, detail
	}
	switch {
	case e.at == "=" && strings.HasPrefix(e.after, "=~"):
		return summaryOperator, "To match a string against a pattern, write regexmatch(pattern, text)."
	case e.at == "=":
		return summaryOperator, "One equals sign gives an attribute its value. Two values are compared with ==."
	case e.at == "and":
		return summaryOperator, "Write && for and: both conditions have to hold."
	case e.at == "in":
		return summaryOperator, fmt.Sprintf("To find an element in a list, or a part of a string, write %s.", contains(e.before, e.after))
	case e.at == "not" && strings.HasPrefix(e.after, "not in "):
		return summaryOperator, fmt.Sprintf("That a list lacks an element, or a string a part, is written !%s.", contains(e.before, strings.TrimPrefix(e.after, "not ")))
	case e.at == "is":
		return summaryOperator, identity(e.before, e.after)
	case e.at == "if":
		return summaryOperator, choiceOf(e.line)
	case e.at == "or":
		return summaryOperator, "Write || for or: one of the two conditions is enough."
	case wordNot().MatchString(e.before):
		return summaryOperator, "The opposite of a condition is written with an exclamation mark: !(…)."
	case e.summary == "Missing item separator" && e.at == "for":
		return summaryComma, "In a for expression the names come first: [for x in list : x.name]."
	case e.summary == "Missing item separator":
		return summaryComma, "The elements of a list are separated by commas, and it ends with a closing bracket. One of the two is missing before this."
	case e.summary == "Missing argument separator" && strings.HasPrefix(e.after, "=>"):
		return summaryOperator, "A function cannot be written in place. A condition on all elements of a list is alltrue([for x in list : x.n > 0]), and on one of them anytrue([…])."
	case e.summary == "Missing argument separator":
		return summaryComma, "The arguments of a function are separated by commas, and they end with a closing parenthesis. One of the two is missing before this."
	case lettered(e):
		return summaryQuotes, noLetter
	case e.summary == "Missing attribute separator" && (e.at == "]" || e.at == ")"):
		return summaryBracket, fmt.Sprintf("An object that opens with { on this line has no }: it is missing before the %s.", e.at)
	case e.summary == "Missing attribute separator":
		return summaryComma, "The members of an object are separated by commas, or stand on lines of their own. One is missing before this."
	case e.summary != "Missing newline after argument":
		return "", ""
	case strings.HasSuffix(e.before, `""`) && e.at == `"`:
		return summaryNewLine, "There are no triple quotes. A string over several lines begins with <<EOT and ends with EOT on a line of its own."
	case wordIf().MatchString(e.before):
		return summaryOperator, "A condition is written without if. A choice is condition ? value : other value."
	case (e.at == "{" || e.at == `"`) && assigned(e.line) != "":
		return summaryWritten, assigned(e.line)
	case e.at == "{":
		return summaryBrace, "An attribute has no braces: nothing is opened by this one. Take it out."
	case e.at == "}":
		return summaryBrace, "A closing brace stands on a line of its own, unless the whole block stands on one."
	case scheme().MatchString(e.before) && e.after == ":": // what follows is a comment
		m := scheme().FindStringSubmatch(e.before)
		return summaryQuotes, fmt.Sprintf("An address is a string, and stands in quotes: `%s = \"%s://…\"`.", m[1], m[2])
	}
	return summaryNewLine, "The attribute is complete before this. What follows begins on a new line; a string with spaces needs double quotes."
}

func keyWithoutEquals(syntaxError) (string, string) {
	return summaryNoEquals, "Between a name and its value in an object stands an equals sign: { name = value }."
}

func noExpression(e syntaxError) (string, string) {
	if summary, detail := regularExpression(e); summary != "" {
		return summary, detail
	}
	before := strings.TrimSpace(e.before)
	switch {
	case e.at == "/" && onlyEquals().MatchString(before) && barePath().MatchString(e.after):
		return summaryQuotes, fmt.Sprintf("A string stands in quotes: %q.", barePath().FindString(e.after))
	case e.at == "/" && betweenSlashes().MatchString(e.after) && (strings.HasSuffix(before, "(") || strings.HasSuffix(before, ",")):
		return summaryPattern, fmt.Sprintf("Nothing is written between slashes. A pattern is a string: %q.", betweenSlashes().FindStringSubmatch(e.after)[1])
	case e.at == "=" && onlyEquals().MatchString(before):
		name := onlyEquals().FindStringSubmatch(before)[1]
		return summaryOperator, fmt.Sprintf("There is one equals sign too many: `%s = %s`.", name, withoutClosing(strings.TrimSpace(strings.TrimPrefix(e.after, "="))))
	case strings.HasPrefix(e.at, "=") && strings.HasSuffix(before, "="):
		return summaryOperator, "Two values are compared with ==."
	case e.at == ">" && strings.HasSuffix(before, "<"):
		return summaryOperator, "That two values differ is written with !=."
	case e.at == ":" && strings.HasSuffix(before, "[") && part(e.line) != "":
		return summaryOperator, part(e.line)
	case strings.TrimSpace(e.after) == "" && strings.HasSuffix(before, "=") && items(e.rest) != "":
		return summaryNoValue, fmt.Sprintf("A list stands in brackets, and its elements are separated by commas: `%s`.", items(e.rest))
	case strings.TrimSpace(e.after) == "" && strings.HasSuffix(before, "="):
		return summaryNoValue, "There is no value after the equals sign. It has to begin on the same line."
	case share(before) != "":
		return summaryOperator, share(before)
	case (e.at == "}" || strings.TrimSpace(e.after) == "") && asked().MatchString(before):
		return summaryQuotes, fmt.Sprintf("A string stands in quotes: %q.", asked().FindStringSubmatch(before)[1])
	case strings.TrimSpace(e.after) == "":
		return summaryNoValue, "The expression goes on after this operator, on the same line or inside of parentheses."
	}
	return summaryNoValue, fmt.Sprintf("A value is needed here, and %q begins none. A value is a string in quotes, a number, true, false, null, a list [ … ], an object { … }, a reference or a call.", e.at)
}

var (
	// onlyEquals is the name of an attribute with its equals sign.
	onlyEquals = pattern.New(`(?:^|\{)\s*([A-Za-z_][\w-]*)\s*=$`)
	barePath   = pattern.New(`^/[\w/*.-]+`)
	// betweenSlashes is a regular expression as other languages write one.
	betweenSlashes = pattern.New(`^/((?:\\.|[^/\\])+)/`)
	asJSON         = pattern.New(`\bjson\s*=\s*$`)
	bareImport     = pattern.New(`^\s*import\s+([A-Za-z_]\w*(?:[./]\w+)*)$`)
)

func comma(e syntaxError) (string, string) {
	if said := listed(e); said != "" {
		return summaryNewLine, said
	}
	return summaryNewLine, "Attributes of a block are not separated by commas: each stands on a line of its own. In an object, which begins with = {, commas are right."
}

func openBlock(e syntaxError) (string, string) {
	if header, below := unclosed(e.line + "\n" + e.rest); below > 0 {
		detail := "The block that begins here has no closing brace, by the indentation of those below it."
		if !hasSuffixBrace(header) {
			detail = "What opens on this line has no closing brace, by the indentation of those below it."
		}
		if opens, closes := braces(header); opens > closes && !hasSuffixBrace(header) {
			detail += fmt.Sprintf(" Write `%s`.", header+strings.Repeat(" }", opens-closes))
		}
		return summaryUnclosed, detail
	}
	return summaryUnclosed, "The block that begins here has no closing brace before the file ends; or a block inside of it has none, and took that of this one."
}

func hasSuffixBrace(header string) bool { return strings.HasSuffix(header, "{") }

// opened is the line of the block that lacks its closing brace, by the indentation, or
// the place of the outermost around it.
func opened(at *hcl.Range, src []byte) *hcl.Range {
	start := bytes.LastIndexByte(src[:at.Start.Byte], '\n') + 1
	header, below := unclosed(string(src[start:]))
	if below == 0 {
		return at
	}
	line, next := LineAt(src, start)
	for range below {
		start = next
		line, next = LineAt(src, start)
	}
	lead := indent(string(line))
	return &hcl.Range{
		Filename: at.Filename,
		Start:    hcl.Pos{Line: at.Start.Line + below, Column: lead + 1, Byte: start + lead},
		End:      hcl.Pos{Line: at.Start.Line + below, Column: lead + len(header) + 1, Byte: start + lead + len(header)},
	}
}

// unclosed finds, by the indentation of braces, the block whose closing brace is
// missing: the first whose place another block's brace takes. It returns the
// block's header and how many lines below the first it stands, 0 for none.
func unclosed(text string) (header string, below int) {
	type begun struct {
		indent, line int
		header       string
	}
	var stack []begun
	n := 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		indent := len(line) - len(strings.TrimLeft(line, " \t"))
		switch {
		case !strings.HasPrefix(trimmed, "#") && opensMore(trimmed):
			stack = append(stack, begun{indent, n, trimmed})
		case trimmed == "}" && len(stack) > 0:
			if top := stack[len(stack)-1]; indent < top.indent {
				return top.header, top.line
			}
			stack = stack[:len(stack)-1]
		}
		n++
	}
	return "", 0
}

// opensMore reports whether a line opens more braces than it closes.
func opensMore(line string) bool {
	opens, closes := braces(string(withoutComment([]byte(line))))
	return opens > closes
}

func afterBlock(e syntaxError) (string, string) {
	if m := chained().FindStringSubmatch(e.line[len(e.before):]); m != nil {
		return summaryMethod, fmt.Sprintf("A block is not followed by calls. What belongs to it is an attribute in it: `%s = %s`.", m[1], cmp.Or(m[2], "…"))
	}
	if e.at == "}" {
		return summaryBrace, tooManyAfterBlock
	}
	return summaryNewLine, "The block ends before this. What follows begins on a new line."
}

func operator(e syntaxError) (string, string) {
	switch e.at {
	case "&":
		return summaryOperator, "Write && for and: both conditions have to hold."
	case "|":
		return summaryOperator, "Write || for or: one of the two conditions is enough."
	case "~":
		return summaryOperator, "To match a string against a pattern, write regexmatch(pattern, text)."
	case "**":
		return summaryOperator, "The power of a number is pow(base, exponent)."
	}
	return regularExpression(e)
}
