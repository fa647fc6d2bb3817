package cassette

import (
	"context"
	"sync"

	"github.com/scenario-lang/scenario/cassette/match"
	"github.com/scenario-lang/scenario/wire"
)

// Peek returns the interaction that [Player.Take] would return and marks nothing
// as played; use does that, once. Where all that fit were played it is the last of
// them, and use is nil. The interaction belongs to the caller. The error is a
// *[Miss], or that of an ended context.
func (p *Player) Peek(ctx context.Context, call wire.Call) (it *Interaction, use func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	r := p.request(call)
	p.mu.Lock()
	defer p.mu.Unlock()
	i, left, miss := p.next(call, r)
	if miss != nil {
		return nil, nil, miss
	}
	it = p.hand(i)
	it.AnswerTo(call.Body)
	if left {
		use = sync.OnceFunc(func() {
			p.mu.Lock()
			defer p.mu.Unlock()
			p.played[i] = true
		})
	}
	return it, use, nil
}

// next is the interaction that answers a request, and whether it is left to be
// played.
func (p *Player) next(call wire.Call, r match.Request) (i int, left bool, miss *Miss) {
	key, list := p.steps.group(p.options.Scenario, call.Step, call.Target, call.Lane)
	if len(list) > 0 {
		if i, left = p.advance(key, list); !left {
			i = list[len(list)-1]
		}
		if it := p.cassette.Interactions[i]; !p.same(p.recorded(it), r) && !p.hiddenAlike(it, r) {
			return 0, false, p.drift(call, r, it)
		}
		return i, left, nil
	}
	x := p.keyIndex()
	found := x.key(r)
	list = x.byKey[found]
	if len(list) == 0 {
		return 0, false, p.unmatched(call, r)
	}
	if i, left = p.advance(found, list); !left {
		i = list[len(list)-1]
	}
	return i, left, nil
}
