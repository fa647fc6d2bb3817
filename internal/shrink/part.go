package shrink

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// removable are the blocks of a scenario that may go, and inner those inside of them.
var (
	removable = []string{"on", "call", "event", "hold", "outage", "expect", "assert", "snapshot", "invariant"}
	inner     = []string{"reply", "fault", "replay"}
)

// A part of a scenario may go: a block, or an element of a list.
type part struct {
	// start and end are bytes of the file, whole lines of a block that has them for
	// itself.
	start, end int
	// harm says that it makes something fail, and answers nothing.
	harm bool
	// list is that of an element, nil for a block.
	list *hclsyntax.TupleConsExpr
}

// harmful are the blocks that make something fail.
var harmful = []string{"event", "hold", "outage", "fault"}

// partsOf are those of a scenario, each before what stands inside of it.
func partsOf(source []byte, scenario *hclsyntax.Block) []part {
	var parts []part
	for _, b := range scenario.Body.Blocks {
		if !slices.Contains(removable, b.Type) {
			continue
		}
		parts = append(parts, blockPart(source, b))
		parts = append(parts, innerParts(source, b)...)
		if at := b.Body.Attributes["at"]; at != nil && b.Type == "call" {
			if list, ok := at.Expr.(*hclsyntax.TupleConsExpr); ok {
				for _, e := range list.Exprs {
					parts = append(parts, part{start: e.Range().Start.Byte, end: e.Range().End.Byte, list: list})
				}
			}
		}
	}
	return parts
}

// innerParts are the entries of a script, and the answers inside of its faults.
func innerParts(source []byte, b *hclsyntax.Block) []part {
	var parts []part
	for _, entry := range b.Body.Blocks {
		if !slices.Contains(inner, entry.Type) || b.Type == "outage" && entry.Type == "fault" {
			continue
		}
		parts = append(parts, blockPart(source, entry))
		parts = append(parts, innerParts(source, entry)...)
	}
	return parts
}

// blockPart is a block with the comment that stands right above it.
func blockPart(source []byte, b *hclsyntax.Block) part {
	r := hcl.RangeBetween(b.Range(), b.CloseBraceRange)
	start, end, harm := r.Start.Byte, r.End.Byte, slices.Contains(harmful, b.Type)
	line := bytes.LastIndexByte(source[:start], '\n') + 1
	if len(bytes.TrimSpace(source[line:start])) > 0 {
		return part{start: start, end: end, harm: harm}
	}
	start = line
	for start > 0 {
		above := bytes.LastIndexByte(source[:start-1], '\n') + 1
		text := bytes.TrimSpace(source[above : start-1])
		if !bytes.HasPrefix(text, []byte("#")) && !bytes.HasPrefix(text, []byte("//")) {
			break
		}
		start = above
	}
	if n := bytes.IndexByte(source[end:], '\n'); n >= 0 {
		end += n + 1
	} else {
		end = len(source)
	}
	return part{start: start, end: end, harm: harm}
}

// without is the text without some of its parts.
func without(source []byte, parts []part, gone []bool) []byte {
	type edit struct {
		start, end int
		text       string
	}
	var edits []edit
	var lists []*hclsyntax.TupleConsExpr
	for i, p := range parts {
		switch {
		case !gone[i]:
		case p.list == nil:
			edits = append(edits, edit{start: p.start, end: p.end})
		case !slices.Contains(lists, p.list):
			lists = append(lists, p.list)
			edits = append(edits, edit{p.list.SrcRange.Start.Byte, p.list.SrcRange.End.Byte, elements(source, parts, gone, p.list)})
		}
	}
	slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
	var out []byte
	at := 0
	for _, e := range edits {
		if e.start < at {
			continue // inside of another that goes
		}
		out = append(append(out, source[at:e.start]...), e.text...)
		at = e.end
		if e.text == "" && blankEnd(out) {
			at += len(blankLine(source[at:]))
		}
	}
	return append(out, source[at:]...)
}

// elements writes a list with those of its elements that stay.
func elements(source []byte, parts []part, gone []bool, list *hclsyntax.TupleConsExpr) string {
	var kept []string
	for i, p := range parts {
		if p.list == list && !gone[i] {
			kept = append(kept, string(source[p.start:p.end]))
		}
	}
	return "[" + strings.Join(kept, ", ") + "]"
}

// blankEnd reports whether a text ends with an empty line, or with the beginning of a
// block.
func blankEnd(text []byte) bool {
	return bytes.HasSuffix(text, []byte("\n\n")) || bytes.HasSuffix(text, []byte("{\n"))
}

// blankLine is the empty line with which a text begins, nothing for none.
func blankLine(text []byte) []byte {
	n := bytes.IndexByte(text, '\n')
	if n < 0 || len(bytes.TrimSpace(text[:n])) > 0 {
		return nil
	}
	return text[:n+1]
}
