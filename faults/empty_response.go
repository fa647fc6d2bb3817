package faults

import (
	"net/http"

	"github.com/scenario-lang/scenario/wire"
)

const emptyResponseName = "empty_response"

var emptyResponse = &Kind{
	Name:       emptyResponseName,
	AlsoCalled: []string{"empty", "empty_reply"},
	Summary:    "A 200 that announces JSON and has a Content-Length of 0.",
	For:        overHTTP,
	Groups:     []Group{GroupGarbled},
	Answerless: answerless,
	Fails:      fails,
	Script:     strikeEmptyResponse,
}

func strikeEmptyResponse(s Strike) (wire.WireScript, error) {
	resp := answer(http.StatusOK, "application/json", nil)
	resp.Wait = s.wait(0)
	return resp.Script(s.labelled(emptyResponseName)), nil
}
