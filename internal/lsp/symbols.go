package lsp

import (
	"strings"

	"github.com/scenario-lang/scenario/dsl"
)

// outline is what a file declares, as a tree.
func outline(t *text, b *dsl.Block) []documentSymbol {
	list := []documentSymbol{}
	for _, n := range b.Blocks {
		s := documentSymbol{Name: symbolName(n), Detail: n.Type, Kind: symbolKind(n)}
		end := max(n.End.End.Byte, n.DefRange.End.Byte)
		s.Range = t.span(n.DefRange.Start.Byte, end)
		s.Selection = t.rangeOf(n.DefRange)
		s.Children = outline(t, n)
		list = append(list, s)
	}
	if b.Type == "locals" {
		for _, a := range b.Attrs {
			list = append(list, documentSymbol{Name: a.Name, Detail: "local", Kind: symbolVariable, Range: t.rangeOf(a.Range), Selection: t.rangeOf(a.NameRange)})
		}
	}
	return list
}

// symbolName is what tells a block from others of its type.
func symbolName(b *dsl.Block) string {
	if len(b.Labels) == 0 {
		return b.Type
	}
	return b.Type + " " + strings.Join(b.Labels, " ")
}

// symbolKind is the nearest that the protocol has, for the icon.
func symbolKind(b *dsl.Block) int {
	switch b.Type {
	case "scenario":
		return symbolFunction
	case "workflow", "actor", "bench":
		return symbolModule
	case "variable", "locals":
		return symbolVariable
	case "reply", "fault", "replay", "event":
		return symbolEvent
	}
	if b.Parent != nil && b.Parent.Type == "" {
		return symbolClass
	}
	return symbolField
}

// matching are the declarations of a file whose name has the letters of a
// query in it.
func matching(t *text, uri string, file *dsl.File, query string) []symbolInformation {
	list := []symbolInformation{}
	query = strings.ToLower(query)
	var visit func(b *dsl.Block, container string)
	visit = func(b *dsl.Block, container string) {
		for _, n := range b.Blocks {
			if named(n.Schema) && strings.Contains(strings.ToLower(n.Name()), query) {
				list = append(list, symbolInformation{Name: n.Name(), Kind: symbolKind(n), Container: strings.TrimSpace(container + " " + n.Type), Location: location{uri, t.rangeOf(n.DefRange)}})
			}
			visit(n, symbolName(n))
		}
	}
	visit(file.Body, "")
	return list
}
