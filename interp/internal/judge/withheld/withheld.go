// Package withheld tells of texts that a program under test cannot write, because nothing ever
// told it: keys of a form of which it was given none, and the ends of answers that broke off.
// That its output lacks them shows nothing.
package withheld

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
)

// The texts and patterns that a condition looks for in what a program wrote.
type Sought []string

// Why a search for them shows nothing.
const (
	ofNoKey = "it holds because the program has no such key: its keys are the word \"scenario\" here, and nothing in the file begins so, so it shows nothing here.\nhint: give it one, such as env = { OPENAI_API_KEY = \"sk-test\" } in sut, or look for \"scenario\""
	ofCut   = "it holds because the program was never told this text: the answer that has it broke off before, so it shows nothing here.\nhint: look for what did come of the answer, such as the text of its first chunk"
)

// keysBegin are how the keys of services begin.
var keysBegin = []string{"sk-", "sk_", "AIza", "ghp_", "github_pat_", "gsk_", "hf_", "xoxb-", "xoxp-", "AKIA"}

// Keys says why a program whose output lacks all that is sought kept no key to itself: each
// is a key of a form of which the file gives it none. "" where it may have one. What a
// program has of a key by itself nobody knows here; a key that stands in its own source is
// none of the run's. looks reports whether a line of the source looks for texts.
func (all Sought) Keys(source []byte, looks func(line []byte) bool) string {
	for _, text := range all {
		begin := keyOf(text)
		if begin == "" {
			return ""
		}
		for line := range bytes.Lines(source) {
			if !looks(line) && bytes.Contains(line, []byte(begin)) {
				return ""
			}
		}
	}
	return ofNoKey
}

// keyOf is how a key begins that a text or a pattern looks for, "" where it looks for none.
func keyOf(text string) string {
	text = strings.ReplaceAll(text, `\b`, "")
	text = strings.TrimPrefix(strings.TrimLeft(text, "^(?i) \""), "Bearer ")
	if i := slices.IndexFunc(keysBegin, func(k string) bool { return strings.HasPrefix(text, k) }); i >= 0 {
		return keysBegin[i]
	}
	return ""
}

// Cut says why a program whose output lacks all that is sought held nothing back: each is in
// an answer that broke off before it had come, and in nothing else that the program was told.
// "" where one is not.
func (all Sought) Cut(o *observe.Observed) string {
	var cut, told []string
	for _, s := range o.Steps {
		script := o.Plan.ScriptFor(s.Name, "")
		for _, a := range s.Asked() {
			if a.End == nil {
				continue
			}
			told = append(told, a.End.Content, a.Request.Body)
			if n := a.End.Entry; a.End.By == "script" && !a.End.Complete && script != nil && 0 < n && n <= len(script.Entries) {
				cut = append(cut, textOf(script.Entries[n-1].Reply))
			}
		}
	}
	if len(cut) == 0 {
		return ""
	}
	if sut := o.Plan.Sut; sut != nil {
		told = append(told, written(sut.Command, sut.Env, sut.Stdin)...)
	}
	for _, text := range all {
		has := func(told string) bool { return strings.Contains(told, text) }
		if text == "" || slices.ContainsFunc(told, has) || !slices.ContainsFunc(cut, has) {
			return ""
		}
	}
	return ofCut
}

// Told is what services answered: texts, and the calls of tools that models asked for.
func Told(o *observe.Observed) (told []string) {
	for _, s := range o.Steps {
		for _, a := range s.Asked() {
			if a.End == nil {
				continue
			}
			told = append(told, a.End.Content, strings.Join(a.End.Chunks, ""))
			for _, call := range a.End.ToolCalls {
				told = append(told, call.Name, call.Arguments)
			}
		}
	}
	return told
}

// textOf is the text of a reply; nil has none.
func textOf(r *providers.Output) string {
	if r == nil {
		return ""
	}
	return cmp.Or(r.Content, strings.Join(r.Chunks, ""), string(r.Body))
}

// written are the texts in expressions, any of which may be nil.
func written(all ...hclsyntax.Expression) (texts []string) {
	for _, e := range all {
		if e == nil {
			continue
		}
		dsl.EachExpr(e, func(e hclsyntax.Expression) {
			if v, is := dsl.Literal(e); is {
				texts = plan.Leaves(texts, v)
			}
		})
	}
	return texts
}
