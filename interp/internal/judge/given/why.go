package given

import (
	"fmt"
	"strings"
)

// Why what no run decides shows nothing.
const (
	ofNames    = "it holds whatever the run does: which parts there are, and in which order, is what the file says, so it shows nothing here.\nhint: check what became of them, such as [for s in fanout.NAME.subs : s.status]"
	ofNoPolicy = "it holds whatever the run does: the step has no retry policy, so nothing is ever tried again, and it shows nothing here.\nhint: give the step a retry, or leave the check out"
	ofFanout   = "it holds whatever the run does: a fanout succeeds whatever becomes of its subs, so it shows nothing here.\nhint: check them, such as [for s in fanout.NAME.subs : s.status], or fanout.NAME.aggregate"
	ofKind     = "it holds whatever the run does: what a step is called and of which kind it is is what the file says, so it shows nothing here.\nhint: check what became of it, such as its status"
	ofOne      = "it holds whatever the run does: there is one target that could be called, so it shows nothing here.\nhint: check what it answered, or give the gateway a second target"
	ofBegin    = "it holds whatever the run does: nothing comes before it, so it shows nothing here.\nhint: check something that comes later, or leave the check out"
	ofDeclared = "it holds whatever the run does: it is what the file says, so it shows nothing here.\nhint: check what the run makes of it"
	ofWhen     = "it holds whatever the run does: the when of the step is false by what the file itself says, so the step never runs, and it shows nothing here.\nhint: let when read an input or what another step came to, or leave the check out"
	ofNoKey    = "it holds whatever the run does: no request has an Idempotency-Key, as neither the step nor its provider gives one, so it shows nothing here.\nhint: give the step one in its headers, or leave the check out"
	ofFields   = "it holds whatever the run does: which header fields the requests of the step have is what the file says, so it shows nothing here.\nhint: check what is in them, such as request.headers[\"x-tenant\"], or leave the check out"
	ofMatch    = "it holds whatever the program does: the match of the endpoint chooses the requests that have this, so it shows nothing here.\nhint: check what the match does not ask for, or how often the endpoint is asked"
)

// NoSubject says why to say that there is none of something shows nothing where the
// scenario lacks what it would come from.
func NoSubject(subject string) string {
	return fmt.Sprintf("it holds because the scenario has no %s, without which there is none of what it asks for, so it shows nothing here.\nhint: leave the check out, or give the scenario what it is about", strings.TrimPrefix(strings.TrimPrefix(subject, "a "), "an "))
}

// Decides reports whether a reason is that no run of the file could be otherwise.
func Decides(why string) bool {
	return strings.HasPrefix(why, "it holds whatever the run does") || strings.HasPrefix(why, "it holds whatever the program does: no attempt failed") || strings.HasPrefix(why, "it holds because the scenario has no")
}
