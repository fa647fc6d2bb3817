package plan

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/internal/read"
)

// CassettePath is the path of the scenario's cassette as it is written, "" for
// one without.
func (p *Plan) CassettePath() string {
	if p.Recording == nil {
		return ""
	}
	return p.Recording.Path
}

// DialSteps names the steps that call a provider.
func (p *Plan) DialSteps() []string {
	var names []string
	for _, n := range p.Dialling() {
		names = append(names, n.Name)
	}
	return names
}

// ProviderKinds names the kinds of providers that the steps call, in the order
// of the steps, and of those that a program can ask.
func (p *Plan) ProviderKinds() string {
	var kinds []string
	for _, n := range slices.Concat(p.Dialling(), p.Endpoints) {
		for _, t := range n.Step.Gateway.Targets {
			if k := t.Provider.Kind.Name; !read.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
	}
	return strings.Join(kinds, ", ")
}

// Dialling are the steps that call a provider, those of loops and of workflows
// that a step runs included.
func (p *Plan) Dialling() []*Node {
	var list []*Node
	var add func(nodes []*Node)
	add = func(nodes []*Node) {
		for _, n := range nodes {
			if n.Step.Gateway != nil {
				list = append(list, n)
			}
			add(n.Inner)
		}
	}
	add(p.Workflow.Tree())
	add(p.Outside)
	return list
}

// RecordAgain is the command that records what the cassette has no answer to: of a
// program, or of the workflow where that is interpreted. Of a cassette that can be
// added to it keeps what still answers, and what depends on the new answer is
// recorded with it.
func (p *Plan) RecordAgain(program bool) string {
	command, flag := "record", " --drifted"
	if program {
		command = "exec"
	}
	if p.Recording == nil || !p.Recording.Cassette.Own {
		flag = ""
		if program {
			flag = " --live"
		}
	}
	command = "scenario " + command + flag + " " + p.File
	if program {
		command += p.behind()
	}
	return command
}

// RecordAnew is the command that records all that a program asks in the place of what
// the cassette has of the scenario.
func (p *Plan) RecordAnew() string { return "scenario exec --live " + p.File + p.behind() }

// behind is what follows the file where that names no program.
func (p *Plan) behind() string {
	if p.Sut == nil || p.Sut.Command == nil {
		return " -- PROGRAM"
	}
	return ""
}

// StaleCassette warns that the scenario's recording is older than its max_age
// allows, nil where it is not. now is the wall clock's: what is said is for
// people, and no part of a result.
func (p *Plan) StaleCassette(now time.Time) *hcl.Diagnostic {
	t := p.Recording
	if t == nil || t.MaxAge <= 0 || t.Cassette.RecordedAt.IsZero() || now.Sub(t.Cassette.RecordedAt) <= t.MaxAge {
		return nil
	}
	return &hcl.Diagnostic{
		Severity: hcl.DiagWarning, Summary: "Old recording", Subject: &t.Rng,
		Detail: fmt.Sprintf("%s was recorded on %s, longer ago than its max_age allows. It is played all the same: record it again, or raise max_age.",
			t.Path, t.Cassette.RecordedAt.UTC().Format(time.DateOnly)),
	}
}
