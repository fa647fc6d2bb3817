package adaptertest_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers/adaptertest"
	adapter "github.com/scenario-lang/scenario/providers/http"
	"github.com/scenario-lang/scenario/wire"
)

// plainHTTP takes what is of no model: files that a conversation speaks of, and
// services that no other adapter is for. It has no facts but the body's bytes.
var plainHTTP = &dialect{
	name:    "plain HTTP",
	adapter: adapter.Adapter{},
	covers:  func(exchange) bool { return true },
	calls:   func(exchange) bool { return true },
}

// bytesOf compares an answer of plain HTTP, and says what became of it.
func bytesOf(e exchange, played adaptertest.Played, problem func(string, ...any)) (outcome, string) {
	var root map[string]any
	notJSON := json.Unmarshal(e.answer.Body(), &root)
	kinds, why := []failure.Kind(nil), ""
	switch {
	case played.Failed == nil && !bytes.Equal(played.Out.Body, e.answer.Body()):
		problem("read %d bytes, recorded %d", len(played.Out.Body), len(e.answer.Body()))
		return parsed, ""
	case played.Failed == nil && strings.EqualFold(e.method, "GET"):
		return parsed, "download, read whole as plain HTTP"
	case played.Failed == nil:
		return parsed, "answer of no model, read whole as plain HTTP"
	case e.answer.Status >= 400:
		kinds, why = []failure.Kind{failure.HTTPStatus, failure.RateLimit, failure.Overloaded, failure.Timeout}, fmt.Sprintf("HTTP %d from the service", e.answer.Status)
	case e.answer.End != wire.EndNone:
		kinds, why = []failure.Kind{failure.StreamInterrupted, failure.StreamIncomplete, failure.Connection, failure.Timeout, failure.MalformedResponse}, brokeOff
	case notJSON != nil:
		kinds, why = []failure.Kind{failure.MalformedResponse}, "announced as JSON, and none"
	case root["error"] != nil:
		kinds, why = []failure.Kind{failure.HTTPStatus, failure.RateLimit, failure.Overloaded}, errorInside
	}
	if !slices.Contains(kinds, played.Failed.Kind) {
		problem("a whole answer failed with %s: %s", played.Failed.Kind, played.Failed.Message)
		return refused, ""
	}
	return refused, why
}
