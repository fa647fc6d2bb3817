package faults

import "github.com/scenario-lang/scenario/wire"

const dnsErrorName = "dns_error"

var dnsError = &Kind{
	Name:       dnsErrorName,
	AlsoCalled: []string{"dns", "enotfound", "eai_again", "no such host"},
	Summary:    "The target's name does not exist." + overSockets + ".",
	For:        everywhere,
	Groups:     []Group{GroupConnection},
	Early:      true, Connects: true,
	Attrs:      reasonAttr("`no such host`"),
	Answerless: answerless,
	Script: func(s Strike) (wire.WireScript, error) {
		return wire.WireScript{Delay: s.After, Dial: s.unknownHost(), Meta: s.labelled(dnsErrorName)}, nil
	},
}
