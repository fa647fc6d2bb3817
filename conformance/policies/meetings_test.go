package policies

import (
	"fmt"
	"slices"
	"strings"
)

// A meeting is a fault that a client and its policy meet.
type meeting struct {
	name string
	// fault is what the service does: the head of its block, then its arguments.
	fault, arguments string
	// once says that an answer comes after the first fault; else the fault goes on.
	once bool
	// post says that the request must not be repeated without care.
	post bool
	// hangs says that only a timeout ends an attempt.
	hangs bool
	// long says that the wait takes more than a few seconds.
	long bool
}

// patience is the timeout of an attempt at a service that hangs, in milliseconds.
const patience = 400

// answers is one without a fault.
var answers = meeting{name: "ok"}

func meetings() []meeting {
	list := []meeting{
		answers,
		{name: "reset", fault: "connection_reset"},
		{name: "reset_once", fault: "connection_reset", once: true},
		{name: "reset_post", fault: "connection_reset", post: true},
		{name: "hang", fault: "hang", hangs: true},
		{name: "s503_once", fault: "http_error", arguments: "status_code = 503", once: true},
		{name: "s503_post", fault: "http_error", arguments: "status_code = 503", post: true},
	}
	for _, code := range []int{400, 401, 403, 404, 408, 409, 413, 422, 429, 500, 501, 502, 503, 504, 521, 522, 524, 529} {
		list = append(list, meeting{name: fmt.Sprint("s", code), fault: "http_error", arguments: fmt.Sprint("status_code = ", code)})
	}
	for _, after := range []struct {
		code, seconds int
	}{{413, 2}, {429, 2}, {500, 2}, {503, 2}, {429, 50}, {429, 90}, {429, 150}} {
		list = append(list, meeting{
			name: fmt.Sprintf("s%d_after_%d", after.code, after.seconds), fault: "http_error", once: true, long: after.seconds > 10,
			arguments: fmt.Sprintf("status_code = %d\n      headers = { Retry-After = \"%d\" }", after.code, after.seconds),
		})
	}
	return list
}

// script is what the service says: the fault, as often as times says, then an
// answer. Times is "*" for a fault that goes on.
func (m meeting) script(c client, times string) string {
	if m.fault == "" {
		return c.answer()
	}
	if m.once {
		times = "1"
	}
	if times == "*" {
		times = `"*"`
	}
	return fmt.Sprintf("fault %q {\n      %s\n      times = %s\n    }\n    %s", m.fault, m.arguments, times, c.answer())
}

// answer is an answer of its service.
func (c client) answer() string {
	if c.speaks == "http" {
		return `reply { json = { ok = true } }`
	}
	return `reply { content = "ok" }`
}

// meets are the meetings of a client: those that it can tell apart.
func (c client) meets(full bool) []meeting {
	return slices.DeleteFunc(meetings(), func(m meeting) bool {
		return m.post && c.speaks != "http" || m.hangs && c.patient || m.long && !full || slices.Contains(c.skips, m.name)
	})
}

// driven is the file with which the client runs: an endpoint for each meeting.
func (c client) driven(list []meeting, times string) string {
	var b strings.Builder
	var urls []string
	for _, m := range list {
		fmt.Fprintf(&b, "provider %q %q { base_url = %q }\n", c.speaks, m.name, address(m)+c.path)
		urls = append(urls, fmt.Sprintf("%s = provider.%[1]s.url", m.name))
	}
	fmt.Fprintf(&b, "scenario \"meets everything\" {\n  allow = [\"unfired_fault\", \"unused_reply\", \"unexpected_failure\"]\n  sut {\n    timeout = \"300s\"\n    env = { %s = jsonencode({ %s }) }\n  }\n", urlsVariable, strings.Join(urls, ", "))
	for _, m := range list {
		fmt.Fprintf(&b, "  on %q {\n    %s\n  }\n", m.name, m.script(c, times))
	}
	b.WriteString("  expect \"run\" { status = \"success\" }\n}\n")
	return b.String()
}

func address(m meeting) string {
	return "https://" + strings.ReplaceAll(m.name, "_", "-") + ".example"
}

// modelled is the file with which its policy runs: a workflow of one step, and a
// scenario, for each meeting. Other text than that of std/clients may declare the
// policy.
func (c client) modelled(list []meeting, times, instead string) string {
	var b strings.Builder
	if instead == "" {
		b.WriteString("import = [\"std/clients\"]\n")
	}
	b.WriteString(instead)
	kind := "http"
	if c.speaks != "http" {
		kind = "llm"
	}
	for _, m := range list {
		attributes := []string{"retry = retry." + c.policy}
		switch {
		case kind == "llm":
			attributes = append(attributes, `prompt = "why?"`)
		case m.post:
			attributes = append(attributes, `path = "/"`, `method = "POST"`)
			if c.repeats {
				attributes = append(attributes, "idempotent = true")
			}
		default:
			attributes = append(attributes, `path = "/"`)
		}
		if m.hangs {
			attributes = append(attributes, fmt.Sprintf("attempt_timeout = \"%dms\"", patience))
		}
		model := ""
		if kind == "llm" {
			model = "\n  model = \"m\""
		}
		fmt.Fprintf(&b, "provider %q %q {\n  base_url = %q%s\n}\nworkflow \"w_%[2]s\" {\n  provider = provider.%[2]s\n  step %[5]q \"a\" {\n    %[6]s\n  }\n}\n",
			c.speaks, m.name, address(m)+c.path, model, kind, strings.Join(attributes, "\n    "))
		fmt.Fprintf(&b, "scenario %q {\n  run   = workflow.w_%[1]s\n  allow = [\"no_assertion\", \"unexpected_failure\", \"unfired_fault\", \"unused_reply\"]\n  on \"a\" {\n    %[2]s\n  }\n}\n", m.name, m.script(c, times))
	}
	return b.String()
}
