package failure

import "testing"

// Detection gives the modes of V100 and names the rule that decided.
func TestV100(t *testing.T) {
	for _, tc := range []struct{ typ, message, mode, rule string }{
		{"ConnectionError", "", "SYSTEM_NETWORK", `type name "ConnectionError"`},
		{"TimeoutError", "", "SYSTEM_TIMEOUT", `type name "TimeoutError"`},
		{"ValueError", "Invalid input: no name", "AGENT_VALIDATION", `message begins with "invalid"`},
		{"", "Rate limit exceeded", "POLICY_RATE_LIMIT", `phrase "rate limit"`},
		{"", "Circuit breaker open", "RESOURCE_CIRCUIT_OPEN", `phrase "circuit breaker open"`},
		{"", "tool not found", "RESOURCE_TOOL_UNAVAILABLE", `phrase "tool not found"`},
		{"PermissionError", "", "USER_PERMISSION", `type name "PermissionError"`},
	} {
		for _, kind := range []Kind{Exception, ToolError} {
			got := Cuga().Classify(Failure{Kind: kind, Type: tc.typ, Message: tc.message})
			if code(got) != tc.mode || got.Rule != tc.rule {
				t.Errorf("%s %q %q: %s by %q, want %s by %q", kind, tc.typ, tc.message, code(got), got.Rule, tc.mode, tc.rule)
			}
		}
	}
}

// Words and phrases decide in the order of §11, as whole words only.
func TestDetectMessages(t *testing.T) {
	for message, mode := range map[string]string{
		"the process ran out of memory":                   "SYSTEM_OOM",
		"container was OOM-killed":                        "SYSTEM_OOM",
		"write: No space left on device":                  "SYSTEM_DISK",
		"Too Many Requests":                               "POLICY_RATE_LIMIT",
		"HTTP 429":                                        "POLICY_RATE_LIMIT",
		"upstream said status 429, later":                 "POLICY_RATE_LIMIT",
		"status code: 429":                                "POLICY_RATE_LIMIT",
		"HTTP/1.1 429":                                    "POLICY_RATE_LIMIT",
		"429 Too Many Requests":                           "POLICY_RATE_LIMIT",
		"rate-limit hit":                                  "POLICY_RATE_LIMIT",
		"Quota exceeded for project":                      "RESOURCE_QUOTA",
		"circuit open":                                    "RESOURCE_CIRCUIT_OPEN",
		"the operation timed out":                         "SYSTEM_TIMEOUT",
		"Timeout!":                                        "SYSTEM_TIMEOUT",
		"permission denied: /etc/shadow":                  "USER_PERMISSION",
		"Forbidden":                                       "USER_PERMISSION",
		"connection refused":                              "SYSTEM_NETWORK",
		"read: connection reset by peer":                  "SYSTEM_NETWORK",
		"connection lost":                                 "SYSTEM_NETWORK",
		"network unreachable":                             "SYSTEM_NETWORK",
		"connect: network is unreachable":                 "SYSTEM_NETWORK",
		"service unavailable":                             "RESOURCE_API_UNAVAILABLE",
		"HTTP 502":                                        "RESOURCE_API_UNAVAILABLE",
		"got 502 Bad Gateway from proxy":                  "RESOURCE_API_UNAVAILABLE",
		"tool x was not found":                            "RESOURCE_TOOL_UNAVAILABLE",
		"schema validation failed":                        "AGENT_VALIDATION",
		"invalid JSON":                                    "AGENT_VALIDATION",
		"rate limit exceeded after the request timed out": "POLICY_RATE_LIMIT", // the earlier rule decides

		"boom":                           "AGENT_LOGIC",
		"the vroom vroom of memory":      "AGENT_LOGIC",
		"room 429":                       "AGENT_LOGIC",
		"429":                            "AGENT_LOGIC",
		"HTTP 4290":                      "AGENT_LOGIC",
		"flight 502 bad gatewayish":      "AGENT_LOGIC",
		"timeout_ms must be a number":    "AGENT_LOGIC",
		"timeouts":                       "AGENT_LOGIC",
		"rate limits":                    "AGENT_LOGIC",
		"corporate limit":                "AGENT_LOGIC",
		"the value is invalid":           "AGENT_LOGIC",
		"invalidated":                    "AGENT_LOGIC",
		"short circuit opened":           "AGENT_LOGIC",
		"disconnection refusedly":        "AGENT_LOGIC",
		"unforbidden":                    "AGENT_LOGIC",
		"something else went wrong here": "AGENT_LOGIC",
		"":                               "AGENT_LOGIC",
	} {
		if got := Cuga().Classify(Failure{Kind: Exception, Message: message}); code(got) != mode {
			t.Errorf("%q: %s by %q, want %s", message, code(got), got.Rule, mode)
		}
	}
}

// A type name is matched as the whole last identifier, and before any word of
// the message.
func TestDetectTypeNames(t *testing.T) {
	for _, tc := range []struct{ typ, message, mode string }{
		{"asyncio.TimeoutError", "", "SYSTEM_TIMEOUT"},
		{"java.net.ConnectException", "", "SYSTEM_NETWORK"},
		{"requests.exceptions.ConnectTimeout", "", "SYSTEM_TIMEOUT"},
		{"MemoryError", "", "SYSTEM_OOM"},
		{"pydantic.ValidationError", "", "AGENT_VALIDATION"},
		{"TimeoutError", "rate limit", "SYSTEM_TIMEOUT"},
		{"ValueError", "", "AGENT_LOGIC"},
		{"ValueError", "timed out", "SYSTEM_TIMEOUT"},
		{"NoTimeoutErrorAtAll", "", "AGENT_LOGIC"},
		{"MyConnectionErrors", "", "AGENT_LOGIC"},
		{"TimeoutError.Child", "", "AGENT_LOGIC"},
		{"...", "", "AGENT_LOGIC"},
	} {
		if got := Cuga().Classify(Failure{Kind: Exception, Type: tc.typ, Message: tc.message}); code(got) != tc.mode {
			t.Errorf("%q %q: %s by %q, want %s", tc.typ, tc.message, code(got), got.Rule, tc.mode)
		}
	}
}

// Arbitrary messages and types are classified without panic, with a mode of
// the taxonomy and the same one each time.
func FuzzClassify(f *testing.F) {
	f.Add("TimeoutError", "HTTP 429 Too Many Requests")
	f.Add("a.", "\xff rate\xfflimit")
	f.Fuzz(func(t *testing.T, typ, message string) {
		got := Cuga().Classify(Failure{Kind: Exception, Type: typ, Message: message})
		if got.Mode == nil || got.Rule == "" || Lookup(got.Mode.Code) != got.Mode {
			t.Errorf("%q %q: %+v", typ, message, got)
		}
		if again := Cuga().Classify(Failure{Kind: Exception, Type: typ, Message: message}); again.Rule != got.Rule {
			t.Errorf("%q %q: %q, then %q", typ, message, got.Rule, again.Rule)
		}
	})
}

// Classifying an exception by its message costs microseconds.
func BenchmarkClassifyMessage(b *testing.B) {
	f := Failure{Kind: Exception, Message: "something unusual went wrong while the tool was looking at the fourth page of results"}
	for b.Loop() {
		Cuga().Classify(f)
	}
}
