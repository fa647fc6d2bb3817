package exchange

import (
	"bytes"
	"context"
	"errors"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/wire"
)

// cassetteSource answers from the recording.
type cassetteSource asking

// Next answers from the cassette.
func (s *cassetteSource) Next(ctx context.Context, call wire.Call) (wire.WireScript, error) {
	if s.live.First(s.Step) {
		return wire.WireScript{}, wire.ErrPass
	}
	if s.plan.Responses != nil {
		return (*responseSource)(s).Next(ctx, call)
	}
	if s.player == nil {
		return wire.WireScript{}, wire.ErrPass
	}
	it, err := s.player.Take(ctx, call)
	var miss *cassette.Miss
	if errors.As(err, &miss) && s.live.dials(s.Step) && (s.live.Drifted || miss.Gate != plan.GateDrifted) {
		return wire.WireScript{}, wire.ErrPass
	}
	if miss != nil && miss.Gate == plan.GateOverConsumed && s.struck() {
		it, _, err = s.player.Peek(ctx, call)
	}
	if err == nil {
		err = restore(s.Provider.Adapter, it)
	}
	if err != nil {
		return wire.WireScript{}, missed(err)
	}
	(*asking)(s).remember(nil, &it.Response)
	return s.player.Script(call, it), nil
}

// restore gives a recorded answer the form that it has on the wire.
func restore(adapter providers.Adapter, it *cassette.Interaction) (err error) {
	if r, ok := adapter.(providers.Restorer); ok && it.Error == "" {
		it.Response, err = r.Restore(it.Response)
	}
	return err
}

// missed turns the cassette's own error into the gate that it fails.
func missed(err error) error {
	var miss *cassette.Miss
	if errors.As(err, &miss) {
		return &GateError{Gate: miss.Gate, Message: miss.Message}
	}
	return err
}

// Recorded are the answers that the recording has for a statement of a step,
// whatever its arguments were. None of them is taken.
func (s *Sources) Recorded(step, statement string, adapter providers.Adapter) []wire.WireScript {
	t := s.plan.Recording
	if t == nil || s.plan.Responses != nil {
		return nil
	}
	var list []wire.WireScript
	for _, it := range t.Cassette.Interactions {
		if it.Step != "" && it.Step != step || it.Scenario != "" && it.Scenario != s.plan.Name || it.Error != "" {
			continue
		}
		if asked, err := sql.ReadStatement(bytes.NewReader(it.RequestBody)); err != nil || asked.Query != statement {
			continue
		}
		own := *it
		if restore(adapter, &own) == nil {
			list = append(list, own.Response.Script(wire.Meta{}))
		}
	}
	return list
}
