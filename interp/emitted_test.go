package interp

import (
	"testing"

	"github.com/scenario-lang/scenario/trace"
)

// unemitted are the attributes of events that no scenario of the suite shows,
// each with where they come from.
var unemitted = reasons(map[string][]string{
	"a file that passes cannot be defective": {
		"defect", "defect.file", "defect.line", "defect.message", "defect.range",
	},
	"a bench that goes on after an interruption": {
		"case_end.kept",
	},
	"an input that is null": {
		"run_start.nulls",
	},
	"a run that ends while an exchange is under way": {
		"attempt_end.fault_pending",
	},
	"a handshake with a server that fails": {
		"message.after_retries", "message.category", "message.cause", "message.chain", "message.doing", "message.error_type",
		"message.kind", "message.message", "message.mode", "message.partial", "message.retry_after_ns", "message.retryable",
		"message.rule", "message.severity", "message.sqlstate", "message.stack", "message.stage", "message.status_code", "message.terminal",
	},
	"a failure of an actor is of the same type as one of a step, and has fewer parts": {
		"session_end.after_retries", "session_end.chain", "session_end.doing", "session_end.retry_after_ns", "session_end.sqlstate",
		"session_end.stack", "session_end.stage", "route.after_retries", "route.retry_after_ns", "route.stack",
	},
})

// What the reference says that an event has, some event has: the suite emits
// every attribute of every type of event, or it stands above with what does.
func TestEveryAttributeIsEmitted(t *testing.T) {
	seen := map[string]bool{}
	for _, file := range suiteFiles(t) {
		for _, p := range compileFile(t, file) {
			r := Run(p, RunOptions{})
			for i := range r.Events {
				e := &r.Events[i]
				seen[string(e.Type)] = true
				for _, a := range e.Attrs() {
					seen[string(e.Type)+"."+a.Key] = true
				}
			}
		}
	}
	listed := map[string]bool{}
	for _, info := range EventTypes() {
		for _, a := range append([]trace.AttrInfo{{}}, info.Attrs...) {
			name := string(info.Type)
			if a.Name != "" {
				name += "." + a.Name
			}
			listed[name] = true
			switch why, excused := unemitted[name]; {
			case !seen[name] && !excused:
				t.Errorf("no scenario of the suite emits %s: add one that does, or take it out of interp/internal/event", name)
			case seen[name] && excused:
				t.Errorf("%s is emitted: it needs no excuse (%q)", name, why)
			}
		}
	}
	for name := range unemitted {
		if !listed[name] {
			t.Errorf("there is no attribute %s", name)
		}
	}
}
