# The modes that the standard taxonomy gives (V99, V100). The typed kind of a
# failure decides; the words of a message are read only for an exception, and an
# explicit mode wins over both. A reader learns what each mode means for the
# policies. A gateway of targets that fail one after another meets many failures
# in one step.

provider "openai" "any" { model = "gpt-4o-mini" }

gateway "many" {
  target "t1" { provider = provider.any }
  target "t2" { provider = provider.any }
  target "t3" { provider = provider.any }
  target "t4" { provider = provider.any }
  target "t5" { provider = provider.any }
}

workflow "modes" {
  gateway    = gateway.many
  on_failure = "continue"

  step "llm" "agent" { prompt = "agent" }
  step "llm" "system" { prompt = "system" }
  step "llm" "resource" { prompt = "resource" }
  step "llm" "policy" { prompt = "policy" }
  step "llm" "user" { prompt = "user" }
  step "llm" "partial" { prompt = "partial" }
}

workflow "messages" {
  gateway    = gateway.many
  on_failure = "continue"

  step "llm" "first" { prompt = "first" }
  step "llm" "second" { prompt = "second" }
  step "llm" "more" { prompt = "more" }
}

workflow "typed" {
  gateway    = gateway.many
  on_failure = "continue"

  step "llm" "four_hundreds" { prompt = "4xx" }
  step "llm" "five_hundreds" { prompt = "5xx" }
}

scenario "V99 every mode has its category, and says whether it is retryable, terminal, partial" {
  run = workflow.modes

  on "agent" {
    fault "error" { mode = "AGENT_VALIDATION" }
    fault "error" { mode = "AGENT_TIMEOUT" }
    fault "error" { mode = "AGENT_LOGIC" }
    fault "error" { mode = "AGENT_STATE" }
    fault "error" { mode = "AGENT_CONTRACT" }
  }
  on "system" {
    fault "error" { mode = "SYSTEM_NETWORK" }
    fault "error" { mode = "SYSTEM_TIMEOUT" }
    fault "error" { mode = "SYSTEM_CRASH" }
    fault "error" { mode = "SYSTEM_OOM" }
    fault "error" { mode = "SYSTEM_DISK" }
  }
  on "resource" {
    fault "error" { mode = "RESOURCE_TOOL_UNAVAILABLE" }
    fault "error" { mode = "RESOURCE_API_UNAVAILABLE" }
    fault "error" { mode = "RESOURCE_MEMORY_FULL" }
    fault "error" { mode = "RESOURCE_QUOTA" }
    fault "error" { mode = "RESOURCE_CIRCUIT_OPEN" }
  }
  on "policy" {
    fault "error" { mode = "POLICY_SECURITY" }
    fault "error" { mode = "POLICY_BUDGET" }
    fault "error" { mode = "POLICY_ALLOWLIST" }
    fault "error" { mode = "POLICY_RATE_LIMIT" }
    reply { content = "ok" }
  }
  on "user" {
    fault "error" { mode = "USER_INVALID_INPUT" }
    fault "error" { mode = "USER_CANCELLED" }
    fault "error" { mode = "USER_PERMISSION" }
    reply { content = "ok" }
  }
  on "partial" {
    fault "error" { mode = "PARTIAL_TOOL_FAILURES" }
    fault "error" { mode = "PARTIAL_STEP_FAILURES" }
    fault "error" { mode = "PARTIAL_TIMEOUT" }
    reply { content = "ok" }
  }

  expect "run" {
    status = "partial"
  }
  assert "agent: mode, category, retryable, terminal, partial, severity" {
    condition = [for a in step.agent.attempts : [a.error.mode, a.error.category, a.error.retryable, a.error.terminal, a.error.partial, a.error.severity]] == [
      ["AGENT_VALIDATION", "agent", false, false, false, "low"],
      ["AGENT_TIMEOUT", "agent", true, false, true, "medium"],
      ["AGENT_LOGIC", "agent", false, false, false, "low"],
      ["AGENT_STATE", "agent", false, false, false, "medium"],
      ["AGENT_CONTRACT", "agent", false, true, false, "critical"],
    ]
  }
  assert "system" {
    condition = [for a in step.system.attempts : [a.error.mode, a.error.category, a.error.retryable, a.error.terminal, a.error.partial, a.error.severity]] == [
      ["SYSTEM_NETWORK", "system", true, false, false, "high"],
      ["SYSTEM_TIMEOUT", "system", true, false, true, "high"],
      ["SYSTEM_CRASH", "system", false, true, false, "critical"],
      ["SYSTEM_OOM", "system", false, true, false, "critical"],
      ["SYSTEM_DISK", "system", false, false, false, "high"],
    ]
  }
  assert "resource" {
    condition = [for a in step.resource.attempts : [a.error.mode, a.error.category, a.error.retryable, a.error.terminal, a.error.partial, a.error.severity]] == [
      ["RESOURCE_TOOL_UNAVAILABLE", "resource", true, false, false, "medium"],
      ["RESOURCE_API_UNAVAILABLE", "resource", true, false, false, "medium"],
      ["RESOURCE_MEMORY_FULL", "resource", false, false, true, "medium"],
      ["RESOURCE_QUOTA", "resource", false, false, true, "medium"],
      ["RESOURCE_CIRCUIT_OPEN", "resource", true, false, false, "medium"],
    ]
  }
  assert "policy" {
    condition = [for a in step.policy.attempts : [a.error.mode, a.error.category, a.error.retryable, a.error.terminal, a.error.partial, a.error.severity] if a.error != null] == [
      ["POLICY_SECURITY", "policy", false, true, false, "critical"],
      ["POLICY_BUDGET", "policy", false, true, false, "critical"],
      ["POLICY_ALLOWLIST", "policy", false, true, false, "critical"],
      ["POLICY_RATE_LIMIT", "policy", true, false, false, "medium"],
    ]
  }
  assert "user" {
    condition = [for a in step.user.attempts : [a.error.mode, a.error.category, a.error.retryable, a.error.terminal, a.error.partial, a.error.severity] if a.error != null] == [
      ["USER_INVALID_INPUT", "user", false, false, false, "low"],
      ["USER_CANCELLED", "user", false, true, false, "critical"],
      ["USER_PERMISSION", "user", false, false, false, "medium"],
    ]
  }
  assert "partial" {
    condition = [for a in step.partial.attempts : [a.error.mode, a.error.category, a.error.retryable, a.error.terminal, a.error.partial, a.error.severity] if a.error != null] == [
      ["PARTIAL_TOOL_FAILURES", "agent", false, false, true, "medium"],
      ["PARTIAL_STEP_FAILURES", "agent", false, false, true, "medium"],
      ["PARTIAL_TIMEOUT", "agent", true, false, true, "medium"],
    ]
  }
}

