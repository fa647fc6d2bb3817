package interp

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

func classifyOutcomes() []string {
	return []string{
		outcomeOK, outcomeInvalidJSON, outcomeInvalidPayload, outcomeInvalidItem, outcomeInvalidKeys, outcomeInvalidTypes,
		outcomeBlank, outcomeInvalidSegment, outcomeUnknownTarget, outcomeFailed,
	}
}

// The outcomes of a classification (semantics.md §10).
const (
	outcomeOK             = "ok"
	outcomeInvalidJSON    = "invalid_json"
	outcomeInvalidPayload = "invalid_payload"
	outcomeInvalidItem    = "invalid_item"
	outcomeInvalidKeys    = "invalid_keys"
	outcomeInvalidTypes   = "invalid_types"
	outcomeBlank          = "blank"
	outcomeInvalidSegment = "invalid_segment"
	outcomeUnknownTarget  = "unknown_target"
	outcomeFailed         = "failed"
)

// classify asks a model where a text goes and holds its answer to the schema.
// Whatever is wrong with the answer, or with the call, the text arrives: at the
// fallback.
func (r *run) classify(ctx context.Context, s *stepState) *failure.Failure {
	args, f := r.arguments(s)
	if f != nil {
		return f
	}
	subject, err := args.Text("text")
	if err != nil {
		return r.broken(s, "text", err.Error())
	}
	if !args.Has("text") {
		return r.broken(s, "text", "is null, so there is nothing to classify")
	}
	k := s.step.classifier
	reply, answered := "", false
	switch {
	case s.step.args["reply"] == nil:
		reply, answered = r.ask(ctx, s, subject)
	case args.Has("reply"):
		if reply, err = args.Text("reply"); err != nil {
			return r.broken(s, "reply", err.Error())
		}
		answered = true
	}
	s.result.entries, s.result.outcome = sortAnswer(k, reply, answered, subject, r.routable(k))
	s.result.value = s.result.entries
	if err := ctx.Err(); err != nil {
		return cancelled(err) // the entries are there all the same
	}
	return nil
}

// ask asks the model, and reports whether it answered.
func (r *run) ask(ctx context.Context, s *stepState, subject string) (reply string, answered bool) {
	in := providers.Input{Messages: []providers.Message{
		{Role: "system", Content: s.step.classifier.prompt(r.routable(s.step.classifier))},
		{Role: "user", Content: subject},
	}}
	out, f := r.rounds(ctx, s, in, 0)
	s.result.answer(s.step.kind, out)
	return out.Content, f == nil
}

// routable lists the candidates that can be called now. What is no actor always
// can.
func (r *run) routable(k *classifier) []string {
	return slices.DeleteFunc(slices.Clone(k.candidates), func(name string) bool {
		return slices.Contains(k.actors, name) && !r.drive.world.Routable(name)
	})
}

// sort holds an answer to the schema. The first defect decides, and the whole
// text goes to the fallback then.
func sortAnswer(k *classifier, reply string, answered bool, subject string, candidates []string) (entries cty.Value, outcome string) {
	outcome = outcomeFailed
	if answered {
		var list []any
		if list, outcome = parseAnswer(k, reply, candidates); outcome == outcomeOK {
			return dsl.CtyValue(list), outcome
		}
	}
	return dsl.CtyValue([]any{map[string]any{
		entryTarget: k.fallback, entryPrompt: subject, entrySegment: map[string]any{"rationale": k.rationale},
	}}), outcome
}

// parse reads the entries of an answer, or names its first defect.
func parseAnswer(k *classifier, reply string, candidates []string) ([]any, string) {
	d := json.NewDecoder(strings.NewReader(reply))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil, outcomeInvalidJSON
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, outcomeInvalidJSON // more than one value
	}
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil, outcomeInvalidPayload
	}
	for _, item := range list {
		if outcome := defectAnswer(k, item, candidates); outcome != outcomeOK {
			return nil, outcome
		}
	}
	return list, outcomeOK
}

// defect is the first defect of an entry.
func defectAnswer(k *classifier, item any, candidates []string) string {
	entry, ok := item.(map[string]any)
	if !ok {
		return outcomeInvalidItem
	}
	if !slices.Equal(sortedNames(entry), k.keys) {
		return outcomeInvalidKeys
	}
	for _, key := range k.keys {
		if key != entrySegment && !holds(k.types[key], entry[key]) {
			return outcomeInvalidTypes
		}
	}
	for _, key := range k.keys {
		if text, isText := entry[key].(string); isText && k.types[key] == "string" && strings.TrimSpace(text) == "" {
			return outcomeBlank
		}
	}
	if t, has := k.types[entrySegment]; has && !holds(t, entry[entrySegment]) {
		return outcomeInvalidSegment
	}
	if target, _ := entry[entryTarget].(string); !slices.Contains(candidates, target) {
		return outcomeUnknownTarget
	}
	return outcomeOK
}

// holds reports whether a value of JSON is of a type that a schema names.
func holds(typ string, v any) bool {
	switch v.(type) {
	case string:
		return typ == "string" || typ == "any"
	case json.Number:
		return typ == "number" || typ == "any"
	case bool:
		return typ == "bool" || typ == "any"
	case map[string]any:
		return typ == "object" || typ == "any"
	case []any:
		return typ == "tuple" || typ == "any"
	}
	return typ == "any"
}
