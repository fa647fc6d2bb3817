package gemini

import "encoding/json"

// The types of this file are the API's own objects, in the order of fields in
// which the vendor writes them.

type generateRequest struct {
	SystemInstruction *content       `json:"systemInstruction,omitempty"`
	Contents          []content      `json:"contents"`
	Tools             []tool         `json:"tools,omitempty"`
	GenerationConfig  map[string]any `json:"generationConfig,omitempty"`
}

type tool struct {
	FunctionDeclarations []functionDeclaration `json:"functionDeclarations"`
}

type functionDeclaration struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Parameters  any    `json:"parametersJsonSchema,omitempty"`
}

// A content is one turn, asked or answered.
type content struct {
	Parts []part `json:"parts,omitempty"`
	Role  string `json:"role,omitempty"`
}

// A part is a text, a call, the result of one, or something that is passed
// over.
type part struct {
	Text             *string           `json:"text,omitempty"`
	Thought          bool              `json:"thought,omitempty"`
	FunctionCall     *functionCall     `json:"functionCall,omitempty"`
	FunctionResponse *functionResponse `json:"functionResponse,omitempty"`
	ThoughtSignature string            `json:"thoughtSignature,omitempty"`
}

type functionCall struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args,omitempty"`
}

type functionResponse struct {
	ID       string            `json:"id,omitempty"`
	Name     string            `json:"name"`
	Response map[string]string `json:"response"`
}

// An answer is plain or one event of a stream, or an error in its place.
type answer struct {
	Candidates     []candidate     `json:"candidates,omitempty"`
	PromptFeedback *promptFeedback `json:"promptFeedback,omitempty"`
	Usage          *usage          `json:"usageMetadata,omitempty"`
	ModelVersion   string          `json:"modelVersion,omitempty"`
	ResponseID     string          `json:"responseId,omitempty"`
	Error          *apiError       `json:"error,omitempty"`
}

type candidate struct {
	Content      *content `json:"content,omitempty"`
	FinishReason string   `json:"finishReason,omitempty"`
	Index        int      `json:"index"`
}

type promptFeedback struct {
	BlockReason string `json:"blockReason,omitempty"`
}

// candidate is the first candidate by index; others are never asked for.
func (a answer) candidate() (candidate, bool) {
	for _, c := range a.Candidates {
		if c.Index == 0 {
			return c, true
		}
	}
	return candidate{}, false
}

// finish is why the answer ended, "" in an event that is not the last.
func (a answer) finish() string {
	if c, ok := a.candidate(); ok && c.FinishReason != "" {
		return c.FinishReason
	}
	if a.PromptFeedback != nil {
		return a.PromptFeedback.BlockReason
	}
	return ""
}

// empty is an object of other things than these.
func (a answer) empty() bool {
	return a.Candidates == nil && a.PromptFeedback == nil && a.Usage == nil && a.ModelVersion == "" && a.ResponseID == ""
}
