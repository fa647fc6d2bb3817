package observe

import (
	"testing"

	"github.com/scenario-lang/scenario/schema"
)

// openResults are the strings of results that are of no closed set, each with the
// reason.
var openResults = map[string]string{
	"content": "a model's answer", "chunks": "a model's answer", "finish_reason": "each vendor has its own", "model": "models are those of the vendors", "body": "a server's answer",
	"message": "a text for people", "operation": "it names the request", "type": "a program names its exceptions", "stack": "a stack trace", "rule": "it says in words which rule decided",
	"sqlstate": "a database's own codes", "run_id": "a digest", "group": "a text of the file", "aggregate": "a text made of answers", "reasons": "texts for people", "warnings": "texts for people",
	"code": "a rubric may give any", "detail": "a text for people", "block_severity_failure_modes": "a rubric may give any", "statement": "a statement", "url": "a URL", "id": "a vendor's id of a call", "name": "a model may ask for any tool",
	"error": "a text for people", "lane": "a value of a request", "idempotency_key": "a program makes them", "trace_id": "a program makes them",
	"unit": "a program's own", "scope": "a program's own", "span_id": "a program makes them", "parent_id": "a program makes them", "severity_text": "a program's own",
	"signal": "each system has its own", "stdout": "what a program writes", "stderr": "what a program writes", "host": "hosts are those that a program calls",
}

// Every string that the reference of results lists is of a closed set, or one of
// those that come from outside or are for people. What is in a result is looked
// through to the bottom.
func TestEveryWordOfResultsIsClosed(t *testing.T) {
	seen, closed, open := map[*schema.Shape]bool{}, 0, map[string]bool{}
	var walk func(path, name string, s *schema.Shape)
	walk = func(path, name string, s *schema.Shape) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = s.Kind == schema.ShapeObject // strings of no set share a shape
		switch s.Kind {
		case schema.ShapeString:
			if len(s.Words) > 0 {
				closed++
				return
			}
			if open[name] = true; openResults[name] == "" {
				t.Errorf("%s is a string of no closed set: give it its words in the table of fields, or say here why it has none", path)
			}
		case schema.ShapeTuple:
			walk(path+"[…]", name, s.Elem)
		case schema.ShapeObject:
			for attr, a := range s.Attrs {
				walk(path+"."+attr, attr, a)
			}
			walk(path+"[name]", name, s.Keys)
			walk(path+"[…]", name, s.Elem)
		}
	}
	for _, r := range Results() {
		for _, a := range r.Attrs {
			walk(r.Name+"."+a.Name, a.Name, a.Shape)
		}
	}
	for name := range openResults {
		if !open[name] {
			t.Errorf("no result has an open string %q any more: take it out of the list", name)
		}
	}
	if closed < 60 {
		t.Errorf("only %d strings are of closed sets", closed)
	}
}
