package plan

import "github.com/scenario-lang/scenario/dsl"

// endpoints are those that the file declares, or that stand for a provider by
// its name. What steps are to a program is said with the steps.
func (w PlanWriter) endpoints(p *Plan) []any {
	var list []any
	for _, n := range p.Endpoints {
		if n.Step.Endpoint.Declared {
			list = append(list, w.endpoint(n))
		}
	}
	return list
}

func (w PlanWriter) endpoint(n *Node) Document {
	e := n.Step.Endpoint
	doc := Document{
		{"at", w.place(e.Rng)},
		{"gateway", w.gateway(n.Step.Gateway)},
		{"kind", string(n.Step.Kind)},
		{"lane", w.expr(e.Lane)},
		{"match", w.match(&e.Match)},
		{"name", n.Name},
	}
	if e.ByArrival {
		doc.Add("concurrent", "arrival")
	}
	return doc
}

// match is nil for one that every request fits.
func (w PlanWriter) match(m *Match) any {
	if m.Empty() {
		return nil
	}
	leaves := make([]any, len(m.Leaves))
	for i, l := range m.Leaves {
		leaves[i] = Document{{"path", l.Path}, {"pattern", l.Pattern}, {"want", Document{{"is", w.hide(dsl.GoValue(l.Want))}}}}
	}
	return Document{{"at", w.place(m.Rng)}, {"condition", w.expr(m.Condition)}, {"leaves", leaves}}
}

// sut is the program under test.
func (w PlanWriter) sut(s *Sut) Document {
	doc := Document{
		{"allow_hosts", s.AllowHosts},
		{"at", w.place(s.Rng)},
		{"command", w.expr(s.Command)},
		{"dir", s.Dir},
		{"env", w.expr(s.Env)},
		{"settle_ns", s.Settle},
		{"stdin", w.expr(s.Stdin)},
		{"stop_timeout_ns", s.StopTimeout},
		{"time_scale", s.TimeScale},
		{"timeout_ns", s.Timeout},
	}
	if s.Serves != nil {
		doc.Add("serves", w.provider(s.Serves))
	}
	if r := s.Ready; r != nil {
		doc.Add("ready", Document{{"log", r.Log}, {"path", r.Path}, {"status", r.Status}, {"timeout_ns", r.Timeout}})
	}
	if s.TimeoutScaled {
		doc.Add("timeout_scaled", true)
	}
	if !s.Telemetry {
		doc.Add("telemetry", false)
	}
	if s.Metrics != "" {
		doc.Add("metrics", s.Metrics)
	}
	if s.Until != nil {
		doc.Add("until", w.expr(s.Until.Condition))
	}
	return doc
}
