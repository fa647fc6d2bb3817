package actor

import (
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/trace"
)

func textAttr(key, value string) trace.Attr {
	if value == "" {
		return trace.Attr{Key: key}
	}
	return trace.Attr{Key: key, Value: value}
}

func countAttr(key string, n int) trace.Attr { return trace.Attr{Key: key, Value: n} }

func timeAttr(key string, d time.Duration) trace.Attr { return trace.Attr{Key: key, Value: d} }

// failureAttrs says how something ended badly; nothing for a nil failure.
func failureAttrs(f *failure.Failure) []trace.Attr {
	if f == nil {
		return nil
	}
	list := []trace.Attr{
		{Key: "kind", Value: string(f.Kind)},
		{Key: "message", Value: f.Message},
		{Key: "retryable", Value: f.Retryable},
		textAttr("cause", string(f.Cause)), textAttr("error_type", f.Type), textAttr("rule", f.Rule), textAttr("sqlstate", f.SQLState),
	}
	if m := f.Mode; m != nil {
		list = append(list, textAttr("mode", m.Code), textAttr("category", m.Category), textAttr("severity", m.Severity),
			trace.Attr{Key: "terminal", Value: m.Terminal}, trace.Attr{Key: "partial", Value: m.Partial})
	}
	if f.StatusCode != 0 {
		list = append(list, countAttr("status_code", f.StatusCode))
	}
	if f.HasRetryAfter {
		list = append(list, timeAttr("retry_after_ns", f.RetryAfter))
	}
	return list
}
