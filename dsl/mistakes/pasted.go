package mistakes

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/internal/pattern"
)

const summaryPasted = "Text of another format"

// A leftover is a line that came into a file with what was pasted, and belongs to the
// format it was copied from.
type leftover struct {
	line func() *regexp.Regexp
	said string
}

var leftovers = []leftover{
	{pattern.New(`^(?:<{7}|={7}|>{7})(?:\s|$)`), "This line marks a merge conflict. Keep one of the two versions, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>."},
	{pattern.New("^\\s*(?:```|~~~)[\\w+-]*\\s*$"), "This line is the fence of a code block in Markdown. Delete it; what stands between the fences is the file."},
	{pattern.New(`^(?:diff --git |@@ |index [0-9a-f]{7,}\.\.|(?:---|\+\+\+) [ab]/)`), "This line belongs to a diff. Apply the diff with git apply or patch, or paste the new lines without their signs."},
	{pattern.New(`^---\s*$`), "This line begins a document in YAML. Delete it; here an attribute is written `name = value`, and a block `type \"LABEL\" { … }`."},
	{pattern.New(`^[+-](?:\s|[A-Za-z_"}\]])`), "The sign at the beginning of this line is from a diff. Delete each + with which a line begins, and each line that begins with -."},
	{pattern.New(`^\s*(?:\$|%|❯|➜)\s+[A-Za-z./]`), "This is a line for a shell. Delete it here, and type the command in a terminal."},
}

// withoutPasted says of a file in which something of another format was pasted that it
// has it, once, and nothing of what the parser makes of that line and those below it.
func withoutPasted(diags hcl.Diagnostics, src []byte) hcl.Diagnostics {
	var found *hcl.Diagnostic
	for _, d := range diags {
		if !ofParser(d) || d.Subject.Start.Byte < 0 || d.Subject.Start.Byte > len(src) {
			continue
		}
		at, said := leftoverAt(d.Subject, src)
		if said == "" || found != nil && found.Subject.Start.Byte <= at.Start.Byte {
			continue
		}
		found = &hcl.Diagnostic{Severity: hcl.DiagError, Summary: summaryPasted, Detail: said, Subject: at}
	}
	if found == nil {
		return diags
	}
	kept := slices.DeleteFunc(slices.Clone(diags), func(d *hcl.Diagnostic) bool {
		return ofParser(d) && (d.Subject.Start.Line >= found.Subject.Start.Line || d.Summary == "Unclosed configuration block")
	})
	return append(kept, found)
}

// leftoverAt is the line of a place with what is said of it, "" where it has nothing of
// another format.
func leftoverAt(at *hcl.Range, src []byte) (*hcl.Range, string) {
	start := bytes.LastIndexByte(src[:at.Start.Byte], '\n') + 1
	line, _ := LineAt(src, start)
	text := string(line)
	said := ""
	if i := slices.IndexFunc(leftovers, func(l leftover) bool { return l.line().MatchString(text) }); i >= 0 {
		said = leftovers[i].said
	} else if len(bytes.TrimSpace(src[:start])) == 0 {
		said = asFileOfJSON(src)
	}
	end := len(strings.TrimRight(text, " \t\r"))
	return &hcl.Range{
		Filename: at.Filename,
		Start:    hcl.Pos{Line: at.Start.Line, Column: 1, Byte: start},
		End:      hcl.Pos{Line: at.Start.Line, Column: end + 1, Byte: start + end},
	}, said
}

var beginsJSON = pattern.New(`^\s*(?:\{\s*(?:"|\}|$)|\[\s*[\[{"\d])`)

// asFileOfJSON is what is said of a file that holds JSON. One with plain values is
// shown as it is written here; a name that no attribute can have is of no such file.
func asFileOfJSON(src []byte) string {
	if !beginsJSON().Match(src) {
		return ""
	}
	const said = "This file is JSON. Here an attribute is written `name = value`, and a block `type \"LABEL\" { … }`."
	var members map[string]any
	if !fromJSON(string(src), &members) || len(members) == 0 {
		return said
	}
	var lines []string
	for name, v := range members {
		if !hclsyntax.ValidIdentifier(name) {
			return said
		}
		switch v.(type) {
		case map[string]any, []any:
			return said
		}
		var value strings.Builder
		writeValue(&value, v)
		lines = append(lines, fmt.Sprintf("  %s = %s", name, value.String()))
	}
	slices.Sort(lines)
	return "This file is JSON. Its values are written one on each line.\nhint: write\n" + strings.Join(lines, "\n")
}
