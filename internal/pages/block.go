package pages

import (
	"fmt"
	"strings"
)

// A Block is one fenced block of a page.
type Block struct {
	// Line is the line of its opening fence, from 1.
	Line int
	// Language is the word after the fence.
	Language string
	// Directive and Argument are those of the comment before it; "" without
	// one. A directive that takes no block is a Block of its own.
	Directive, Argument string
	Text                string
	// Offset is where Text begins in the page, in bytes.
	Offset int
}

var directives = map[string]bool{"file": true, "patch": true, "part": true, "output": true, "go": true, "not run": true, service: true, folder: true, image: true}

// The directives that stand alone.
const (
	service = "service"
	folder  = "folder"
	image   = "image"
)

var alone = map[string]bool{service: true, folder: true, image: true}

// Blocks returns the fenced blocks of a page in their order.
func Blocks(page string) ([]Block, error) {
	var all []Block
	var open *Block
	var comment Block
	end := 0
	for i, line := range strings.SplitAfter(page, "\n") {
		end += len(line)
		text := strings.TrimRight(line, "\n")
		switch {
		case open != nil && text == "```":
			all = append(all, *open)
			open, comment = nil, Block{}
		case open != nil:
			open.Text += line
		case strings.HasPrefix(text, "```"):
			open = &Block{Line: i + 1, Language: strings.TrimPrefix(text, "```"), Directive: comment.Directive, Argument: comment.Argument, Offset: end}
		case strings.HasPrefix(text, "<!--"):
			if comment = directive(text); alone[comment.Directive] {
				comment.Line, comment.Offset = i+1, end
				all, comment = append(all, comment), Block{}
			}
		case strings.TrimSpace(text) != "":
			if comment.Directive != "" {
				return nil, fmt.Errorf("line %d: no block follows the comment %q", i, comment.Directive+": "+comment.Argument)
			}
		}
	}
	if open != nil {
		return nil, fmt.Errorf("line %d: the block has no end", open.Line)
	}
	return all, nil
}

// directive reads a comment; one that is none of ours gives nothing.
func directive(text string) Block {
	inner, ok := strings.CutSuffix(strings.TrimPrefix(text, "<!--"), "-->")
	if !ok {
		return Block{}
	}
	name, argument, ok := strings.Cut(strings.TrimSpace(inner), ": ")
	if !ok || !directives[name] {
		return Block{}
	}
	return Block{Directive: name, Argument: argument}
}
