package mistakes

import (
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// openHeredoc is said of a heredoc without its end before the word is known that ends it.
const openHeredoc = "This text began with << and a word. It ends with a line that holds only that word."

// heredocSaid says which line would end the heredoc that begins at a place, and which one was
// probably meant to.
func heredocSaid(at *hcl.Range, src []byte) string {
	begin := string(at.SliceBytes(src))
	word := strings.TrimLeft(begin, "<-")
	if !attributeName().MatchString(word) {
		return openHeredoc
	}
	n := at.Start.Line
	for line := range strings.Lines(string(src[at.End.Byte:])) {
		if other := strings.TrimSpace(line); n > at.Start.Line && upperWord().MatchString(other) {
			return fmt.Sprintf("This text began with %s, so the %s of line %d does not end it: write %s there.", begin, other, n, word)
		}
		n++
	}
	return fmt.Sprintf("This text began with %s. It ends with a line that holds only the word %s.", begin, word)
}

var (
	// upperWord is a line that looks as if it were to end a heredoc.
	upperWord = pattern.New(`^[A-Z][A-Z0-9_]*$`)
	// inserted is a value in a directive, and directiveWord what begins a directive.
	inserted      = pattern.New(`%\{[ ~]*([A-Za-z_][\w.\[\]*]*)[ ~]*\}`)
	directiveWord = pattern.New(`^(?:if|else|endif|for|endfor)$`)
	// equalsLabel is the head of a block with an equals sign before its labels.
	equalsLabel = pattern.New(`^\s*([A-Za-z_]\w*)\s*=\s*((?:"[^"]*"\s*)+)\{`)
)

// assigned explains the head of a block that is written as an assignment, "" for the value
// of an attribute.
func assigned(line string) string {
	m := equalsLabel().FindStringSubmatch(line)
	if m == nil || blockWords()[m[1]].labels == 0 {
		return ""
	}
	return fmt.Sprintf("A block has its label without an equals sign: write `%s %s { … }`.", m[1], strings.TrimSpace(m[2]))
}

func directive(e syntaxError) (string, string) {
	if strings.HasPrefix(e.detail, "%{ in a string") {
		return "", ""
	}
	if m := inserted().FindStringSubmatch(e.line); m != nil && !directiveWord().MatchString(m[1]) {
		return "Invalid template directive", fmt.Sprintf("A value is inserted with a dollar sign: `\"${%s}\"`. A percent sign begins a directive, such as %%{ if condition }. Write %%%%{ for a literal %%{.", m[1])
	}
	return "Invalid template directive", "%{ in a string begins a directive, such as %{ if condition } and %{ endif }. Write %%{ for a literal %{."
}

func openTemplate(syntaxError) (string, string) {
	return summaryOpenTemplate, "What ${ opens has no closing brace. Write ${name} for a value in a string, and $${ for a literal ${."
}
