package faults

import "github.com/scenario-lang/scenario/wire"

const tlsErrorName = "tls_error"

const certificates = "whether the program looks at certificates"

var tlsError = &Kind{
	Name:       tlsErrorName,
	AlsoCalled: []string{"tls"},
	Summary:    "The TLS handshake fails: no trusted authority signed the target's certificate." + overSockets + ": " + certificates + " is not tested.",
	Untested:   certificates,
	For:        everywhere,
	Groups:     []Group{GroupConnection},
	Early:      true, Connects: true,
	Attrs:      reasonAttr("`x509: certificate signed by unknown authority`"),
	Answerless: answerless,
	Script: func(s Strike) (wire.WireScript, error) {
		return wire.WireScript{Delay: s.After, TLS: s.untrusted(), Meta: s.labelled(tlsErrorName)}, nil
	},
}
