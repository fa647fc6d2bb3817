package mistakes

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/dsl/spelling"
	"github.com/scenario-lang/scenario/internal/pattern"
)

// yamlSaid begins what is said of a block in the form of YAML, which goes on below.
const yamlSaid = "This is written like YAML."

// headOf is a name as the head of a block, with the labels that such a block has.
func headOf(name string) string {
	file := language.File()
	s := file.Block(name)
	if s == nil {
		var types []string
		for _, b := range file.Blocks {
			types = append(types, b.Type)
		}
		s = file.Block(spelling.Nearest(name, types))
	}
	if s != nil {
		return Form(s)
	}
	return name
}

// literalWords are words that are values without quotes.
var literalWords = []string{"true", "false", "null"}

// bareText is a text without quotes that is no reference.
var bareText = pattern.New(`^[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9.]+)*$`)

// deeper reports whether a line and all above it up to that of a cause are indented deeper
// than the cause.
func deeper(src []byte, cause, at hcl.Pos) bool {
	lines := strings.Split(string(src), "\n")
	if at.Line > len(lines) {
		return false
	}
	for _, line := range lines[cause.Line:at.Line] {
		if strings.TrimSpace(line) != "" && indent(line) <= indent(lines[cause.Line-1]) {
			return false
		}
	}
	return true
}
