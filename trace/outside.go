package trace

// outside are the attributes that carry what came from outside of the engine:
// from a variable, a scenario, a request or an answer. The values of all others
// are the engine's own words, names that a file declares, and numbers.
var outside = map[string]bool{
	"aggregate": true, "body": true, "chain": true, "chunks": true, "content": true, "doing": true, "entries": true, "error_type": true, "finish_reason": true, "headers": true,
	"inputs": true, "json": true, "message": true, "model": true, "output": true, "params": true, "partial_result": true, "progress": true, "rows": true, "sqlstate": true, "stack": true,
	"result": true, "statement": true, "structured": true, "tool": true, "tool_calls": true, "url": true, "warning": true,
}

// FromOutside reports whether attributes of this key may hold what must be
// hidden. Whoever writes events for others to read hides it there and nowhere
// else, so that no secret, whatever it is, can change what the engine says.
func FromOutside(key string) bool { return outside[key] }
