package faults

import "github.com/scenario-lang/scenario/wire"

const staleClientName = "stale_client"

var staleClient = &Kind{
	Name:       staleClientName,
	Summary:    "The client's cached connection was closed by the other side: nothing was sent on it, and the one reconnect gets the next entry of the script.",
	For:        cached,
	Groups:     []Group{GroupOwn},
	Early:      true,
	Answerless: answerless,
	Script:     strikeStaleClient,
}

// strikeStaleClient is a connection that is closed before any byte, which is
// what a client sees of one that was kept too long.
func strikeStaleClient(s Strike) (wire.WireScript, error) {
	return wire.WireScript{Delay: s.After, Meta: s.labelled(staleClientName)}, nil
}
