package help

import (
	"embed"
	"fmt"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/schema"
)

//go:embed gates.txtar kinds.txtar
var archives embed.FS

// example is a file of an archive and those that it reads it.
func example(c Class, name string) (source string, files map[string]string) {
	text, err := archives.ReadFile(string(c) + "s.txtar")
	if err != nil {
		return "", nil
	}
	for _, f := range txtar.Parse(text).Files {
		if f.Name == name {
			source = string(f.Data)
		} else if of, file, ok := strings.Cut(f.Name, "/"); ok && of == name {
			if files == nil {
				files = map[string]string{}
			}
			files[file] = string(f.Data)
		}
	}
	return source, files
}

// gateText explains a gate.
func gateText(g interp.Gate) string {
	var b strings.Builder
	fmt.Fprintf(&b, "gate %q\n\n", g.Name)
	b.WriteString(wrapped("Broken when: ", g.Means))
	b.WriteString("\n" + wrapped("What to do:  ", g.Do))
	source, files := example(Gate, g.Name)
	b.WriteString("\nA scenario that breaks it")
	if g.Driven {
		b.WriteString(", with a program that does so")
	}
	b.WriteString(":\n\n" + indented(source))
	for _, name := range sortedNames(files) {
		fmt.Fprintf(&b, "\n%s:\n\n%s", name, indented(files[name]))
	}
	fmt.Fprintf(&b, "\nallow = [%q] in the scenario accepts it, and every report says so.\n", g.Name)
	return b.String()
}

// kindText explains a kind of step.
func kindText(block *schema.Block) string {
	var b strings.Builder
	fmt.Fprintf(&b, "step %q\n\n", block.Kind)
	b.WriteString(wrapped("", block.Doc))
	own, common := ownAttrs(block)
	b.WriteString("\nAttributes:\n")
	arguments(&b, own)
	var blocks []string
	for _, nested := range block.Blocks {
		blocks = append(blocks, nested.Type)
	}
	b.WriteString("\n" + wrapped("", "Blocks: "+strings.Join(blocks, ", ")+"."))
	b.WriteString(wrapped("", "As every step: "+strings.Join(common, ", ")+"."))
	source, _ := example(Kind, block.Kind)
	b.WriteString("\nExample:\n\n" + indented(source))
	return b.String()
}
