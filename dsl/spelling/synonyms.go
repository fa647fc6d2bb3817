package spelling

import (
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/scenario-lang/scenario/faults"
)

// synonyms are words that other tools, or people, use for what the language
// calls by another name, with that name, or several of which one may be known
// where the word stands. A word with none is for what the language does not have:
// whatever it resembles is something else.
var synonyms = sync.OnceValue(func() map[string][]string {
	return map[string][]string{
		// References.
		"variable": {"var"}, "variables": {"var"}, "vars": {"var"}, "locals": {"local"}, "inputs": {"input"}, "params": {"input", "inputs", "args"}, "args": {"arguments", "input", "command"},
		// Attributes of results.
		"text": {"content", "body", "output"}, "answer": {"content", "reply"}, "message": {"content"}, "response": {"content", "body", "reply"}, "code": {"status_code", "exit_code"}, "http_status": {"status_code"},
		"error_kind": {"error"}, "failure": {"error"}, "exception": {"error"}, "duration": {"elapsed_ms", "by", "takes", "after"}, "duration_ms": {"elapsed_ms"}, "latency": {"elapsed_ms", "by"}, "latency_ms": {"elapsed_ms", "by"}, "took": {"elapsed_ms"},
		"tokens": {"usage"}, "cost": {"cost_usd"}, "price": {"cost_usd"}, "tries": {"attempts", "max_retries"}, "calls": {"attempts", "tool_calls"}, "tools": {"tool_calls", "tool"}, "result": {"output"}, "value": {"output"},
		"outcome": {"status"}, "delays": {"delays_ms"}, "waits": {"delays_ms"},
		// Attributes and blocks.
		"steps": {"step"}, "targets": {"target"}, "tasks": {"step"}, "task": {"step"}, "validation": {"validate"}, "check": {"assert"}, "asserts": {"assert"},
		"attempts": {"max_retries"}, "max_attempts": {"max_retries"}, "retries": {"max_retries", "retry"}, "initial_delay": {"base", "delay"}, "backoff": {"multiplier"}, "factor": {"multiplier"}, "interval": {"delay", "base"},
		"read_timeout": {"idle_timeout"}, "body_timeout": {"idle_timeout"}, "socket_timeout": {"idle_timeout"}, "headers_timeout": {"first_byte_timeout"}, "response_header_timeout": {"first_byte_timeout"}, "response_timeout": {"first_byte_timeout"},
		"max_failures": {"threshold"}, "failure_threshold": {"threshold"}, "cooldown": {"reset"}, "reset_timeout": {"reset"}, "pool": {"uses"}, "rpm": {"requests_per_minute"}, "tpm": {"tokens_per_minute"},
		"url": {"base_url"}, "endpoint": {"base_url"}, "key": {"api_key_env"}, "api_key": {"api_key_env"}, "token": {"api_key_env"}, "question": {"prompt"}, "input": {"prompt", "inputs"}, "messages": {"prompt"}, "if": {"when"}, "needs": {"depends_on"}, "after": {"depends_on"}, "workflow": {"run"}, "seconds": {"for", "by"}, "ms": {"by"}, "milliseconds": {"by"}, "times": {"max_iterations"},
		"iteration": {"index"}, "network": {"connection"}, "sequential": {"ordered"}, "serial": {"ordered"}, "sequence": {"ordered"}, "concurrent": {"parallel"},
		"program": {"sut"}, "process": {"sut"}, "app": {"sut"}, "server": {"sut"},
		// Words of other tests and tools.
		"content": {"body"}, "body": {"content"}, "statement": {"query"}, "sql": {"query"}, "parameters": {"args", "inputs"}, "arguments": {"args"}, "rows_affected": {"affected"}, "affected_rows": {"affected"}, "rowcount": {"affected"}, "row_count": {"affected"}, "test": {"scenario"}, "spec": {"scenario"}, "testcase": {"scenario"}, "test_case": {"scenario"}, "describe": {"scenario"}, "it": {"scenario"}, "when": {"on"}, "mock": {"on"}, "stub": {"on"}, "given": {"on"}, "intercept": {"on"}, "respond": {"reply"}, "returns": {"reply", "output"}, "return": {"reply", "output"}, "verify": {"assert"}, "should": {"assert"}, "then": {"assert"}, "that": {"condition"}, "circuit": {"breaker"}, "ratelimit": {"rate_limit"}, "limiter": {"rate_limit"},
		"thenreturn": {"reply"}, "willreturn": {"reply"}, "willrespond": {"reply"}, "replyonce": {"reply"}, "reply_once": {"reply"}, "respondwith": {"reply"}, "respond_with": {"reply"}, "mockreturnvalue": {"reply"}, "mockresolvedvalue": {"reply"}, "return_value": {"reply"}, "fulfill": {"reply"},
		"replywitherror": {"fault"}, "reply_with_error": {"fault"}, "thenthrow": {"fault"}, "willthrow": {"fault"}, "mockrejectedvalue": {"fault"}, "side_effect": {"fault"}, "throws": {"fault", "expect"}, "throw": {"fault", "expect"}, "raises": {"expect", "fault"}, "raise": {"fault", "expect"}, "rejects": {"expect", "fault"}, "tothrow": {"expect", "fault"}, "abort": {"fault"},
		"delay": {"latency", "by", "after", "delays_ms"}, "delay_ms": {"latency", "by", "after"}, "wait": {"latency", "by", "after"}, "pause_for": {"latency", "after"},
		// A program and what became of it.
		"returncode": {"exit_code"}, "return_code": {"exit_code"}, "exitcode": {"exit_code"}, "exit_status": {"exit_code"}, "exitstatus": {"exit_code"}, "retcode": {"exit_code"}, "rc": {"exit_code"}, "out": {"stdout"}, "err": {"stderr"}, "output": {"stdout"}, "stdoutput": {"stdout"},
		"cmd": {"command"}, "argv": {"command"}, "entrypoint": {"command"}, "executable": {"command"}, "exec": {"command"}, "cwd": {"dir"}, "workdir": {"dir"}, "working_dir": {"dir"}, "working_directory": {"dir"}, "directory": {"dir"}, "environment": {"env"}, "environ": {"env"}, "envs": {"env"},
		// Words of curl, requests, Resilience4j and of files of YAML.
		"data": {"json", "body"}, "payload": {"json", "body"}, "success": {"status"}, "until": {"while", "to"}, "stop": {"cancel"}, "env": {"base_url_env"}, "stuck": {"hang"}, "xml": {"junit"},
		// Words of Resilience4j, Polly, Hystrix, pybreaker, opossum, tenacity, backoff, vcrpy and WireMock.
		"failure_rate_threshold": {"failure_rate"}, "failure_ratio": {"failure_rate"}, "error_threshold_percentage": {"failure_rate"}, "error_rate": {"failure_rate"}, "failure_percentage": {"failure_rate"},
		"slow_call_rate_threshold": {}, "slow_call_duration_threshold": {}, "half_open_requests": {"half_open_max"}, "half_open_calls": {"half_open_max"}, "half_open_max_calls": {"half_open_max"}, "half_open_max_requests": {"half_open_max"}, "permitted_number_of_calls_in_half_open_state": {"half_open_max"},
		"wait_duration_in_open_state": {"reset"}, "break_duration": {"reset"}, "duration_of_break": {"reset"}, "recovery_timeout": {"reset"}, "open_timeout": {"reset"}, "sleep_window": {"reset"}, "sleep_window_in_milliseconds": {"reset"},
		"sliding_window_size": {"window"}, "sampling_duration": {"window"}, "rolling_count_timeout": {"window"}, "minimum_number_of_calls": {"min_calls"}, "minimum_throughput": {"min_calls"}, "request_volume_threshold": {"min_calls"}, "volume_threshold": {"min_calls"}, "fail_max": {"threshold"}, "exceptions_allowed_before_breaking": {"threshold"}, "consecutive_failures": {"threshold"},
		"stop_after_attempt": {"max_retries"}, "max_retry_attempts": {"max_retries"}, "min": {"base"}, "min_wait": {"base"}, "wait_min": {"base"}, "min_delay": {"base"}, "min_timeout": {"base"}, "wait_duration": {"base", "delay"}, "max": {"max_delay"}, "max_wait": {"max_delay"}, "wait_max": {"max_delay"}, "max_value": {"max_delay"}, "max_timeout": {"max_delay"}, "exp_base": {"multiplier"}, "exponential_backoff_multiplier": {"multiplier"},
		"record": {}, "record_mode": {}, "record_on_error": {}, "match_on": {"match"}, "match_requests_on": {"match"}, "matchers": {"match"}, "filter_headers": {}, "filter_query_parameters": {}, "allow_playback_repeats": {"exhausted"},
		"json_body": {"json"}, "base64_body": {"body"}, "body_file_name": {"body"}, "fixed_delay_milliseconds": {"latency", "by"}, "delay_distribution": {}, "chunked_dribble_delay": {"chunk_delay"},
		// Kinds.
		"claude": {"anthropic"}, "google": {"gemini"}, "vertex": {"gemini"}, "azure": {"openai"}, "gpt": {"openai"}, "chatgpt": {"openai"}, "llama": {"ollama"}, "rest": {"http"}, "postgres": {"sql"}, "postgresql": {"sql"}, "database": {"sql"}, "query": {"sql"}, "api": {"http"},
		"prompt": {"llm"}, "model": {"llm"}, "chat": {"llm"}, "ai": {"llm"}, "sleep": {"wait"}, "pause": {"wait"}, "request": {"http"}, "tool": {"mcp"}, "set": {"value"}, "for": {"loop"}, "while": {"loop"}, "repeat": {"times", "loop"}, "subworkflow": {"workflow"},
		"constant": {"linear"}, "fixed": {"linear"}, "exp": {"exponential"},
		// Values.
		"succeeded": {"success"}, "ok": {"success"}, "passed": {"success"}, "error": {"failed", "fault"}, "timed_out": {"timeout"}, "canceled": {"cancelled"}, "half-open": {"half_open"},
		// Kinds of failures, by the kinds of faults that cause them.
		"http_error": {"http_status"}, "connection_reset": {"connection"}, "connection_refused": {"connection"}, "dns_error": {"connection"}, "tls_error": {"connection"}, "stream_truncate": {"stream_interrupted"}, "db_down": {"connection"}, "db_slow": {"db_timeout"}, "pool_exhausted": {"pool_timeout"},
		// Kinds of failures, by the exceptions of libraries.
		"timeouterror": {"timeout"}, "timeoutexception": {"timeout"}, "apitimeouterror": {"timeout"}, "readtimeout": {"timeout"}, "connecttimeout": {"timeout"}, "etimedout": {"timeout"},
		"connectionerror": {"connection"}, "connectionreseterror": {"connection"}, "connectionrefusederror": {"connection"}, "apiconnectionerror": {"connection"}, "connecterror": {"connection"}, "networkerror": {"connection"}, "econnreset": {"connection"}, "econnrefused": {"connection"}, "enotfound": {"connection"},
		"ratelimiterror": {"rate_limit"}, "too_many_requests": {"rate_limit"}, "internalservererror": {"http_status"}, "apistatuserror": {"http_status"}, "httperror": {"http_status"}, "cancellederror": {"cancelled"}, "aborterror": {"cancelled"},
		// Functions.
		"len": {"length"}, "size": {"length"}, "count": {"length", "times"}, "uppercase": {"upper"}, "lowercase": {"lower"}, "includes": {"contains"}, "has": {"contains"}, "json": {"jsonencode", "jsondecode", "content"}, "str": {"string", "tostring"}, "string": {"tostring"}, "int": {"number", "tonumber"}, "integer": {"number"}, "float": {"number"}, "boolean": {"bool"}, "number": {"tonumber"}, "regexp": {"regex"}, "match": {"regex"},
		"strip": {"trimspace"}, "trim_space": {"trimspace"}, "lstrip": {"trimspace"}, "rstrip": {"trimspace"}, "trimstart": {"trimspace"}, "trimend": {"trimspace"}, "trimleft": {"trimspace"}, "trimright": {"trimspace"}, "removeprefix": {"trimprefix"}, "removesuffix": {"trimsuffix"},
		"hasprefix": {"startswith"}, "has_prefix": {"startswith"}, "beginswith": {"startswith"}, "begins_with": {"startswith"}, "hassuffix": {"endswith"}, "has_suffix": {"endswith"}, "tolower": {"lower"}, "tolowercase": {"lower"}, "casefold": {"lower"}, "toupper": {"upper"}, "touppercase": {"upper"},
		"loads": {"jsondecode"}, "parse": {"jsondecode"}, "fromjson": {"jsondecode"}, "parsejson": {"jsondecode"}, "dumps": {"jsonencode"}, "stringify": {"jsonencode"}, "tojson": {"jsonencode"}, "sprintf": {"format"}, "substring": {"substr"}, "isin": {"contains"}, "include": {"contains"}, "hasattr": {"can"}, "exists": {"can"}, "defined": {"can"}, "all": {"alltrue"}, "every": {"alltrue"}, "any": {"anytrue"}, "some": {"anytrue"}, "replaceall": {"replace"}, "sorted": {"sort"}, "reversed": {"reverse"}, "unique": {"distinct"}, "uniq": {"distinct"}, "filter": {"compact"}, "find": {"index"}, "indexof": {"index"}, "search": {"regexmatch"}, "fullmatch": {"regexmatch"}, "matches": {"regexmatch"}, "concatenate": {"concat"}, "parseint": {"tonumber"}, "parsefloat": {"tonumber"},
	}
})

