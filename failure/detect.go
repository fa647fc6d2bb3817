package failure

import (
	"slices"
	"strings"
)

// The families of exception names that say what happened. A name is matched as
// the whole last identifier of a qualified type (asyncio.TimeoutError,
// java.net.ConnectException), never as part of a longer one. ValueError and
// its like are absent because they say nothing.
var (
	timeoutTypes = []string{
		"Timeout", "TimeoutError", "TimeoutException", "TimeoutExpired", "timeout",
		"ConnectTimeout", "ReadTimeout", "WriteTimeout", "PoolTimeout",
		"ConnectTimeoutError", "ReadTimeoutError", "ConnectTimeoutException",
		"ConnectionTimeoutError", "SocketTimeoutException", "HttpTimeoutException",
		"ServerTimeoutError", "RequestTimeoutError", "GatewayTimeoutError",
		"HeadersTimeoutError", "BodyTimeoutError",
		"APITimeoutError", "APIConnectionTimeoutError",
		"DeadlineExceeded", "DeadlineExceededError", "ETIMEDOUT", "ESOCKETTIMEDOUT",
	}
	connectionTypes = []string{
		"ConnectionError", "ConnectError", "ReadError", "WriteError", "NetworkError",
		"ConnectionResetError", "ConnectionRefusedError", "ConnectionAbortedError", "BrokenPipeError",
		"ConnectException", "ConnectionException", "SocketException", "UnknownHostException", "NoRouteToHostException",
		"RemoteDisconnected", "ServerDisconnectedError", "ClientConnectionError", "ClientConnectorError",
		"APIConnectionError", "NewConnectionError", "gaierror",
		"ECONNRESET", "ECONNREFUSED", "ECONNABORTED", "EPIPE", "ENOTFOUND", "EAI_AGAIN", "EHOSTUNREACH", "ENETUNREACH",
	}
	memoryTypes = []string{
		"MemoryError", "OutOfMemoryError", "OutOfMemoryException",
	}
	permissionTypes = []string{
		"PermissionError", "PermissionDenied", "PermissionDeniedError", "PermissionDeniedException",
		"AccessDenied", "AccessDeniedError", "AccessDeniedException", "Forbidden", "ForbiddenError",
		"AuthenticationError", "AuthorizationError", "UnauthorizedError", "UnauthorizedAccessException", "EACCES", "EPERM",
	}
	validationTypes = []string{
		"ValidationError", "ValidationException", "RequestValidationError", "ConstraintViolationException",
		"InvalidArgument", "InvalidArgumentError", "InvalidArgumentException",
	}
)

// standardDetection is the order in which an exception is looked at: its type's
// name, then words and phrases of its message.
func standardDetection() []Rule {
	return slices.Concat(
		byType("SYSTEM_TIMEOUT", timeoutTypes),
		byType("SYSTEM_NETWORK", connectionTypes),
		byType("SYSTEM_OOM", memoryTypes),
		byType("USER_PERMISSION", permissionTypes),
		byType("AGENT_VALIDATION", validationTypes),
		byPhrase("SYSTEM_OOM", "out of memory", "oom killed", "oomkilled", "oom killer"),
		byPhrase("SYSTEM_DISK", "no space left"),
		byPhrase("POLICY_RATE_LIMIT", "rate limit", "rate limited", "too many requests"),
		[]Rule{byMessageStatus("POLICY_RATE_LIMIT", "429", isCode(429))},
		byPhrase("RESOURCE_QUOTA", "quota exceeded"),
		byPhrase("RESOURCE_CIRCUIT_OPEN", "circuit open", "circuit breaker open", "circuit is open", "circuit breaker is open"),
		byPhrase("SYSTEM_TIMEOUT", "timeout", "timed out"),
		byPhrase("USER_PERMISSION", "permission denied", "forbidden"),
		byPhrase("SYSTEM_NETWORK", "connection refused", "connection reset", "connection closed", "connection lost",
			"connection error", "network unreachable", "network is unreachable", "network error"),
		byPhrase("RESOURCE_API_UNAVAILABLE", "service unavailable"),
		[]Rule{byMessageStatus("RESOURCE_API_UNAVAILABLE", "5xx", isClass(5))},
		byPhrase("RESOURCE_TOOL_UNAVAILABLE", "tool not found", "not found"),
		byPhrase("AGENT_VALIDATION", "validation failed", "validation error"),
		[]Rule{{Name: `message begins with "invalid"`, Mode: "AGENT_VALIDATION", Match: beginsInvalid}},
	)
}

func byType(mode string, names []string) []Rule {
	rules := make([]Rule, len(names))
	for i, name := range names {
		rules[i] = Rule{
			Name:  `type name "` + name + `"`,
			Mode:  mode,
			Match: func(f *Failure) bool { return f.Type != "" && lastIdentifier(f.Type) == name },
		}
	}
	return rules
}

func byPhrase(mode string, phrases ...string) []Rule {
	rules := make([]Rule, len(phrases))
	for i, phrase := range phrases {
		rules[i] = Rule{
			Name:  `phrase "` + phrase + `"`,
			Mode:  mode,
			Match: func(f *Failure) bool { return Word(f.Message, phrase) },
		}
	}
	return rules
}

func byMessageStatus(mode, name string, match func(code int) bool) Rule {
	return Rule{
		Name:  "HTTP status " + name + " in the message",
		Mode:  mode,
		Match: func(f *Failure) bool { return hasMessageStatus(f.Message, match) },
	}
}

func beginsInvalid(f *Failure) bool {
	first, _, _ := strings.Cut(strings.TrimSpace(f.Message), " ")
	return Word(first, "invalid") && len(first) >= len("invalid") && strings.EqualFold(first[:len("invalid")], "invalid")
}

// lastIdentifier is the part of a qualified type name after the last character
// that cannot stand in an identifier.
func lastIdentifier(name string) string {
	i := strings.LastIndexFunc(name, func(r rune) bool { return !isWordRune(r) })
	if i < 0 {
		return name
	}
	return strings.TrimLeftFunc(name[i:], func(r rune) bool { return !isWordRune(r) })
}
