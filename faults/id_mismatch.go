package faults

import (
	"fmt"

	"github.com/scenario-lang/scenario/wire"
)

const idMismatchName = "id_mismatch"

var idMismatch = &Kind{
	Name:    idMismatchName,
	Summary: "A well-formed answer with the id of another request. Its content is the entry's own reply, if there is one.",
	For:     servers,
	Groups:  []Group{GroupOwn},
	Fails:   fails,
	Script:  strikeIDMismatch,
}

// misaddresser is a vendor whose answers name the request they are for.
type misaddresser interface {
	Misaddressed(base *wire.Response) (wire.Response, bool)
}

func strikeIDMismatch(s Strike) (wire.WireScript, error) {
	v, ok := s.Vendor.(misaddresser)
	if !ok {
		return wire.WireScript{}, fmt.Errorf("a service of this kind has no answer for %s", idMismatchName)
	}
	resp, ok := v.Misaddressed(s.Base)
	if !ok {
		return wire.WireScript{}, fmt.Errorf("answers of this service name no request, so none can be for another")
	}
	resp.Wait = s.wait(resp.Wait)
	return resp.Script(s.labelled(idMismatchName)), nil
}
