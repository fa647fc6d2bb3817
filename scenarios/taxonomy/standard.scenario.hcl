# The standard detection, rule by rule (CU2): what the type and the message of an
# exception say where its kind says nothing. A reader learns which words count,
# and that a part of a longer word never does.

provider "openai" "any" { model = "gpt-4o-mini" }

workflow "read" {
  provider = provider.any

  step "llm" "it" { prompt = "hi" }
}

scenario "V100 the name of an exception's type" {
  for_each = {
    "asyncio.TimeoutError"      = { message = "boom", mode = "SYSTEM_TIMEOUT" }
    "java.net.ConnectException" = { message = "boom", mode = "SYSTEM_NETWORK" }
    "MemoryError"               = { message = "boom", mode = "SYSTEM_OOM" }
    "PermissionError"           = { message = "boom", mode = "USER_PERMISSION" }
    "pydantic.ValidationError"  = { message = "boom", mode = "AGENT_VALIDATION" }
  }
  run = workflow.read

  on "it" {
    fault "error" {
      type    = each.key
      message = each.value.message
    }
  }

  expect "it" { error = { mode = each.value.mode } }
  expect "run" { status = "failed" }
}

scenario "V100 a type's name comes before the words, and is a whole identifier" {
  for_each = {
    "TimeoutError"    = { message = "out of memory", mode = "SYSTEM_TIMEOUT" }
    "MyTimeoutErrors" = { message = "boom", mode = "AGENT_LOGIC" }
    "ValueError"      = { message = "boom", mode = "AGENT_LOGIC" }
    "timeouterror"    = { message = "boom", mode = "AGENT_LOGIC" }
  }
  run = workflow.read

  on "it" {
    fault "error" {
      type    = each.key
      message = each.value.message
    }
  }

  expect "it" { error = { mode = each.value.mode } }
  expect "run" { status = "failed" }
}

scenario "V100 memory and disk" {
  for_each = {
    "Out of memory"             = "SYSTEM_OOM"
    "the worker was OOM-killed" = "SYSTEM_OOM"
    "no space left on device"   = "SYSTEM_DISK"
    "boom"                      = "AGENT_LOGIC"
    "the room is full of zoom"  = "AGENT_LOGIC"
  }
  run = workflow.read

  on "it" {
    fault "error" { message = each.key }
  }

  expect "it" { error = { mode = each.value } }
  expect "run" { status = "failed" }
}

scenario "V100 limits" {
  for_each = {
    "Rate limit exceeded"      = "POLICY_RATE_LIMIT"
    "429: Too Many Requests"   = "POLICY_RATE_LIMIT"
    "HTTP 429"                 = "POLICY_RATE_LIMIT"
    "quota exceeded for today" = "RESOURCE_QUOTA"
    "order 429 was refused"    = "AGENT_LOGIC"
  }
  run = workflow.read

  on "it" {
    fault "error" { message = each.key }
  }

  expect "it" { error = { mode = each.value } }
  expect "run" { status = "failed" }
}

scenario "V100 breakers and time" {
  for_each = {
    "circuit open"         = "RESOURCE_CIRCUIT_OPEN"
    "circuit breaker open" = "RESOURCE_CIRCUIT_OPEN"
    "a timeout"            = "SYSTEM_TIMEOUT"
    "the read timed out"   = "SYSTEM_TIMEOUT"
    "set timeout_ms"       = "AGENT_LOGIC"
  }
  run = workflow.read

  on "it" {
    fault "error" { message = each.key }
  }

  expect "it" { error = { mode = each.value } }
  expect "run" { status = "failed" }
}

scenario "V100 permission" {
  for_each = {
    "Permission denied"    = "USER_PERMISSION"
    "403 Forbidden"        = "USER_PERMISSION"
    "an unforbidden fruit" = "AGENT_LOGIC"
  }
  run = workflow.read

  on "it" {
    fault "error" { message = each.key }
  }

  expect "it" { error = { mode = each.value } }
  expect "run" { status = "failed" }
}

scenario "V100 connections" {
  for_each = {
    "connection refused"       = "SYSTEM_NETWORK"
    "connection reset by peer" = "SYSTEM_NETWORK"
    "connection closed"        = "SYSTEM_NETWORK"
    "connection lost"          = "SYSTEM_NETWORK"
    "connection error"         = "SYSTEM_NETWORK"
  }
  run = workflow.read

  on "it" {
    fault "error" { message = each.key }
  }

  expect "it" { error = { mode = each.value } }
  expect "run" { status = "failed" }
}

scenario "V100 networks and services" {
  for_each = {
    "network unreachable" = "SYSTEM_NETWORK"
    "network error"       = "SYSTEM_NETWORK"
    "service unavailable" = "RESOURCE_API_UNAVAILABLE"
    "HTTP 502"            = "RESOURCE_API_UNAVAILABLE"
    "part 502 is missing" = "AGENT_LOGIC"
  }
  run = workflow.read

  on "it" {
    fault "error" { message = each.key }
  }

  expect "it" { error = { mode = each.value } }
  expect "run" { status = "failed" }
}

scenario "V100 tools and validation" {
  for_each = {
    "tool not found"         = "RESOURCE_TOOL_UNAVAILABLE"
    "the page was not found" = "RESOURCE_TOOL_UNAVAILABLE"
    "validation failed"      = "AGENT_VALIDATION"
    "a validation error"     = "AGENT_VALIDATION"
    "Invalid input"          = "AGENT_VALIDATION"
  }
  run = workflow.read

  on "it" {
    fault "error" { message = each.key }
  }

  expect "it" { error = { mode = each.value } }
  expect "run" { status = "failed" }
}

scenario "V100 invalid counts at the beginning alone, and the earlier rule decides" {
  for_each = {
    "the input is invalid"                  = "AGENT_LOGIC"
    "invalidated cache"                     = "AGENT_LOGIC"
    "out of memory after a timeout"         = "SYSTEM_OOM"
    "connection refused: permission denied" = "USER_PERMISSION"
  }
  run = workflow.read

  on "it" {
    fault "error" { message = each.key }
  }

  expect "it" { error = { mode = each.value } }
  expect "run" { status = "failed" }
}
