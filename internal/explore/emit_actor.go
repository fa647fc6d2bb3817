package explore

import (
	"errors"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/trace"
)

// ofActor reports whether a strike is at a part of an actor, or at a call of one: no
// attempt has its address.
func ofActor(events []trace.Event, x *Strike) bool {
	return !slices.ContainsFunc(events, func(e trace.Event) bool { return e.Type == trace.AttemptStart && e.Step == x.Address })
}

// forActor writes strikes at one address of an actor as a script of their own, in which
// every other call goes as it would. A scenario that has a script there already, or for
// more or less of the address, is left alone: of such scripts the most specific hides the
// others.
func forActor(body *hclwrite.Body, strikes []*Strike) error {
	address := strikes[0].Address
	for _, b := range body.Blocks() {
		if b.Type() == "on" && len(b.Labels()) == 1 && related(b.Labels()[0], address) {
			return errors.New("a script strikes the actor there, too")
		}
	}
	on := body.AppendNewBlock("on", []string{address}).Body()
	on.SetAttributeValue("exhausted", cty.StringVal("repeat_last"))
	next := 1
	if strikes[0].N > 1 && isPool(address) {
		next = 0 // the startup takes the first answer
	}
	for _, x := range strikes {
		if strikesStartup(address, x) {
			return errStartup
		}
		undisturbed(on, x.N-next)
		appendStrike(on, x)
		next = x.N + 1
	}
	on.AppendNewBlock("reply", nil).Body().SetAttributeValue("optional", cty.True)
	return nil
}

// errStartup is why a fault of connections to a pool cannot be written: in a script it
// strikes the first of them, too, without which the actor does not start.
var errStartup = errors.New("written, it would also strike the startup of the pool")

// strikesStartup reports whether a script with a fault would strike the startup of a pool,
// which one that is injected leaves alone.
func strikesStartup(address string, x *Strike) bool {
	return x.Fault.Connects && isPool(address)
}

func isPool(address string) bool { return strings.Contains(address, ".pool.") }

// undisturbed appends an entry for calls that nothing strikes.
func undisturbed(on *hclwrite.Body, calls int) {
	if calls <= 0 {
		return
	}
	reply := on.AppendNewBlock("reply", nil).Body()
	if calls > 1 {
		reply.SetAttributeValue("times", cty.NumberIntVal(int64(calls)))
	}
}

// related reports whether one address names a part of what the other does.
func related(a, b string) bool {
	return a == "*" || a == b || strings.HasPrefix(a, b+".") || strings.HasPrefix(b, a+".")
}
