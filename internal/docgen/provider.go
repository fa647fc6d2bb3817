package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/catalog"
	"github.com/scenario-lang/scenario/wire"
)

// providerPage describes one kind of provider: how to declare it, what a reply
// says in its terms, and how its failures look on the wire. What stands on the
// wire is rendered by the adapter itself.
func providerPage(k *catalog.Kind) string {
	w := title("Provider "+k.Name, k.Summary)
	w.printf("\nDeclare it as `provider %q \"name\" { … }`; steps of kind `%s` call it.", k.Name, k.Family)
	if k.BaseURL != "" {
		w.printf(" Its `base_url` is `%s` unless given.", k.BaseURL)
	}
	w.printf(" The attributes are in [blocks and attributes](reference-blocks.md).\n")
	w.printf("\n## A reply\n\nWhat `reply { … }` says; the adapter renders it into the vendor's own format, and reads it back like any answer.\n")
	w.attrs(k.Reply)
	w.printf("\n## In failure\n\n")
	for _, text := range k.InFailure {
		w.printf("- %s\n", text)
	}
	if k.ToPrograms != nil {
		w.printf("\n## To programs\n\nWhat [a program](programs.md) or [Go code in a test](go-tests.md) meets that asks here:\n\n")
	}
	for _, text := range k.ToPrograms {
		w.printf("- %s\n", text)
	}
	if k.APIs == nil {
		w.onTheWire(k, k.Adapter, "")
		return w.String()
	}
	for _, api := range slices.Sorted(maps.Keys(k.APIs)) {
		w.onTheWire(k, k.APIs[api], fmt.Sprintf(" with `api = %q`", api))
	}
	return w.String()
}

// onTheWire shows the bytes of an adapter's error and of the end of a stream.
func (w *writer) onTheWire(k *catalog.Kind, a providers.Adapter, with string) {
	if _, messages := a.(providers.Opener); messages {
		return // not made to be read
	}
	in := providers.Input{Model: "model", BaseURL: k.BaseURL, Method: "GET", Messages: []providers.Message{{Role: "user", Content: "hi"}}}
	for _, status := range []int{429, 500} {
		w.printf("\nA status %d%s:\n\n```\n%s\n```\n", status, with, body(a.RenderError(in, status, "", "")))
	}
	if k.Family != "llm" {
		return
	}
	in.Stream = true
	parts := a.Render(in, providers.Output{Chunks: []string{"Hello ", "there"}}).Parts
	last := wire.Response{Parts: parts[len(parts)-1:]}
	w.printf("\nThe last event of a whole stream%s:\n\n```\n%s\n```\n", with, body(last))
}

func body(r wire.Response) string { return strings.TrimRight(string(r.Body()), "\n") }
