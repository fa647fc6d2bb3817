package mistakes

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// character explains a character that HCL does not have.
func character(e syntaxError) (string, string) {
	switch {
	case e.at == "'":
		text, _, closed := strings.Cut(strings.TrimPrefix(e.after, "'"), "'")
		if !closed {
			text = "…"
		}
		if object := AsObject(text); object != "" && asJSON().MatchString(e.before) {
			return summaryQuotes, fmt.Sprintf("What is sent as JSON is written as a value, without quotes: json = %s.", object)
		}
		return summaryQuotes, fmt.Sprintf("A string is written in double quotes: %q.", text)
	case e.at == "“" || e.at == "”":
		return summaryQuotes, `These are typographic quotes, as word processors write them. A text is written in straight double quotes: "…".`
	case e.at == "`":
		if text, _, closed := strings.Cut(strings.TrimPrefix(e.after, "`"), "`"); closed {
			return summaryQuotes, fmt.Sprintf("A string is written in double quotes: %q. One of several lines begins with <<EOT and ends with a line EOT.", text)
		}
		return summaryQuotes, `A text is written in double quotes: "…". One of several lines begins with <<EOT and ends with a line EOT.`
	case e.at == `\`:
		if summary, detail := regularExpression(e); summary != "" {
			return summary, detail
		}
		return unusable(e.at)
	case e.at == ";" && inObject().MatchString(e.before):
		return summaryComma, "There are no semicolons: the members of an object are separated by commas."
	case e.at == ";":
		return summaryNewLine, "There are no semicolons: each attribute stands on a line of its own."
	case e.at == "$" && strings.HasPrefix(e.after, "$.") && strings.HasSuffix(e.before, "."):
		return summaryCharacter, "What a value has follows a dot, as in value.name and value[0]: there is no JSONPath, and no $."
	case e.at == "$" && strings.HasPrefix(e.after, "${"):
		return interpolated(e)
	case e.at != "":
		return unusable(e.at)
	}
	return "", ""
}

// interpolated explains ${ } where an expression stands already: by itself, or inside
// another ${ }.
func interpolated(e syntaxError) (string, string) {
	inner, _, closed := strings.Cut(strings.TrimPrefix(e.after, "${"), "}")
	inner = strings.TrimSpace(inner)
	if !closed || inner == "" || strings.Contains(inner, "{") {
		inner = "…"
	}
	if reference := unended(e.before); reference != "" {
		return summaryOpenTemplate, fmt.Sprintf("The ${ before this has no closing brace: write `\"${%s}\"`.", reference)
	}
	if strings.Contains(e.before, "${") {
		return summaryCharacter, fmt.Sprintf("Inside of ${ } an expression stands as it is, without another ${ }: %s.", inner)
	}
	return summaryCharacter, fmt.Sprintf("${ } is for expressions inside of a text. Here one stands by itself: %s.", inner)
}

// unended is the reference behind the last ${ of a line that has no closing brace, "" where an
// expression goes on to the end of the line: behind an operator, in parentheses, or at once.
func unended(before string) string {
	_, inside, _ := cutLast(before, "${")
	m := referenceThenText().FindStringSubmatch(inside)
	if m == nil {
		return ""
	}
	return m[1]
}

// referenceThenText is a reference with a text behind it that no expression goes on with.
var referenceThenText = pattern.New(`^\s*([A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\[\w+\])+)(?:[.,;:!]?\s+(?:[A-Za-z][^?]*)?|[.,;:!]|\s*[-/@_]\s*)$`)

func cutLast(text, sep string) (before, after string, found bool) {
	i := strings.LastIndex(text, sep)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(sep):], true
}

// unusable names a character that means nothing outside of texts and comments,
// by its code point where it may not be seen.
func unusable(at string) (string, string) {
	r, _ := utf8.DecodeRuneInString(at)
	switch {
	case r == utf8.RuneError:
		return "", ""
	case invisibleName(r) != "":
		return summaryInvisible, fmt.Sprintf("Here is a character that cannot be seen, U+%04X (%s). Delete it, and type a plain space where one is needed.", r, invisibleName(r))
	case !unicode.IsGraphic(r) || unicode.IsSpace(r) || unicode.Is(unicode.Mn, r):
		return summaryInvisible, fmt.Sprintf("Here is a character that cannot be seen, U+%04X. Delete it, and type a plain space where one is needed.", r)
	}
	return summaryCharacter, fmt.Sprintf("The character %q (U+%04X) has no meaning here: it may only appear in a string or a comment.", string(r), r)
}

// invisibleName is that of a character which cannot be seen, "" for any other.
func invisibleName(r rune) string {
	switch r {
	case 0x00a0:
		return "no-break space"
	case 0x00ad:
		return "soft hyphen"
	case 0x200b:
		return "zero-width space"
	case 0x200c:
		return "zero-width non-joiner"
	case 0x200d:
		return "zero-width joiner"
	case 0x2028:
		return "line separator"
	case 0x202f:
		return "narrow no-break space"
	case 0x2060:
		return "word joiner"
	case 0x3000:
		return "ideographic space"
	case 0xfeff:
		return "byte order mark"
	}
	return ""
}
