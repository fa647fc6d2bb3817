package drive

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/drive/circumstance"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// together is how close to the end of a program a request ends that ends with it.
const together = 50 * time.Millisecond

// Parted says of a request that a check has given up by the program that it ended with the program, as all
// that one has under way does: whether it gave it up is not known. "" for none, and where no check asks for
// that.
func (r *Run) Parted() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.says("client") && !r.says("cancelled") {
		return ""
	}
	var left []parting
	over := time.Duration(-1)
	for _, e := range r.Log.Events() {
		switch p := e.Payload.(type) {
		case *event.AttemptEnd:
			if p.Served != nil && (p.EndedBy == "client" || p.Outcome == "cancelled") {
				left = append(left, parting{e.Step, e.Attempt, e.At})
			}
		case *event.SutEnd:
			over = e.At
		}
	}
	for _, a := range left {
		if over >= 0 && a.at >= over-time.Duration(float64(together)*r.scale()) {
			return fmt.Sprintf("request %d to %s ended with the program, as all does that a program has under way when it ends: that it gave it up by itself was not seen.\nhint: let the program go on for a while after that, or give sut a settle, such as settle = \"500ms\"", a.n, a.endpoint)
		}
	}
	return ""
}

// A parting is where and when a request ended.
type parting struct {
	endpoint string
	n        int
	at       time.Duration
}

// says reports whether a check has a text as it is.
func (r *Run) says(text string) (says bool) {
	for _, e := range r.plan.Conditions() {
		dsl.EachExpr(e, func(e hclsyntax.Expression) {
			v, written := dsl.Literal(e)
			says = says || written && v.Type() == cty.String && !v.IsNull() && v.AsString() == text
		})
	}
	return says
}

// Untempted says of a check that an endpoint is not asked that no model asked for a tool which the program
// offers it: a program that does whatever its model says keeps the check, too. "" where each tool was asked
// for, and where no check says that of an endpoint which could be behind one.
func (r *Run) Untempted() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.plan.Recording != nil || !r.endedWell() {
		return ""
	}
	unused := r.unusedEndpoint()
	if unused == "" {
		return ""
	}
	var offered []string
	asked := map[string]bool{}
	left := linkedMax
	for _, e := range r.Log.Events() {
		switch p := e.Payload.(type) {
		case *event.AttemptStart:
			if p.Request == nil || p.Operation == "" {
				continue
			}
			if left -= len(p.Body); left < 0 {
				return ""
			}
			for _, name := range circumstance.ToolsIn(p.Body) {
				if !slices.Contains(offered, name) {
					offered = append(offered, name)
				}
			}
		case *event.AttemptEnd:
			if reply := circumstance.Replied(r.plan, e.Step, "", p); reply != nil {
				for _, c := range reply.ToolCalls {
					asked[c.Name] = true
				}
			}
		}
	}
	offered = slices.DeleteFunc(offered, func(name string) bool { return asked[name] })
	if len(offered) == 0 || len(asked) == 0 {
		return "" // a model that asks for no tool is no agent
	}
	return fmt.Sprintf("a check says that %s is not asked, and the model never asks for the tool %q that the program offers it: a program which does whatever its model says passes as well.\nhint: let a reply ask for it, such as tool_calls = [{ name = %[2]q, arguments = { … } }], and check what the program answers", unused, offered[0])
}

// unusedEndpoint is one that was not asked and of which a check reads that, "" for none.
func (r *Run) unusedEndpoint() (name string) {
	unasked := func(of string) bool {
		s := r.Obs.Steps[of]
		return s != nil && s.Step.Endpoint != nil && !s.Began && s.Step.Kind != plan.KindLLM
	}
	for _, x := range r.plan.Expects {
		if unasked(x.Address) {
			return x.Address
		}
	}
	for _, e := range r.plan.Conditions() {
		dsl.EachExpr(e, func(e hclsyntax.Expression) {
			x, is := e.(*hclsyntax.ScopeTraversalExpr)
			if !is || x.Traversal.RootName() != "endpoint" || len(x.Traversal) < 2 {
				return
			}
			if of, _ := read.AttrName(x.Traversal, 1); name == "" && unasked(of) {
				name = of
			}
		})
	}
	return name
}

