package faults

import (
	"net/http"

	"github.com/scenario-lang/scenario/wire"
)

const redirectLoopName = "redirect_loop"

var redirectLoop = &Kind{
	Name:       redirectLoopName,
	AlsoCalled: []string{"redirect"},
	Summary:    "A 307 that redirects the client to the same address again and again, until it gives up: after ten requests in one attempt.",
	For:        overHTTP,
	Groups:     []Group{GroupGarbled},
	Hops:       true,
	Answerless: answerless,
	Fails:      fails,
	Script:     strikeRedirectLoop,
}

func strikeRedirectLoop(s Strike) (wire.WireScript, error) {
	path := s.Path
	if path == "" {
		path = "/"
	}
	resp := wire.Response{
		Status: http.StatusTemporaryRedirect,
		Header: []wire.Field{{Name: "Location", Value: path}},
		Wait:   s.wait(0),
	}
	return resp.Script(s.labelled(redirectLoopName)), nil
}
