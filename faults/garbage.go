package faults

import "github.com/scenario-lang/scenario/wire"

const garbageName = "garbage"

var garbage = &Kind{
	Name:       garbageName,
	AlsoCalled: []string{"random_data_then_close", "random_data"},
	Summary:    "Bytes that are not HTTP, as from a server that speaks another protocol; then the connection is closed.",
	For:        overHTTP,
	Groups:     []Group{GroupGarbled},
	Answerless: answerless,
	Fails:      fails,
	Script:     strikeGarbage,
}

// noHTTP is neither a status line nor the beginning of one.
const noHTTP = "\x00\x01\xffSSH-2.0-nonsense\r\n"

func strikeGarbage(s Strike) (wire.WireScript, error) {
	script := wire.Raw([]byte(noHTTP), wire.EndFIN)
	script.Ops[0].Wait = s.After
	script.Meta = s.labelled(garbageName)
	return script, nil
}
