# The modes that the standard taxonomy gives (V99, V100). The typed kind of a
# failure decides; the words of a message are read only for an exception, and an
# explicit mode wins over both. A reader learns what each mode means for the
# policies, and how one scenario stands for a table of cases.

provider "openai" "any" { model = "gpt-4o-mini" }

workflow "ask" {
  provider = provider.any

  step "llm" "ask" { prompt = "hello" }
}

scenario "V99 a mode has its category, and says whether it is retryable, terminal, partial" {
  run = workflow.ask
  # category, retryable, terminal, partial, severity
  for_each = {
    AGENT_VALIDATION          = ["agent", false, false, false, "low"]
    AGENT_TIMEOUT             = ["agent", true, false, true, "medium"]
    AGENT_LOGIC               = ["agent", false, false, false, "low"]
    AGENT_STATE               = ["agent", false, false, false, "medium"]
    AGENT_CONTRACT            = ["agent", false, true, false, "critical"]
    SYSTEM_NETWORK            = ["system", true, false, false, "high"]
    SYSTEM_TIMEOUT            = ["system", true, false, true, "high"]
    SYSTEM_CRASH              = ["system", false, true, false, "critical"]
    SYSTEM_OOM                = ["system", false, true, false, "critical"]
    SYSTEM_DISK               = ["system", false, false, false, "high"]
    RESOURCE_TOOL_UNAVAILABLE = ["resource", true, false, false, "medium"]
    RESOURCE_API_UNAVAILABLE  = ["resource", true, false, false, "medium"]
    RESOURCE_MEMORY_FULL      = ["resource", false, false, true, "medium"]
    RESOURCE_QUOTA            = ["resource", false, false, true, "medium"]
    RESOURCE_CIRCUIT_OPEN     = ["resource", true, false, false, "medium"]
    POLICY_SECURITY           = ["policy", false, true, false, "critical"]
    POLICY_BUDGET             = ["policy", false, true, false, "critical"]
    POLICY_ALLOWLIST          = ["policy", false, true, false, "critical"]
    POLICY_RATE_LIMIT         = ["policy", true, false, false, "medium"]
    USER_INVALID_INPUT        = ["user", false, false, false, "low"]
    USER_CANCELLED            = ["user", false, true, false, "critical"]
    USER_PERMISSION           = ["user", false, false, false, "medium"]
    PARTIAL_TOOL_FAILURES     = ["agent", false, false, true, "medium"]
    PARTIAL_STEP_FAILURES     = ["agent", false, false, true, "medium"]
    PARTIAL_TIMEOUT           = ["agent", true, false, true, "medium"]
  }

  on "ask" {
    fault "error" { mode = each.key }
  }

  expect "run" { status = "failed" }
  assert "the row of the table" {
    condition = [for e in [step.ask.error] : [e.mode, e.category, e.retryable, e.terminal, e.partial, e.severity]] == [concat([each.key], each.value)]
  }
}

scenario "V100 what an exception's type and message say" {
  run = workflow.ask
  for_each = {
    "a type of the network"   = { type = "ConnectionError", message = "boom", mode = "SYSTEM_NETWORK" }
    "a type of time"          = { type = "TimeoutError", message = "boom", mode = "SYSTEM_TIMEOUT" }
    "a type and a message"    = { type = "ValueError", message = "Invalid argument", mode = "AGENT_VALIDATION" }
    "rate limit"              = { type = null, message = "Rate limit exceeded", mode = "POLICY_RATE_LIMIT" }
    "circuit breaker"         = { type = null, message = "Circuit breaker open", mode = "RESOURCE_CIRCUIT_OPEN" }
    "tool"                    = { type = null, message = "tool not found", mode = "RESOURCE_TOOL_UNAVAILABLE" }
    "a type of permission"    = { type = "PermissionError", message = "boom", mode = "USER_PERMISSION" }
    "ValueError says nothing" = { type = "ValueError", message = "boom", mode = "AGENT_LOGIC" }
    "a part of a longer word" = { type = null, message = "the timeouts_table is broomed", mode = "AGENT_LOGIC" }
    "disk"                    = { type = null, message = "No space left on device", mode = "SYSTEM_DISK" }
    "quota"                   = { type = null, message = "You exceeded your quota: quota exceeded", mode = "RESOURCE_QUOTA" }
  }

  on "ask" {
    fault "error" {
      type    = each.value.type
      message = each.value.message
    }
  }

  expect "run" { status = "failed" }
  expect "ask" {
    error = { mode = each.value.mode }
  }
}

scenario "a status decides by itself, whatever the body says" {
  run = workflow.ask
  for_each = {
    "401" = { body = "rate limit exceeded", mode = "USER_PERMISSION" }
    "402" = { body = null, mode = "RESOURCE_QUOTA" }
    "404" = { body = null, mode = "AGENT_VALIDATION" }
    "408" = { body = null, mode = "SYSTEM_TIMEOUT" }
    "429" = { body = null, mode = "POLICY_RATE_LIMIT" }
    "500" = { body = "out of memory", mode = "RESOURCE_API_UNAVAILABLE" }
    "501" = { body = null, mode = "AGENT_LOGIC" }
    "503" = { body = null, mode = "RESOURCE_API_UNAVAILABLE" }
    "505" = { body = null, mode = "AGENT_LOGIC" }
    "529" = { body = null, mode = "RESOURCE_API_UNAVAILABLE" }
  }

  on "ask" {
    fault "http_error" {
      status_code = tonumber(each.key)
      body        = each.value.body
    }
  }

  expect "run" { status = "failed" }
  expect "ask" {
    error = {
      mode        = each.value.mode
      status_code = tonumber(each.key)
      kind        = lookup({ "429" = "rate_limit", "529" = "overloaded" }, each.key, "http_status")
    }
  }
}