scenario "V100 what an exception's type and message say" {
  run = workflow.messages

  on "first" {
    fault "error" {
      type    = "ConnectionError"
      message = "boom"
    }
    fault "error" {
      type    = "TimeoutError"
      message = "boom"
    }
    fault "error" {
      type    = "ValueError"
      message = "Invalid argument"
    }
    fault "error" { message = "Rate limit exceeded" }
    fault "error" { message = "Circuit breaker open" }
  }
  on "second" {
    fault "error" { message = "tool not found" }
    fault "error" {
      type    = "PermissionError"
      message = "boom"
    }
    reply { content = "ok" }
  }
  on "more" {
    fault "error" {
      type    = "ValueError"
      message = "boom"
    }
    fault "error" { message = "the timeouts_table is broomed" }
    fault "error" { message = "No space left on device" }
    fault "error" { message = "You exceeded your quota: quota exceeded" }
    reply { content = "ok" }
  }

  expect "run" {
    status = "partial"
  }
  assert "the first five rows" {
    condition = [for a in step.first.attempts : a.error.mode] == ["SYSTEM_NETWORK", "SYSTEM_TIMEOUT", "AGENT_VALIDATION", "POLICY_RATE_LIMIT", "RESOURCE_CIRCUIT_OPEN"]
  }
  assert "the last two" {
    condition = [for a in step.second.attempts : a.error.mode if a.error != null] == ["RESOURCE_TOOL_UNAVAILABLE", "USER_PERMISSION"]
  }
  assert "ValueError alone says nothing, and a part of a longer word never matches" {
    condition = [for a in step.more.attempts : a.error.mode if a.error != null] == ["AGENT_LOGIC", "AGENT_LOGIC", "SYSTEM_DISK", "RESOURCE_QUOTA"]
  }
}

scenario "a status decides by itself, whatever the body says" {
  run = workflow.typed

  on "four_hundreds" {
    fault "http_error" {
      status_code = 401
      body        = "rate limit exceeded"
    }
    fault "http_error" { status_code = 402 }
    fault "http_error" { status_code = 404 }
    fault "http_error" { status_code = 408 }
    fault "http_error" { status_code = 429 }
  }
  on "five_hundreds" {
    fault "http_error" {
      status_code = 500
      body        = "out of memory"
    }
    fault "http_error" { status_code = 501 }
    fault "http_error" { status_code = 503 }
    fault "http_error" { status_code = 505 }
    fault "http_error" { status_code = 529 }
  }

  expect "run" {
    status = "failed"
  }
  assert "4xx" {
    condition = [for a in step.four_hundreds.attempts : a.error.mode] == ["USER_PERMISSION", "RESOURCE_QUOTA", "AGENT_VALIDATION", "SYSTEM_TIMEOUT", "POLICY_RATE_LIMIT"]
  }
  assert "5xx" {
    condition = [for a in step.five_hundreds.attempts : a.error.mode] == ["RESOURCE_API_UNAVAILABLE", "AGENT_LOGIC", "RESOURCE_API_UNAVAILABLE", "AGENT_LOGIC", "RESOURCE_API_UNAVAILABLE"]
  }
  assert "529 is overload" {
    condition = step.five_hundreds.attempts[4].error.kind == "overloaded"
  }
}
