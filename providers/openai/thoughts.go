package openai

import (
	"encoding/json"
	"strings"

	"github.com/scenario-lang/scenario/providers"
)

// The formats of thoughts, one for each interface of the package.
const (
	chatFormat      = "chat_completions"
	responsesFormat = "responses"
)

// A chatThought is reasoning as hosts of Chat Completions show it. They want
// it back in the field in which they gave it, and the details as they were:
// some of those are signed or encrypted.
type chatThought struct {
	Reasoning        string `json:"reasoning,omitempty"`
	ReasoningContent string `json:"reasoning_content,omitempty"`
	ReasoningDetails []any  `json:"reasoning_details,omitempty"`
}

// details is what is there of a list of them; of anything else nothing.
func details(raw json.RawMessage) []any {
	if len(raw) == 0 {
		return nil
	}
	var list []any
	_ = json.Unmarshal(raw, &list) // hosts may have another meaning for the name
	return list
}

func (t chatThought) list() []providers.Thought {
	if t.Reasoning == "" && t.ReasoningContent == "" && t.ReasoningDetails == nil {
		return nil
	}
	data, err := providers.EncodeJSON(t)
	if err != nil {
		return nil
	}
	return []providers.Thought{{Of: chatFormat, Data: data}}
}

// putThoughts puts the thoughts back into a turn.
func putThoughts(m *message, thoughts []json.RawMessage) {
	for _, data := range thoughts {
		var t struct {
			Reasoning        string          `json:"reasoning"`
			ReasoningContent string          `json:"reasoning_content"`
			ReasoningDetails json.RawMessage `json:"reasoning_details"`
		}
		if json.Unmarshal(data, &t) == nil {
			m.Reasoning, m.ReasoningContent, m.ReasoningDetails = t.Reasoning, t.ReasoningContent, t.ReasoningDetails
		}
	}
}

// A streamedThought puts one together from its deltas.
type streamedThought struct {
	reasoning, content strings.Builder
	details            []*streamedDetail
	byPlace            map[detailPlace]*streamedDetail
}

type detailPlace struct {
	index float64
	kind  string
}

// A streamedDetail is one detail; its texts come piece by piece.
type streamedDetail struct {
	fields map[string]any
	texts  map[string]*strings.Builder
}

var detailTexts = map[string]bool{"text": true, "summary": true, "data": true, "signature": true}

func (t *streamedThought) add(d *delta) {
	t.reasoning.WriteString(d.Reasoning)
	t.content.WriteString(d.ReasoningContent)
	for _, item := range details(d.ReasoningDetails) {
		if fields, ok := item.(map[string]any); ok {
			t.detail(fields)
		}
	}
}

func (t *streamedThought) detail(fields map[string]any) {
	index, _ := fields["index"].(float64)
	kind, _ := fields["type"].(string)
	place := detailPlace{index, kind}
	at := t.byPlace[place]
	if at == nil {
		if t.byPlace == nil {
			t.byPlace = map[detailPlace]*streamedDetail{}
		}
		at = &streamedDetail{map[string]any{}, map[string]*strings.Builder{}}
		t.byPlace[place] = at
		t.details = append(t.details, at)
	}
	for name, v := range fields {
		text, isText := v.(string)
		switch {
		case isText && detailTexts[name]:
			if at.texts[name] == nil {
				at.texts[name] = &strings.Builder{}
			}
			at.texts[name].WriteString(text)
		case v != nil:
			at.fields[name] = v
		}
	}
}

func (t *streamedThought) list() []providers.Thought {
	whole := chatThought{Reasoning: t.reasoning.String(), ReasoningContent: t.content.String()}
	for _, d := range t.details {
		for name, text := range d.texts {
			d.fields[name] = text.String()
		}
		whole.ReasoningDetails = append(whole.ReasoningDetails, d.fields)
	}
	return whole.list()
}

// inputReasoning is a reasoning item as Responses takes it back: only an
// encrypted one stands for itself, as any other is kept by the vendor.
type inputReasoning struct {
	Type             string     `json:"type"`
	ID               string     `json:"id,omitempty"`
	Summary          []itemPart `json:"summary"`
	EncryptedContent string     `json:"encrypted_content"`
}

func (i outputItem) thoughts() []providers.Thought {
	if i.Type != itemReasoning || i.EncryptedContent == "" {
		return nil
	}
	summary := parts(i.Summary)
	if summary == nil {
		summary = []itemPart{}
	}
	data, err := providers.EncodeJSON(inputReasoning{Type: itemReasoning, ID: i.ID, Summary: summary, EncryptedContent: i.EncryptedContent})
	if err != nil {
		return nil
	}
	return []providers.Thought{{Of: responsesFormat, Data: data}}
}
