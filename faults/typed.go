package faults

import (
	"fmt"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

// teller is a vendor whose answers can name a kind of failure, with a code of
// its own where it has one.
type teller interface {
	Typed(kind, message, code string) wire.Response
}

// noter is a vendor that can say nothing but that the work may go on.
type noter interface {
	Note(warning string) wire.Response
}

// opener is a vendor whose server speaks first.
type opener interface{ Opening() []byte }

// opening is what the server says before it is asked, nil where it says
// nothing, as over HTTP.
func (s Strike) opening() []byte {
	if o, ok := s.Vendor.(opener); ok {
		return o.Opening()
	}
	return nil
}

// typed is an answer that names a kind of failure, after the strike's wait.
func (s Strike) typed(name string, kind failure.Kind, message, code string) (wire.WireScript, error) {
	t, ok := s.Vendor.(teller)
	if !ok {
		return wire.WireScript{}, fmt.Errorf("a service of this kind has no answer for %s", kind)
	}
	resp := t.Typed(string(kind), message, code)
	resp.Wait = s.After
	return resp.Script(s.labelled(name)), nil
}

// note is an answer that lets the work go on, after the strike's wait.
func (s Strike) note(name, warning string) (wire.WireScript, error) {
	t, ok := s.Vendor.(noter)
	if !ok {
		return wire.WireScript{}, fmt.Errorf("a service of this kind has no answer for %s", name)
	}
	resp := t.Note(warning)
	resp.Wait = s.After
	return resp.Script(s.labelled(name)), nil
}

// textOr is a text argument, or rest where it is absent or empty.
func (s Strike) textOr(name, rest string) string {
	if text := s.text(name); text != "" {
		return text
	}
	return rest
}

func mustDuration(text string) time.Duration {
	d, ok := schema.ParseDuration(text)
	if !ok {
		panic("faults: " + text + " is no duration")
	}
	return d
}