// Synonyms are the words of other tools, each with the names that are suggested for it.
func Synonyms() map[string][]string { return maps.Clone(synonyms()) }

// faultWords are words for kinds of faults, which the kinds know themselves.
var faultWords = sync.OnceValue(func() map[string][]string {
	words := map[string][]string{}
	for _, k := range faults.Kinds() {
		for _, word := range k.AlsoCalled {
			words[word] = append(words[word], k.Name)
		}
	}
	return words
})

// otherWord is the known name that differs from given in the size of letters
// or is its synonym, "" where there is none.
func otherWord(given string, known []string) string {
	for _, name := range known {
		if name != given && strings.EqualFold(name, given) {
			return name
		}
	}
	for _, form := range []string{strings.ToLower(given), snake(given)} {
		for _, word := range slices.Concat(synonyms()[form], faultWords()[form]) {
			if word != given && slices.Contains(known, word) {
				return word
			}
		}
	}
	return ""
}

// elsewhere reports whether a word is one of other tools for what the language does not
// have.
func elsewhere(given string) bool {
	names, known := synonyms()[snake(given)]
	return known && len(names) == 0
}

// snake writes a name in the way of the language: fixedDelayMilliseconds is
// fixed_delay_milliseconds, and baseURL is base_url. Capitals in a row are one word, with the
// first letter of the next one: URLBase is urlbase.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == '-':
			r = '_'
		case unicode.IsUpper(r) && i > 0 && name[i-1] != '_' && !unicode.IsUpper(rune(name[i-1])):
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
