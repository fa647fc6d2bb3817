package faults

import (
	"errors"
	"fmt"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

const partialResponseName = "partial_response"

var partialResponse = &Kind{
	Name:    partialResponseName,
	Summary: "A well-formed answer that was cut short: a success by every check except its finish reason and token counts.",
	For:     llmOnly,
	Groups:  []Group{GroupWrong},
	Attrs: []schema.Attr{
		{Name: "content", Type: schema.String, Doc: "The text that came. Default: that of the `reply` in the fault, else `This answer was cut`."},
		{Name: "finish_reason", Type: schema.String, Default: `"length"`, Doc: "The finish reason."},
		{Name: "usage", Type: schema.Map, Doc: "`{ completion_tokens }`: the tokens reported, 0 unless given."},
	},
	Answerless: func(args schema.Values) bool { return args["content"] != nil },
	Tried:      each(0, schema.Values{}, schema.Values{"finish_reason": "content_filter"}),
	Script:     strikePartialResponse,
}

const partialText = "This answer was cut"

// strikePartialResponse cuts the answer short.
func strikePartialResponse(s Strike) (wire.WireScript, error) {
	reason := s.text("finish_reason")
	if reason == "" {
		reason = "length"
	}
	completion, err := s.completionTokens()
	if err != nil {
		return wire.WireScript{}, err
	}
	resp, err := s.partial(reason, completion)
	if err != nil {
		return wire.WireScript{}, err
	}
	resp.Wait = s.wait(resp.Wait)
	return resp.Script(s.labelled(partialResponseName)), nil
}

func (s Strike) partial(reason string, completion int) (wire.Response, error) {
	switch {
	case s.has("content"):
		return s.Vendor.Reply(s.text("content"), nil, reason, completion), nil
	case s.Base == nil:
		return s.Vendor.Reply(partialText, nil, reason, completion), nil
	}
	resp, ok := s.Vendor.Again(*s.Base, reason, completion)
	if !ok {
		return resp, errors.New("the answer that it cuts is no success: give a successful one, or content")
	}
	return resp, nil
}

func (s Strike) completionTokens() (int, error) {
	usage, ok := s.Args["usage"].(map[string]any)
	if !ok && s.has("usage") {
		return 0, errors.New("usage must be an object { completion_tokens }")
	}
	for name := range usage {
		if name != "completion_tokens" {
			return 0, errors.New("usage has completion_tokens alone; the others are the provider's")
		}
	}
	n := Strike{Args: usage}.number("completion_tokens", 0)
	if n < 0 {
		return 0, fmt.Errorf("usage.completion_tokens is %d: it is 0 or more", n)
	}
	return n, nil
}
