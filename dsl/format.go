package dsl

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl/layout"
	"github.com/scenario-lang/scenario/dsl/mistakes"
)

// Format is [layout.Format].
func Format(src []byte) []byte { return layout.Format(src) }

// Unfolded is a file with its blocks on one line, which can hold one attribute and
// no block, written over several; ok says that nothing else is wrong with its
// syntax.
func Unfolded(name string, src []byte) (unfolded []byte, ok bool) {
	current := src
	for range bytes.Count(src, []byte("\n")) + 1 {
		_, diags := Syntax(name, current)
		if !diags.HasErrors() {
			return current, layout.SameText(src, current)
		}
		lines := strings.SplitAfter(string(current), "\n")
		again := false
		for _, d := range slices.Backward(diags) {
			if d.Summary != mistakes.SummaryOneLine || d.Subject == nil || d.Subject.Start.Line > len(lines) {
				continue
			}
			line := &lines[d.Subject.Start.Line-1]
			if text := mistakes.Unfold(*line); text != "" {
				end := (*line)[len(strings.TrimRight(*line, "\r\n")):]
				*line = strings.ReplaceAll(text, "\n", cmp.Or(end, "\n")) + end
				again = true
				break // the lines behind have moved
			}
		}
		if !again {
			return src, false
		}
		current = []byte(strings.Join(lines, ""))
	}
	return src, false
}
