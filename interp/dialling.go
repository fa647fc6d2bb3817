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
	for _, s := range p.workflow.steps {
		if s.gateway != nil {
			names = append(names, s.name)
		}
	}
	return names
}

// ProviderKinds names the kinds of providers that the steps call, in the order
// of the steps.
func (p *Plan) ProviderKinds() string {
	var kinds []string
	for _, s := range p.workflow.steps {
		if s.gateway == nil {
			continue
		}
		for _, t := range s.gateway.targets {
			if k := t.provider.kind.Name; !contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
	}
	return strings.Join(kinds, ", ")
}
