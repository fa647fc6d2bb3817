package mutate

import (
	"strings"
	"testing"
)

// What a setting says is dropped, doubled or moved by one where that is another program, and
// what is not written stays as it is.
func TestSettings(t *testing.T) {
	for _, c := range []struct{ operator, text, want string }{
		{"backoff", "retry \"exponential\" \"r\" { multiplier = 1 }", ""},
		{"backoff", "retry \"exponential\" \"r\" {\n  multiplier = 1\n  base = \"2s\"\n  max_delay = \"9s\"\n  jitter = \"full\"\n}", `retry.r base "2s" → "4s"; retry.r max_delay "9s" dropped; retry.r max_delay "9s" → "18s"; retry.r jitter "full" dropped`},
		{"backoff", "retry \"exponential\" \"r\" {\n  multiplier = 1\n  max_delay = \"60s\"\n  jitter = 0\n}", `retry.r max_delay "60s" → "2m0s"`},
		{"backoff", "retry \"exponential\" \"r\" {\n  multiplier = 1\n  max_delay = \"30s\"\n}", `retry.r max_delay "30s" → "1m0s"`},
		{"max_retry_after", "retry \"linear\" \"r\" { retry_after_cap = \"5s\" }", `retry.r retry_after_cap "5s" dropped; retry.r retry_after_cap "5s" → "10s"`},
		{"breaker", "breaker \"b\" {\n  window = 8\n  failure_rate = 0.6\n  half_open_max = 2\n  success_threshold = 1\n  ignore = [\"rate_limit\"]\n}", `breaker.b min_calls 10 → 11; breaker.b reset "60s" → "2m0s"; breaker.b failure_rate 0.6 dropped; breaker.b failure_rate 0.6 → 1; breaker.b window 8 → 16; breaker.b half_open_max 2 → 3; breaker.b success_threshold 1 → 2; breaker.b ignore ["rate_limit"] dropped; breaker.b ignore without "rate_limit"`},
		{"breaker", "breaker \"b\" {\n  window = \"60s\"\n  failure_rate = 1\n  ignore = [\"rate_limit\", \"cancelled\"]\n}", `breaker.b min_calls 10 → 11; breaker.b reset "60s" → "2m0s"; breaker.b failure_rate 1 dropped; breaker.b window "60s" → "2m0s"; breaker.b ignore without "rate_limit"; breaker.b ignore without "cancelled"`},
		{"limit", "rate_limit \"l\" {\n  requests_per_minute = 30\n  burst = 30\n  tokens_per_minute = 2000\n}", `rate_limit.l requests_per_minute 30 → 60; rate_limit.l tokens_per_minute 2000 dropped; rate_limit.l tokens_per_minute 2000 → 4000; rate_limit.l burst 30 → 60`},
		{"limit", "lock \"l\" {\n  capacity = 2\n  max_queue = 0\n}", `lock.l max_queue 0 dropped; lock.l capacity 2 → 3; lock.l max_queue 0 → 1`},
		{"join", "fanout \"f\" {\n  mode = \"ordered\"\n  sub \"a\" {\n    target = actor.a.h\n    run_if = \"success\"\n    group = \"g\"\n    priority = 2\n  }\n}", `fanout.f mode "ordered" → "parallel"; fanout.f mode "ordered" → "conditional"; fanout.f sub.a run_if "success" → "always"; fanout.f sub.a run_if "success" → "completed"; fanout.f sub.a group "g" dropped; fanout.f sub.a priority 2 dropped`},
		{"choice", "registry \"r\" { recover = [\"heartbeat\"] }", `registry.r recover ["heartbeat"] dropped; registry.r recover without "heartbeat"`},
		{"time", "registry \"r\" {\n  ttl = \"10s\"\n  quarantine_after = \"20s\"\n}", `registry.r ttl "10s" → "20s"; registry.r quarantine_after "20s" → "40s"`},
		{"time", "actor \"a\" {\n  clock_skew = \"-5s\"\n  handler \"h\" { takes = \"0s\" }\n}", `actor.a clock_skew "-5s" dropped; actor.a clock_skew "-5s" → "-10s"`},
		{"validate", "workflow \"w\" {\n  step \"http\" \"s\" {\n    validate \"v\" {\n      condition = true\n      retry = true\n      mode = \"M\"\n    }\n  }\n}", `step.s validate.v dropped; step.s validate.v retry true dropped; step.s validate.v mode "M" dropped`},
		{"bench", "bench \"b\" {\n  trials = 1\n  concurrency = 4\n  cost_cap_usd = 10\n  case_timeout = \"10s\"\n  breakdown_keys = [\"a\", \"b\"]\n}", `bench.b breakdown_keys without "a"; bench.b breakdown_keys without "b"; bench.b case_timeout "10s" dropped; bench.b case_timeout "10s" → "20s"; bench.b concurrency 4 → 5; bench.b trials 1 → 2; bench.b cost_cap_usd 10 dropped; bench.b cost_cap_usd 10 → 20`},
		{"bench", "bench \"b\" {\n  lower_bound {\n    method = \"wilson\"\n    level = 0.9\n    min_cases = 1\n  }\n}", `bench.b lower_bound method "wilson" → "bca"; bench.b lower_bound level 0.9 dropped; bench.b lower_bound level 0.9 → 0.45; bench.b lower_bound min_cases 1 dropped; bench.b lower_bound min_cases 1 → 2`},
		{"bench", "bench \"b\" {\n  gate \"g\" {\n    lower_bound = 0.8\n    min_passed = 4\n    pass_all = 1\n  }\n}", `bench.b gate.g dropped; bench.b gate.g lower_bound 0.8 dropped; bench.b gate.g lower_bound 0.8 → 0.4; bench.b gate.g lower_bound 0.8 → 0.9; bench.b gate.g min_passed 4 dropped; bench.b gate.g min_passed 4 → 5; bench.b gate.g min_passed 4 → 3; bench.b gate.g pass_all 1 dropped; bench.b gate.g pass_all 1 → 0.5`},
		{"idempotent", "bench \"b\" { idempotent = false }", ""},
		{"depends_on", "bench \"b\" {\n  sut {\n    command = [\"a\"]\n    depends_on = [\"a.py\"]\n  }\n}", ""},
	} {
		if got := strings.Join(changesOf(t, c.text+"\n", c.operator), "; "); got != c.want {
			t.Errorf("%s: got\n  %s\nwant\n  %s", c.text, got, c.want)
		}
	}
}
