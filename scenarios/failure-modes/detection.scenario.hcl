# Detection (CU2): which mode an exception gets by its type and its words, where
# its kind says nothing. The examples of CUGA, then what a search for parts of
# words gets wrong: `error.rule` tells which rule decided.

provider "openai" "agent" { model = "gpt-4o-mini" }

workflow "request" {
  provider = provider.agent

  step "llm" "agent" { prompt = "Do it." }
}

locals {
  # Type, message, mode, rule.
  examples = {
    network     = ["ConnectionError", "boom", "SYSTEM_NETWORK", "type name \"ConnectionError\""]
    timeout     = ["asyncio.TimeoutError", "", "SYSTEM_TIMEOUT", "type name \"TimeoutError\""]
    validation  = ["ValueError", "Invalid input: no name", "AGENT_VALIDATION", "message begins with \"invalid\""]
    rate_limit  = ["Exception", "Rate limit exceeded", "POLICY_RATE_LIMIT", "phrase \"rate limit\""]
    circuit     = ["Exception", "Circuit breaker open", "RESOURCE_CIRCUIT_OPEN", "phrase \"circuit breaker open\""]
    tool        = ["Exception", "tool not found", "RESOURCE_TOOL_UNAVAILABLE", "phrase \"tool not found\""]
    permission  = ["PermissionError", "no", "USER_PERMISSION", "type name \"PermissionError\""]
    a_policy    = ["ValueError", "Policy violation", "AGENT_LOGIC", "default"]
    unknown_one = ["RuntimeError", "API error: unknown", "AGENT_LOGIC", "default"]
  }
  # Message, mode. Each holds a part of a word that a substring would find.
  words = {
    "boom is no oom"                 = ["boom", "AGENT_LOGIC"]
    "a room is no oom"               = ["the room is taken", "AGENT_LOGIC"]
    "an OOM-killed worker is"        = ["the worker was OOM-killed", "SYSTEM_OOM"]
    "HTTP 429 is a rate limit"       = ["HTTP 429", "POLICY_RATE_LIMIT"]
    "order 429 is none"              = ["order 429 was refused", "AGENT_LOGIC"]
    "a networked thing is no net"    = ["the networked printer jammed", "AGENT_LOGIC"]
    "a connection pool is none lost" = ["connection pool size is 3", "AGENT_LOGIC"]
    "timeouts in a setting"          = ["set timeout_ms to 5", "AGENT_LOGIC"]
    "generate limits is no rate"     = ["we generate limited editions", "AGENT_LOGIC"]
    "invalid at the beginning"       = ["Invalid name", "AGENT_VALIDATION"]
    "invalid elsewhere"              = ["the name is invalid", "AGENT_LOGIC"]
    "a short circuit"                = ["short circuited opening", "AGENT_LOGIC"]
    "memory is not enough"           = ["the memory of elephants", "AGENT_LOGIC"]
    "permission granted"             = ["permission granted", "AGENT_LOGIC"]
  }
  # What a message says does not matter where the kind is known.
  typed = {
    refused = { kind = "connection_refused", mode = "SYSTEM_NETWORK", rule = "kind connection" }
    reset   = { kind = "connection_reset", mode = "SYSTEM_NETWORK", rule = "kind connection" }
    garbage = { kind = "garbage", mode = "RESOURCE_API_UNAVAILABLE", rule = "kind malformed_response" }
    dns     = { kind = "dns_error", mode = "SYSTEM_NETWORK", rule = "kind connection" }
  }
  statuses = { "400" = "AGENT_VALIDATION", "401" = "USER_PERMISSION", "402" = "RESOURCE_QUOTA", "403" = "USER_PERMISSION", "408" = "SYSTEM_TIMEOUT", "429" = "POLICY_RATE_LIMIT", "500" = "RESOURCE_API_UNAVAILABLE", "501" = "AGENT_LOGIC", "503" = "RESOURCE_API_UNAVAILABLE", "529" = "RESOURCE_API_UNAVAILABLE" }
}

scenario "CU2 the examples of from_exception" {
  for_each = local.examples
  run      = workflow.request

  on "agent" {
    fault "error" {
      type    = each.value[0]
      message = each.value[1]
    }
  }

  expect "run" { status = "failed" }
  expect "agent" {
    error = { kind = "exception", mode = each.value[2], rule = each.value[3] }
  }
}

scenario "CU2 whole words" {
  for_each = local.words
  run      = workflow.request

  on "agent" {
    fault "error" { message = each.value[0] }
  }

  expect "run" { status = "failed" }
  expect "agent" { error = { mode = each.value[1] } }
}

scenario "CU2 a typed kind comes before any word" {
  for_each = local.typed
  run      = workflow.request

  on "agent" {
    dynamic "fault" {
      for_each = [each.value]
      labels   = [fault.value.kind]
      content {}
    }
  }

  expect "run" { status = "failed" }
  expect "agent" { error = { mode = each.value.mode, rule = each.value.rule } }
}

scenario "CU2 a status decides, whatever the body says" {
  for_each = local.statuses
  run      = workflow.request

  on "agent" {
    fault "http_error" {
      status_code = tonumber(each.key)
      body        = "out of memory: permission denied, rate limit, circuit breaker open"
    }
  }

  expect "run" { status = "failed" }
  expect "agent" { error = { mode = each.value } }
}

scenario "CU2 an explicit mode wins over detection" {
  run = workflow.request

  on "agent" {
    fault "error" {
      message = "Rate limit exceeded"
      mode    = "RESOURCE_API_UNAVAILABLE"
    }
  }

  expect "run" { status = "failed" }
  expect "agent" { error = { mode = "RESOURCE_API_UNAVAILABLE", rule = "explicit" } }
}
