// Package gemini speaks generateContent and streamGenerateContent, as the
// Gemini API and Vertex AI serve them: plain answers and event streams, thought
// parts, function calls, blocked prompts, usage, and Google's error objects.
//
//	var a providers.Adapter = gemini.Adapter{}
//	req, err := a.Request(ctx, providers.Input{Model: "gemini-2.5-flash", Messages: messages})
//
// What an answer says in the engine's terms:
//
//   - Content is every text part of the first candidate, joined; text parts that
//     are thoughts are Reasoning. Images, and code that the vendor runs itself,
//     are in the body alone.
//   - ToolCalls are the functionCall parts. Their id is empty where the model
//     gave none; Signature is the thought signature that goes back with them.
//   - FinishReason is the vendor's word: STOP, MAX_TOKENS, SAFETY and so on; an
//     answer that asks for tools ends in STOP like any other, so whether it does
//     is told by ToolCalls, with every vendor alike. A prompt that was blocked
//     has an answer without content, whose finish reason is the block reason.
//   - Usage counts as OpenAI does: Completion holds the thoughts too, Prompt
//     what the vendor's own tools read.
package gemini
