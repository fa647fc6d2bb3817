package engine

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/providers"
)

// classifyKind routes a text by asking a model.
type classifyKind struct{ llmKind }

// keeps implements stepKind: the contract is on what the classification came
// to, and not on what the model said.
func (classifyKind) keeps() bool { return false }

// perform asks a model where a text goes and holds its answer to the schema.
// Whatever is wrong with the answer, or with the call, the text arrives: at the
// fallback.
func (classifyKind) perform(ctx context.Context, r *run, s *stepState) *failure.Failure {
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
	k := s.Step.Classifier
	reply, answered := "", false
	switch {
	case s.Step.Args["reply"] == nil:
		reply, answered = r.ask(ctx, s, subject)
	case args.Has("reply"):
		if reply, err = args.Text("reply"); err != nil {
			return r.broken(s, "reply", err.Error())
		}
		answered = true
	}
	s.result.value, s.result.Outcome = sortAnswer(k, reply, answered, subject, r.routable(s))
	s.result.Entries = event.Value{Value: s.result.value}
	if err := ctx.Err(); err != nil {
		return cancelled(err) // the entries are there all the same
	}
	return nil
}

// ask asks the model, and reports whether it answered.
func (r *run) ask(ctx context.Context, s *stepState, subject string) (reply string, answered bool) {
	in := providers.Input{Messages: []providers.Message{
		{Role: "system", Content: s.Step.Classifier.Prompt(r.routable(s))},
		{Role: "user", Content: subject},
	}}
	out, f := r.rounds(ctx, s, in, 0)
	classifyKind{}.answer(&s.result, out)
	return out.Content, f == nil
}

// routable lists the candidates of a step that can be called now. What is no
// actor always can.
func (r *run) routable(s *stepState) []string {
	k := s.Step.Classifier
	return slices.DeleteFunc(slices.Clone(k.Candidates), func(name string) bool {
		if !slices.Contains(k.Actors, name) {
			return false
		}
		ok, by := r.scheduled.world.Routable(name)
		if by != "" && !slices.Contains(s.result.met, by) {
			s.result.met = append(s.result.met, by)
		}
		return !ok
	})
}

// sort holds an answer to the schema. The first defect decides, and the whole
// text goes to the fallback then.
func sortAnswer(k *plan.Classifier, reply string, answered bool, subject string, candidates []string) (entries cty.Value, outcome string) {
	outcome = observe.OutcomeFailed
	if answered {
		var list []any
		if list, outcome = parseAnswer(k, reply, candidates); outcome == observe.OutcomeOK {
			return dsl.CtyValue(list), outcome
		}
	}
	return dsl.CtyValue([]any{map[string]any{
		plan.EntryTarget: k.Fallback, plan.EntryPrompt: subject, plan.EntrySegment: map[string]any{"rationale": k.Rationale},
	}}), outcome
}

// parse reads the entries of an answer, or names its first defect.
func parseAnswer(k *plan.Classifier, reply string, candidates []string) ([]any, string) {
	d := json.NewDecoder(strings.NewReader(reply))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil {
		return nil, observe.OutcomeInvalidJSON
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, observe.OutcomeInvalidJSON // more than one value
	}
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil, observe.OutcomeInvalidPayload
	}
	for _, item := range list {
		if outcome := defectAnswer(k, item, candidates); outcome != observe.OutcomeOK {
			return nil, outcome
		}
	}
	return list, observe.OutcomeOK
}

// defect is the first defect of an entry.
func defectAnswer(k *plan.Classifier, item any, candidates []string) string {
	entry, ok := item.(map[string]any)
	if !ok {
		return observe.OutcomeInvalidItem
	}
	if !slices.Equal(read.SortedNames(entry), k.Keys) {
		return observe.OutcomeInvalidKeys
	}
	for _, key := range k.Keys {
		if key != plan.EntrySegment && !holds(k.Types[key], entry[key]) {
			return observe.OutcomeInvalidTypes
		}
	}
	for _, key := range k.Keys {
		if text, isText := entry[key].(string); isText && k.Types[key] == "string" && strings.TrimSpace(text) == "" {
			return observe.OutcomeBlank
		}
	}
	if t, has := k.Types[plan.EntrySegment]; has && !holds(t, entry[plan.EntrySegment]) {
		return observe.OutcomeInvalidSegment
	}
	if target, _ := entry[plan.EntryTarget].(string); !slices.Contains(candidates, target) {
		return observe.OutcomeUnknownTarget
	}
	return observe.OutcomeOK
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
