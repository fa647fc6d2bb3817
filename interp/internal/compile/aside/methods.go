package aside

import (
	"regexp"
	"slices"
	"strings"
)

// sessions are the methods of MCP that are answered beside the calls of a server, and calls
// the others that clients send.
var (
	sessions = []string{
		"initialize", "notifications/initialized", "notifications/cancelled", "notifications/progress", "notifications/roots/list_changed",
		"ping", "logging/setLevel", "server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list",
	}
	calls = []string{"tools/call", "prompts/get", "resources/read", "resources/subscribe", "resources/unsubscribe", "completion/complete"}
)

// options is the method of HTTP that is answered beside the calls of a service, and asks are
// the others.
var (
	options = []string{"OPTIONS"}
	asks    = []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}
)

// A manner is how a text is sought in another one.
type manner int

const (
	equal manner = iota
	prefix
	part
	matching
)

// methods are those of some in which a text is found, none where it is found in one of others
// as well.
func (how manner) methods(text string, some, others []string) []string {
	low := strings.ToLower(text)
	lacks := func(in string) bool { return strings.ToLower(in) != low }
	switch how {
	case prefix:
		lacks = func(in string) bool { return !strings.HasPrefix(strings.ToLower(in), low) }
	case part:
		lacks = func(in string) bool { return !strings.Contains(strings.ToLower(in), low) }
	case matching:
		re, err := regexp.Compile("(?i)" + text)
		if err != nil {
			return nil
		}
		lacks = func(in string) bool { return !re.MatchString(in) }
	}
	if len(slices.DeleteFunc(slices.Clone(others), lacks)) > 0 {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(some), lacks)
}

// statements are the verb of a statement about the session in which alone a text is found, none
// where another one has it, too.
func (how manner) statements(text string) []string {
	verb := ""
	switch how {
	case part:
		verb = within(text)
	case matching:
		verb = matched(text)
	default:
		verb = beginning(text)
	}
	if verb == "" {
		return nil
	}
	return []string{verb}
}
