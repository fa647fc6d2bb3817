# The standard detection, rule by rule (CU2): what the type and the message of an
# exception say where its kind says nothing. A reader learns which words count,
# and that a part of a longer word never does.

provider "openai" "any" { model = "gpt-4o-mini" }

gateway "six" {
  target "t1" { provider = provider.any }
  target "t2" { provider = provider.any }
  target "t3" { provider = provider.any }
  target "t4" { provider = provider.any }
  target "t5" { provider = provider.any }
  target "t6" { provider = provider.any }
}

workflow "read" {
  gateway = gateway.six

  step "llm" "it" { prompt = "hi" }
}

scenario "V100 the name of an exception's type" {
  run = workflow.read

  on "it" {
    fault "error" {
      type    = "asyncio.TimeoutError"
      message = "boom"
    }
    fault "error" {
      type    = "java.net.ConnectException"
      message = "boom"
    }
    fault "error" {
      type    = "MemoryError"
      message = "boom"
    }
    fault "error" {
      type    = "PermissionError"
      message = "boom"
    }
    fault "error" {
      type    = "pydantic.ValidationError"
      message = "boom"
    }
    reply { content = "ok" }
  }

  assert "modes" {
    condition = [for a in step.it.attempts : a.error.mode if a.error != null] == ["SYSTEM_TIMEOUT", "SYSTEM_NETWORK", "SYSTEM_OOM", "USER_PERMISSION", "AGENT_VALIDATION"]
  }
}

scenario "V100 a type's name comes before the words, and is a whole identifier" {
  run = workflow.read

  on "it" {
    fault "error" {
      type    = "TimeoutError"
      message = "out of memory"
    }
    fault "error" {
      type    = "MyTimeoutErrors"
      message = "boom"
    }
    fault "error" {
      type    = "ValueError"
      message = "boom"
    }
    fault "error" {
      type    = "timeouterror"
      message = "boom"
    }
    reply { content = "ok" }
  }

  assert "modes" {
    condition = [for a in step.it.attempts : a.error.mode if a.error != null] == ["SYSTEM_TIMEOUT", "AGENT_LOGIC", "AGENT_LOGIC", "AGENT_LOGIC"]
  }
}

scenario "V100 memory and disk" {
  run = workflow.read

  on "it" {
    fault "error" { message = "Out of memory" }
    fault "error" { message = "the worker was OOM-killed" }
    fault "error" { message = "no space left on device" }
    fault "error" { message = "boom" }
    fault "error" { message = "the room is full of zoom" }
    reply { content = "ok" }
  }

  assert "modes" {
    condition = [for a in step.it.attempts : a.error.mode if a.error != null] == ["SYSTEM_OOM", "SYSTEM_OOM", "SYSTEM_DISK", "AGENT_LOGIC", "AGENT_LOGIC"]
  }
}

scenario "V100 limits" {
  run = workflow.read

  on "it" {
    fault "error" { message = "Rate limit exceeded" }
    fault "error" { message = "429: Too Many Requests" }
    fault "error" { message = "HTTP 429" }
    fault "error" { message = "quota exceeded for today" }
    fault "error" { message = "order 429 was refused" }
    reply { content = "ok" }
  }

  assert "modes" {
    condition = [for a in step.it.attempts : a.error.mode if a.error != null] == ["POLICY_RATE_LIMIT", "POLICY_RATE_LIMIT", "POLICY_RATE_LIMIT", "RESOURCE_QUOTA", "AGENT_LOGIC"]
  }
}

scenario "V100 breakers and time" {
  run = workflow.read

  on "it" {
    fault "error" { message = "circuit open" }
    fault "error" { message = "circuit breaker open" }
    fault "error" { message = "a timeout" }
    fault "error" { message = "the read timed out" }
    fault "error" { message = "set timeout_ms" }
    reply { content = "ok" }
  }

  assert "modes" {
    condition = [for a in step.it.attempts : a.error.mode if a.error != null] == ["RESOURCE_CIRCUIT_OPEN", "RESOURCE_CIRCUIT_OPEN", "SYSTEM_TIMEOUT", "SYSTEM_TIMEOUT", "AGENT_LOGIC"]
  }
}

scenario "V100 permission" {
  run = workflow.read

  on "it" {
    fault "error" { message = "Permission denied" }
    fault "error" { message = "403 Forbidden" }
    fault "error" { message = "an unforbidden fruit" }
    reply { content = "ok" }
  }

  assert "modes" {
    condition = [for a in step.it.attempts : a.error.mode if a.error != null] == ["USER_PERMISSION", "USER_PERMISSION", "AGENT_LOGIC"]
  }
}

scenario "V100 connections" {
  run = workflow.read

  on "it" {
    fault "error" { message = "connection refused" }
    fault "error" { message = "connection reset by peer" }
    fault "error" { message = "connection closed" }
    fault "error" { message = "connection lost" }
    fault "error" { message = "connection error" }
    reply { content = "ok" }
  }

  assert "modes" {
    condition = [for a in step.it.attempts : a.error.mode if a.error != null] == ["SYSTEM_NETWORK", "SYSTEM_NETWORK", "SYSTEM_NETWORK", "SYSTEM_NETWORK", "SYSTEM_NETWORK"]
  }
}

scenario "V100 networks and services" {
  run = workflow.read

  on "it" {
    fault "error" { message = "network unreachable" }
    fault "error" { message = "network error" }
    fault "error" { message = "service unavailable" }
    fault "error" { message = "HTTP 502" }
    fault "error" { message = "part 502 is missing" }
    reply { content = "ok" }
  }

  assert "modes" {
    condition = [for a in step.it.attempts : a.error.mode if a.error != null] == ["SYSTEM_NETWORK", "SYSTEM_NETWORK", "RESOURCE_API_UNAVAILABLE", "RESOURCE_API_UNAVAILABLE", "AGENT_LOGIC"]
  }
}

scenario "V100 tools and validation" {
  run = workflow.read

  on "it" {
    fault "error" { message = "tool not found" }
    fault "error" { message = "the page was not found" }
    fault "error" { message = "validation failed" }
    fault "error" { message = "a validation error" }
    fault "error" { message = "Invalid input" }
    reply { content = "ok" }
  }

  assert "modes" {
    condition = [for a in step.it.attempts : a.error.mode if a.error != null] == ["RESOURCE_TOOL_UNAVAILABLE", "RESOURCE_TOOL_UNAVAILABLE", "AGENT_VALIDATION", "AGENT_VALIDATION", "AGENT_VALIDATION"]
  }
}

scenario "V100 invalid counts at the beginning alone, and the earlier rule decides" {
  run = workflow.read

  on "it" {
    fault "error" { message = "the input is invalid" }
    fault "error" { message = "invalidated cache" }
    fault "error" { message = "out of memory after a timeout" }
    fault "error" { message = "connection refused: permission denied" }
    reply { content = "ok" }
  }

  assert "modes" {
    condition = [for a in step.it.attempts : a.error.mode if a.error != null] == ["AGENT_LOGIC", "AGENT_LOGIC", "SYSTEM_OOM", "USER_PERMISSION"]
  }
}
