package faults

import (
	"github.com/scenario-lang/scenario/faults/lie"
	"github.com/scenario-lang/scenario/wire"
)

// A reteller is a vendor that can say an answer with other content.
type reteller interface {
	Retell(base wire.Response, change func(*lie.Content) error) (wire.Response, error)
	// Example is an answer with a list, with numbers and with records.
	Example() wire.Response
}

// A recaller is a vendor that knows what was answered before.
type recaller interface {
	Recall(elsewhere bool, of string, base *wire.Response) (wire.Response, bool)
}

// errNoVendor says that a service has no answers that could be false.
const errNoVendor = lie.Powerless("the answers of this service have no content")

// liars are the kinds whose answers are well-formed and false.
func liars() []*Kind {
	var list []*Kind
	for _, l := range lie.Lies() {
		k := &Kind{
			Name: l.Name, Summary: l.Summary, AlsoCalled: l.AlsoCalled, For: l.For, Attrs: l.Attrs, Example: l.Example,
			Groups: []Group{GroupWrong}, Lies: true, Tried: each(0, l.Tried...), Acts: l.Tell, NeedsArguments: l.NeedsArguments,
		}
		switch {
		case l.Recalls != lie.Nothing:
			k.Recalls = true
			k.Script = func(s Strike) (wire.WireScript, error) { return s.recalled(l) }
		case l.Tell == nil:
			k.Answerless = answerless
			k.Script = func(s Strike) (wire.WireScript, error) { return s.instead(l) }
		default:
			k.Script = func(s Strike) (wire.WireScript, error) { return s.tell(l) }
		}
		list = append(list, k)
	}
	return list
}

// tell is the answer with other content: that of the entry, or an example.
func (s Strike) tell(l *lie.Lie) (wire.WireScript, error) {
	v, ok := s.Vendor.(reteller)
	if !ok {
		return wire.WireScript{}, errNoVendor
	}
	base := s.Base
	if base == nil {
		example := v.Example()
		base = &example
	}
	resp, err := v.Retell(*base, func(c *lie.Content) error { return l.Tell(s.Args, c) })
	if lie.IsPowerless(err) && s.Base == nil && l.Words != "" {
		resp, err = s.Vendor.Reply(l.Words, nil, "", -1), nil
	}
	if err != nil {
		return wire.WireScript{}, err
	}
	resp.Wait = s.wait(resp.Wait)
	return resp.Script(s.labelled(l.Name)), nil
}

// recalled is an answer from before, or an example of one where nothing says what the
// right answer is.
func (s Strike) recalled(l *lie.Lie) (wire.WireScript, error) {
	of := s.text("of")
	var resp wire.Response
	ok := false
	if v, remembers := s.Vendor.(recaller); remembers {
		resp, ok = v.Recall(l.Recalls == lie.Elsewhere, of, s.Base)
	}
	switch {
	case !ok && s.Base == nil && of == "":
		resp = s.Vendor.Reply(l.Words, nil, "", -1)
	case !ok:
		return wire.WireScript{}, lie.Powerless(l.Without)
	}
	resp.Wait = s.wait(resp.Wait)
	return resp.Script(s.labelled(l.Name)), nil
}

// instead is an answer of its own in the place of any other.
func (s Strike) instead(l *lie.Lie) (wire.WireScript, error) {
	resp := s.Vendor.Reply(s.textOr("content", l.Words), nil, s.text("finish_reason"), -1)
	resp.Wait = s.After
	return resp.Script(s.labelled(l.Name)), nil
}

// Spared is what meets a fault that cannot act on the answer: the answer as it is.
func (k *Kind) Spared(s Strike) wire.WireScript {
	if s.Base == nil {
		return s.Vendor.Reply("", nil, "", -1).Script(s.labelled(k.Name))
	}
	return s.Base.Script(s.labelled(k.Name))
}
