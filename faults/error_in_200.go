package faults

import (
	"net/http"
	"strings"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

const errorIn200Name = "error_in_200"

var errorIn200 = &Kind{
	Name:       errorIn200Name,
	Summary:    "The provider's error object with status 200; also in answer to a request for a stream, in place of events.",
	For:        errors200,
	Groups:     []Group{GroupRateLimit, GroupServer},
	group:      groupOfWord,
	Attrs:      vendorErrorAttrs(),
	Answerless: answerless,
	Fails:      fails,
	Script:     strikeErrorIn200,
}

// vendorErrorAttrs are those of an error in the provider's own shape.
func vendorErrorAttrs() []schema.Attr {
	return []schema.Attr{
		{Name: "type", Type: schema.String, Doc: "The provider's word for the error, such as `rate_limit_error` or `overloaded_error`; it decides what the error is observed as. Default: the provider's word for an error of its own."},
		{Name: "message", Type: schema.String, Doc: "What the error says. Default: the provider's usual words."},
	}
}

func strikeErrorIn200(s Strike) (wire.WireScript, error) {
	resp := s.Vendor.Error(http.StatusOK, s.text("type"), s.text("message"))
	resp.Wait = s.wait(resp.Wait)
	return resp.Script(s.labelled(errorIn200Name)), nil
}

// groupOfWord is the group of an error that the provider names.
func groupOfWord(args schema.Values) Group {
	if word, _ := args["type"].(string); strings.Contains(word, "rate_limit") {
		return GroupRateLimit
	}
	return GroupServer
}
