package openai

import (
	"cmp"
	"context"
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// Request asks for one completion. There is an Authorization field only where
// the input has a key, so a replay needs none; the input's own headers win.
func (Adapter) Request(ctx context.Context, in providers.Input) (*http.Request, error) {
	return post(ctx, in, requestBody(in), "chat", "completions")
}

func post(ctx context.Context, in providers.Input, content any, path ...string) (*http.Request, error) {
	return chat.Post(ctx, in, cmp.Or(in.BaseURL, BaseURL), content, providers.EventStream, path...)
}

func requestBody(in providers.Input) chatRequest {
	body := chatRequest{
		Model:          in.Model,
		Messages:       make([]message, 0, len(in.Messages)),
		Temperature:    in.Temperature,
		MaxTokens:      in.MaxTokens,
		ResponseFormat: in.ResponseFormat,
		Stream:         in.Stream,
		Tools:          chat.FunctionTools(in.Tools),
	}
	ids := providers.CallIDs{Prefix: madeUp}
	for _, m := range in.Messages {
		body.Messages = append(body.Messages, asked(m, &ids, m.ThoughtsFor(in.ThoughtOf(chatFormat))))
	}
	if in.Stream && !in.Uncounted {
		body.StreamOptions = &streamOptions{IncludeUsage: true}
	}
	return body
}

func asked(m providers.Message, ids *providers.CallIDs, thoughts []json.RawMessage) message {
	wired := message{
		Role:       m.Role,
		Content:    contentOrNull(m.Content, m.ToolCalls),
		ToolCalls:  calls(m.ToolCalls, ids),
		ToolCallID: m.ToolCallID,
	}
	if m.Role == "tool" {
		wired.ToolCallID = ids.Answered(m)
	}
	putThoughts(&wired, thoughts)
	return wired
}

// contentOrNull is null for a turn that only calls tools, as the API has it.
func contentOrNull(text string, toolCalls []providers.ToolCall) *content {
	if text == "" && len(toolCalls) > 0 {
		return nil
	}
	return &content{said: text}
}

// madeUp begins the ids of calls that have none.
const madeUp = "call_"

func calls(toolCalls []providers.ToolCall, ids *providers.CallIDs) []toolCall {
	var list []toolCall
	for i, id := range ids.Calls(toolCalls) {
		c := toolCalls[i]
		list = append(list, toolCall{ID: id, Type: "function", Function: functionCall{Name: c.Name, Arguments: c.Arguments}})
	}
	return list
}

// callID numbers calls of one answer that have no id, from 1.
func callID(c providers.ToolCall, i int) string {
	if c.ID != "" {
		return c.ID
	}
	return madeUp + strconv.Itoa(i+1)
}
