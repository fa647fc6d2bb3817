package interp

import "strings"

// CassettePath is the path of the scenario's cassette as it is written, "" for
// one without.
func (p *Plan) CassettePath() string {
	if p.cassette == nil {
		return ""
	}
	return p.cassette.path
}

// DialSteps names the steps that call a provider.
func (p *Plan) DialSteps() []string {
	var names []string
	for _, n := range p.dialling() {
		names = append(names, n.name)
	}
	return names
}

// ProviderKinds names the kinds of providers that the steps call, in the order
// of the steps.
func (p *Plan) ProviderKinds() string {
	var kinds []string
	for _, n := range p.dialling() {
		for _, t := range n.step.gateway.targets {
			if k := t.provider.kind.Name; !contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
	}
	return strings.Join(kinds, ", ")
}

// dialling are the steps that call a provider, those of loops and of workflows
// that a step runs included.
func (p *Plan) dialling() []*node {
	var list []*node
	var add func(nodes []*node)
	add = func(nodes []*node) {
		for _, n := range nodes {
			if n.step.gateway != nil {
				list = append(list, n)
			}
			add(n.inner)
		}
	}
	add(p.workflow.tree())
	add(p.beside)
	return list
}