// Miscased says of a pattern that a check rules out, in what the program sent or wrote, that it matches
// nothing which the program was given, and would without regard to capital letters: [A-Z] has no small ones. It
// says so, too, of a word that is ruled out in an output which has it in other letters.
// "" for none. The command is what was started.
func (r *Run) Miscased(command []string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var given string
	for _, a := range r.plan.Asserts {
		if word, as := r.otherCase(a.Condition); word != "" {
			return fmt.Sprintf("assert %q rules out %q, and the program wrote %q, which is not found, as capital letters count.\nhint: compare in one case, such as !strcontains(lower(sut.stderr), %q)", a.Name, word, as, strings.ToLower(word))
		}
		for _, f := range ruledOutPatterns(a.Condition) {
			if as := r.standsThere(f, command); as != "" {
				return fmt.Sprintf("assert %q rules out a pattern that matches %q, which the program was given, and the program wrote that behind a quotation mark, where the pattern does not match it.\nhint: let the pattern have the quotation mark, such as (^|,)\"?=, or look for the value itself", a.Name, as)
			}
			exact, loose, ok := compiled(f)
			if !ok {
				continue
			}
			if given == "" {
				given = r.handed(command) + "\n" + r.answers()
			}
			if found := loose.FindString(given); found != "" && !exact.MatchString(given) {
				return fmt.Sprintf("assert %q rules out a pattern that has ranges of capital letters or of small ones alone: it does not match %q, which the program was given, and would with (?i) at its beginning. So it cannot be found wherever the program sends that.\nhint: write (?i) before the pattern", a.Name, found)
			}
		}
	}
	return ""
}

// otherCase is a word that a condition rules out in an output of the program, and how that output has it in other
// letters; "" for none, and where the output has it as it is.
func (r *Run) otherCase(condition hclsyntax.Expression) (word, as string) {
	dsl.EachExpr(condition, func(e hclsyntax.Expression) {
		not, is := e.(*hclsyntax.UnaryOpExpr)
		if !is || not.Op != hclsyntax.OpLogicalNot {
			return
		}
		f, is := dsl.Bare(not.Val).(*hclsyntax.FunctionCallExpr)
		if !is || f.Name != "strcontains" || len(f.Args) != 2 {
			return
		}
		v, written := dsl.Literal(dsl.Bare(f.Args[1]))
		if !written || v.Type() != cty.String || v.IsNull() || len(v.AsString()) < 4 {
			return
		}
		var said string
		switch string(dsl.AppendSource(nil, dsl.Bare(f.Args[0]))) {
		case "sut.stdout":
			said = r.Obs.Sut.Stdout
		case "sut.stderr":
			said = r.Obs.Sut.Stderr
		}
		text := v.AsString()
		if loose, err := regexp.Compile("(?i)" + regexp.QuoteMeta(text)); err == nil && !strings.Contains(said, text) {
			if found := loose.FindString(said); found != "" {
				word, as = text, found
			}
		}
	})
	return word, as
}

// begins is how much of a value is looked for in an output, which may have the rest in another writing.
const begins = 12

// standsThere is a value that the program was given and that a pattern matches from its beginning, where the program
// wrote it behind a quotation mark and the pattern matches nothing of what it wrote; "" for none.
func (r *Run) standsThere(p string, command []string) string {
	said := r.Obs.Sut.Stdout + "\n" + r.Obs.Sut.Stderr
	re, err := regexp.Compile(p)
	if err != nil || re.MatchString(said) {
		return ""
	}
	for _, o := range r.allOffered(command) {
		if at := re.FindStringIndex(o.value); at != nil && at[0] == 0 && at[1] > 0 && strings.Contains(said, `"`+o.value[:min(len(o.value), begins)]) {
			return o.value
		}
	}
	return ""
}

// ruledOutPatterns are the patterns that are written out in calls of regexmatch that a condition negates.
func ruledOutPatterns(e hclsyntax.Expression) (list []string) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		not, is := e.(*hclsyntax.UnaryOpExpr)
		if !is || not.Op != hclsyntax.OpLogicalNot {
			return
		}
		dsl.EachExpr(not.Val, func(e hclsyntax.Expression) {
			f, is := e.(*hclsyntax.FunctionCallExpr)
			if !is || f.Name != "regexmatch" || len(f.Args) != 2 {
				return
			}
			if v, written := dsl.Literal(dsl.Bare(f.Args[0])); written && v.Type() == cty.String && !v.IsNull() {
				list = append(list, v.AsString())
			}
		})
	})
	return list
}

// compiled are a pattern with ranges of letters, as it is and without regard to capital letters.
func compiled(p string) (exact, loose *regexp.Regexp, ok bool) {
	if strings.Contains(p, "(?") || !strings.Contains(p, "A-Z") && !strings.Contains(p, "a-z") {
		return nil, nil, false
	}
	exact, err := regexp.Compile(p)
	if err != nil {
		return nil, nil, false
	}
	loose, err = regexp.Compile("(?i:" + p + ")")
	return exact, loose, err == nil
}
