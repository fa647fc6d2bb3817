package main

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl/language"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/internal/help"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
)

// agentsText is the page for coding agents, with words in braces where a list is
// read off the code.
//
//go:embed agents.md.tmpl
var agentsText string

// agentsPage is all of the language in three thousand words.
func agentsPage() string {
	return strings.NewReplacer(
		"{{gates}}", drawing(gateLines()),
		"{{blocks}}", drawing(blockLines()),
		"{{kinds}}", drawing(kindLines()),
		"{{faults}}", drawing(faultLines()),
		"{{results}}", drawing(resultLines()),
		"{{functions}}", functionNames(),
		"{{failures}}", failureKinds(),
	).Replace(agentsText)
}

// drawing is a block of lines that nothing runs.
func drawing(lines []string) string { return "```\n" + strings.Join(lines, "\n") + "\n```" }

func gateLines() []string {
	var lines []string
	for _, g := range interp.GateTable() {
		if !g.Driven {
			means, _, _ := strings.Cut(g.Means, ": ")
			lines = append(lines, g.Name+": "+means)
		}
	}
	return lines
}

// briefBlocks are those that the page lists, each with the blocks in it.
var briefBlocks = []string{"provider", "retry", "breaker", "rate_limit", "gateway", "workflow", "endpoint", "scenario", "invariant", "taxonomy", "actor", "classifier", "fanout", "bench"}

func blockLines() []string {
	var lines []string
	for _, name := range briefBlocks {
		b := language.File().Block(name)
		if b.Kinds == nil {
			lines = append(lines, blockLine(b, ""))
		}
		for _, k := range b.Kinds {
			lines = append(lines, blockLine(k, ""))
		}
		for _, n := range b.Blocks {
			if n.Type != "step" && n.Type != "dynamic" && len(n.Attrs) > 0 {
				lines = append(lines, blockLine(n, "  "))
			}
		}
		if name == "scenario" {
			for _, n := range b.Block("on").Blocks {
				if n.Type == "reply" || n.Type == "replay" {
					lines = append(lines, blockLine(n, "    on: "))
				}
			}
		}
	}
	return lines
}

// blockLine is a block with its attributes and the blocks in it.
func blockLine(b *schema.Block, indent string) string {
	name := b.Type
	if b.Kind != "" {
		name += " \"" + b.Kind + "\""
	}
	return indent + name + " " + strings.Join(attrWords(b.Listed()), " ")
}

// attrWords are attributes with their defaults; one that must be given has a star.
func attrWords(attrs []schema.Attr) []string {
	var words []string
	for _, a := range attrs {
		word := a.Name
		switch {
		case a.Required:
			word += "*"
		case len(a.OneOf) > 1 && len(a.OneOf) < 6:
			word += "=" + strings.Join(a.OneOf, "|")
		case a.Default != "" && a.Default != "false" && a.Default != "[]" && !strings.Contains(a.Default, " "):
			word += "=" + a.Default
		}
		words = append(words, word)
	}
	return words
}

// kindLines list what each kind of step has beside what all have that call a service.
func kindLines() []string {
	kinds := language.StepBlock().Kinds
	common := func(a schema.Attr) bool {
		return !slices.ContainsFunc(kinds, func(k *schema.Block) bool {
			return slices.Contains([]string{"llm", "http", "mcp", "sql"}, k.Kind) && k.Attr(a.Name) == nil
		})
	}
	var lines []string
	for _, k := range kinds {
		if language.LaterKinds["step "+k.Kind] {
			continue
		}
		if k.Kind == "llm" {
			all := slices.DeleteFunc(k.Listed(), func(a schema.Attr) bool { return !common(a) })
			lines = append(lines, "all that call a service: "+strings.Join(attrWords(all), " ")+"; blocks validate { condition* retry mode }, bulkhead { max_concurrent* max_queue }")
		}
		own := slices.DeleteFunc(k.Listed(), common)
		line := k.Kind + ": " + strings.Join(attrWords(own), " ")
		if k.Kind == "llm" {
			line += "; blocks tool \"NAME\" { output | step, description, parameters }, consumer { abort_after_chunks | abort_after }"
		}
		lines = append(lines, line)
	}
	return lines
}

func faultLines() []string {
	var lines []string
	for _, k := range faults.Kinds() {
		line := k.Name
		if len(k.Attrs) > 0 {
			line += " { " + strings.Join(attrWords(k.Attrs), " ") + " }"
		}
		if o := help.Observations(k); len(o) > 0 {
			seen := "an answer"
			if o[0].Failure != "" {
				seen = o[0].Failure + ", not retried"
			}
			if o[0].Retried {
				seen = o[0].Failure + ", retried"
			}
			line += " → " + seen
		}
		lines = append(lines, line)
	}
	return lines
}

// briefResults are the results that the page lists: those of workflows and programs.
var briefResults = []string{
	"step.NAME", "call.NAME", "endpoint.NAME", "target.NAME", "breaker.NAME", "gateway.NAME", "run", "sut",
	"An attempt", "A call of a program", "A rejection", "An error",
}

func resultLines() []string {
	var lines []string
	for _, root := range interp.Results() {
		brief, _, _ := strings.Cut(root.Name, " of a")
		if !slices.Contains(briefResults, root.Name) && !slices.Contains(briefResults, brief) && root.Name != "run.partial" {
			continue
		}
		var names []string
		for _, a := range root.Attrs {
			names = append(names, a.Name)
		}
		lines = append(lines, root.Name+": "+strings.Join(names, " "))
	}
	return lines
}

func failureKinds() string {
	var kinds []string
	for _, k := range failure.Kinds() {
		kinds = append(kinds, string(k))
	}
	return "`" + strings.Join(kinds, " ") + "`"
}

func functionNames() string {
	var names []string
	for _, f := range slices.Concat(stdlib.List(), stdlib.Queries()) {
		names = append(names, f.Name)
	}
	return "`" + strings.Join(names, " ") + "`"
}
