# The circuit of a tool (CU8, CU9): three failures in a row open it for ten
# seconds, an open one is a failure of the call by itself, one for each call, and
# the first call after the pause is a probe, alone.

provider "openai" "mcp_tool" { model = "gpt-4o-mini" }

breaker "mcp" {
  threshold = 3
  reset     = "10s"
}

retry "linear" "patient" {
  delay       = "11s"
  max_retries = 1
}

gateway "tool" {
  target "mcp_tool" {
    provider = provider.mcp_tool
    breaker  = breaker.mcp
  }
}

locals {
  # When each call is made.
  calls = { c1 = "0s", c2 = "1s", c3 = "2s", c4 = "3s", c5 = "11999ms", c6 = "12s", c7 = "12s", c8 = "13s" }
}

workflow "calls" {
  gateway        = gateway.tool
  on_failure     = "continue"
  max_concurrent = 20

  dynamic "step" {
    for_each = local.calls
    labels   = ["wait", "at_${step.key}"]
    iterator = step
    content { for = step.value }
  }
  dynamic "step" {
    for_each = local.calls
    iterator = call
    labels   = ["llm", call.key]
    content {
      prompt     = call.key
      depends_on = [step["at_${call.key}"]]
    }
  }
}

workflow "one_call" {
  gateway    = gateway.tool
  on_failure = "continue"

  dynamic "step" {
    for_each = ["t1", "t2", "t3"]
    labels   = ["llm", step.value]
    content { prompt = step.value }
  }
  step "wait" "later" { for = "1s" }
  step "llm" "call" {
    prompt     = "again"
    depends_on = [step.later]
    retry      = retry.patient
  }
}

scenario "CU8 three failures in a row open it for ten seconds, then one probe at a time" {
  run = workflow.calls

  on "*" {
    fault "http_error" { status_code = 503 }
  }
  # c6 is the probe, which takes a second; c7 comes meanwhile.
  on "c6" {
    reply { latency = "500ms" }
  }
  on "c8" {
    reply { content = "ok" }
  }

  expect "run" { status = "partial" }
  assert "dialled at 0, 1, 2, then as a probe at 12, and at 13" {
    condition = [for e in events({ type = "attempt_start" }) : e.at_ms] == [0, 1000, 2000, 12000, 13000]
  }
  assert "open at 2, half open at 12, closed by the probe's success" {
    condition = [for t in breaker.mcp_tool.transitions : [t.at_ms, t.to]] == [[2000, "open"], [12000, "half_open"], [12500, "closed"]]
  }
  assert "CU9 one refusal is one failure of its call" {
    condition = breaker.mcp_tool.rejected == 3 && [for s in [step.c4, step.c5, step.c7] : [s.error.kind, s.error.mode, s.error.retryable, length(s.attempts), length(s.rejections)]] == [for n in range(3) : ["circuit_open", "RESOURCE_CIRCUIT_OPEN", true, 0, 1]]
  }
}

scenario "CU8 a probe that fails opens it again, for ten seconds from then" {
  run = workflow.calls

  on "*" {
    fault "http_error" { status_code = 503 }
  }

  expect "run" { status = "partial" }
  assert "every call after it is refused" {
    condition = [for t in breaker.mcp_tool.transitions : [t.at_ms, t.to]] == [[2000, "open"], [12000, "half_open"], [12000, "open"]]
  }
  assert "four dials" {
    condition = length(target.mcp_tool.attempts) == 4
  }
}

scenario "CU9 an open circuit is retryable: the policy waits for it to let a call through" {
  run = workflow.one_call

  on "*" {
    fault "connection_reset" {}
  }
  on "call" {
    reply { content = "back again" }
  }

  expect "run" { status = "partial" }
  expect "call" {
    content   = "back again"
    retries   = 1
    delays_ms = [11000]
  }
  assert "refused in the first round, answered in the second" {
    condition = [for r in step.call.rejections : [r.round, r.reason]] == [[1, "circuit_open"]] && step.call.attempts[0].round == 2
  }
}

scenario "CU8 a success in between begins the count anew" {
  run = workflow.one_call

  on "*" {
    fault "connection_reset" {}
  }
  on "t2" {
    reply { content = "ok" }
  }
  on "call" {
    reply { content = "ok" }
  }

  expect "run" { status = "partial" }
  assert "closed" {
    condition = breaker.mcp_tool.state == "closed" && breaker.mcp_tool.transitions == []
  }
}
