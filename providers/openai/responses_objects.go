package openai

import (
	"encoding/json"

	"github.com/scenario-lang/scenario/providers"
)

// A response is what is read of one answer.
type response struct {
	ID                string             `json:"id"`
	Status            string             `json:"status"`
	Error             *apiError          `json:"error"`
	IncompleteDetails *incompleteDetails `json:"incomplete_details"`
	Model             string             `json:"model"`
	Output            []outputItem       `json:"output"`
	Usage             *responsesUsage    `json:"usage"`
}

type incompleteDetails struct {
	Reason string `json:"reason"`
}

// Statuses of a response.
const (
	statusCompleted  = "completed"
	statusIncomplete = "incomplete"
	statusFailed     = "failed"
	statusCancelled  = "cancelled"
	statusInProgress = "in_progress"
	statusQueued     = "queued"
)

// Types of output items that say something to the engine.
const (
	itemMessage   = "message"
	itemReasoning = "reasoning"
	itemCall      = "function_call"
)

// An outputItem is one item of any of these types, an absent list nil and an
// empty one written. Of an item of another type only the type is read.
type outputItem struct {
	ID        string      `json:"id,omitempty"`
	Type      string      `json:"type"`
	Status    string      `json:"status,omitempty"`
	Role      string      `json:"role,omitempty"`
	Summary   *[]itemPart `json:"summary,omitempty"`
	Content   *[]itemPart `json:"content,omitempty"`
	CallID    string      `json:"call_id,omitempty"`
	Name      string      `json:"name,omitempty"`
	Arguments *string     `json:"arguments,omitempty"`
	// EncryptedContent is of reasoning that the vendor does not keep.
	EncryptedContent string `json:"encrypted_content,omitempty"`
}

// UnmarshalJSON keeps items of types that are not known from failing the
// answer: their fields may have other types.
func (i *outputItem) UnmarshalJSON(data []byte) error {
	var head struct {
		Type string `json:"type"`
	}
	if err := providers.DecodeJSON(data, &head); err != nil {
		return err
	}
	switch head.Type {
	case itemMessage, itemReasoning, itemCall:
		type known outputItem
		return providers.DecodeJSON(data, (*known)(i))
	default:
		*i = outputItem{Type: head.Type}
		return nil
	}
}

// An itemPart is output_text, refusal, summary_text or reasoning_text.
type itemPart struct {
	Type        string          `json:"type"`
	Text        string          `json:"text"`
	Refusal     string          `json:"refusal,omitempty"`
	Annotations json.RawMessage `json:"annotations,omitempty"`
}

func (i outputItem) text() string {
	text := ""
	for _, p := range parts(i.Content) {
		text += p.Text + p.Refusal
	}
	return text
}

// reasoning is the summary, and after it the reasoning itself where the host
// shows it.
func (i outputItem) reasoning() string {
	text := ""
	for _, p := range parts(i.Summary) {
		text += p.Text
	}
	return text + i.text()
}

func (i outputItem) call() providers.ToolCall {
	c := providers.ToolCall{ID: i.CallID, Name: i.Name}
	if i.Arguments != nil {
		c.Arguments = *i.Arguments
	}
	return c
}

func parts(list *[]itemPart) []itemPart {
	if list == nil {
		return nil
	}
	return *list
}

type responsesUsage struct {
	InputTokens   int               `json:"input_tokens"`
	InputDetails  promptDetails     `json:"input_tokens_details"`
	OutputTokens  int               `json:"output_tokens"`
	OutputDetails completionDetails `json:"output_tokens_details"`
	TotalTokens   int               `json:"total_tokens"`
}

// value is the usage in the engine's terms; a nil one was not reported.
func (u *responsesUsage) value() providers.Usage {
	if u == nil {
		return providers.Usage{}
	}
	v := providers.Usage{
		Set: true, Prompt: u.InputTokens, Completion: u.OutputTokens, Total: u.TotalTokens,
		Cached: u.InputDetails.CachedTokens, Reasoning: u.OutputDetails.ReasoningTokens,
	}
	if v.Total == 0 {
		v.Total = v.Prompt + v.Completion
	}
	return v
}
