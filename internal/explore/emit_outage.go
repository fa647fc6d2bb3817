package explore

import (
	"encoding/json"
	"errors"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/scenario-lang/scenario/trace"
)

// ownOutages are those of a scenario itself, from its plan in canonical JSON.
func ownOutages(plan []byte) []Outage {
	var said struct {
		Outages []struct {
			Address, Target, Provider string
			From                      time.Duration `json:"from_ns"`
			To                        time.Duration `json:"to_ns"`
		} `json:"outages"`
	}
	if json.Unmarshal(plan, &said) != nil {
		return nil
	}
	var list []Outage
	for _, o := range said.Outages {
		list = append(list, Outage{Address: o.Address, Target: o.Target, Provider: o.Provider, From: o.From, To: o.To})
	}
	return list
}

// outageFirst appends an outage before those that the scenario has: of several that
// apply to an attempt the first strikes, and what is injected comes before all.
func outageFirst(body *hclwrite.Body, x *Strike) {
	var own []*hclwrite.Block
	for _, b := range body.Blocks() {
		if b.Type() == "outage" {
			own = append(own, b)
			body.RemoveBlock(b)
		}
	}
	appendOutage(body, x)
	for _, b := range own {
		appendCopy(body, b)
	}
}

// errOutage is why a fault cannot be written at an attempt that an outage of the scenario
// strikes.
var errOutage = errors.New("an outage of its scenario strikes other attempts there, too, at that instant")

// duringOutage is a strike as an outage of one instant, where the attempt that it strikes
// is one of an outage of the scenario: that comes before every script. It is nil where none
// is.
func duringOutage(own []Outage, events []trace.Event, x *Strike) (*Strike, error) {
	n, met := 0, []time.Duration{}
	var at time.Duration
	covered := false
	for i := range events {
		e := &events[i]
		if e.Type != trace.AttemptStart || e.Step != x.Address {
			continue
		}
		met = append(met, e.At)
		if n++; n == x.N {
			at = e.At
			covered = slices.ContainsFunc(own, func(o Outage) bool {
				return o.Covers([]string{x.Address}, e.Target, e.Text("provider"), e.At)
			})
		}
	}
	if !covered {
		return nil, nil
	}
	brief := *x
	brief.N, brief.Outage = 0, &Outage{Address: x.Address, From: at, To: at + just}
	alone := func(t time.Duration) bool { return t >= at && t < at+just }
	if x.Wrong != "" || len(slices.DeleteFunc(met, func(t time.Duration) bool { return !alone(t) })) > 1 {
		return nil, errOutage
	}
	return &brief, nil
}
