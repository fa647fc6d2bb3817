// Package agentloom reads the response files of AgentLoom: answers by the id of
// a step, or by the hash of a request, without the exchanges that they came in.
// [Parse] gives a [Script] for each key, and [Prompt.Hashes] the keys that a
// request may have.
package agentloom
