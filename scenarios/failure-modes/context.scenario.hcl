# The context of a failure (CU3): in which stage it was observed, doing what,
# after how many retries, what lies beneath it, and the stack trace where an
# exception brought one. It is the same in the error of an attempt, of its step
# and of the run.

provider "openai" "primary" { model = "gpt-4o-mini" }
provider "openai" "backup" { model = "gpt-4o" }
provider "http" "shop" { base_url = "http://shop.test" }

retry "linear" "twice" {
  delay       = "1s"
  max_retries = 2
}

breaker "one" { threshold = 1 }

gateway "both" {
  target "first" { provider = provider.primary }
  target "second" { provider = provider.backup }
}

gateway "fragile" {
  target "only" {
    provider = provider.primary
    breaker  = breaker.one
  }
}

workflow "request" {
  provider = provider.primary

  step "llm" "agent" {
    prompt = "Do it."
    retry  = retry.twice
  }
}

workflow "through_both" {
  gateway = gateway.both

  step "llm" "agent" { prompt = "Do it." }
}

workflow "twice_fragile" {
  gateway    = gateway.fragile
  on_failure = "continue"

  step "llm" "trips" { prompt = "1" }
  step "llm" "refused" {
    prompt     = "2"
    depends_on = [step.later]
  }
  step "wait" "later" { for = "1s" }
}

workflow "slow" {
  provider = provider.primary

  step "llm" "agent" {
    prompt  = "Do it."
    timeout = "3s"
    retry   = retry.twice
  }
}

workflow "order" {
  provider = provider.shop
  inputs   = { sku = null }

  step "http" "stock" {
    path  = "/stock/${input.sku}"
    query = { key = "hidden" }
  }
}

workflow "outer" {
  step "workflow" "inner" { run = workflow.request }
}

workflow "bad_plan" {
  provider = provider.primary

  step "value" "answer" { value = "{ no json" }
  step "llm" "agent" { prompt = jsondecode(step.answer.output).text }
}

workflow "bad_output" {
  provider = provider.primary
  output   = jsondecode(step.agent.content).text

  step "llm" "agent" { prompt = "Do it." }
}

scenario "CU3 a failure knows its stage, its operation and the retries before it" {
  run = workflow.request

  on "agent" {
    fault "http_error" { status_code = 503 }
  }

  expect "run" {
    status = "failed"
    error  = { step = "agent", attempt = 3, target = "primary", stage = "execute", operation = "chat gpt-4o-mini", retries = 2 }
  }
  expect "agent" {
    error = { stage = "execute", operation = "chat gpt-4o-mini", retries = 2, chain = [], stack = null }
  }
  assert "each attempt with the retries before it" {
    condition = [for a in step.agent.attempts : a.error.retries] == [0, 1, 2]
  }
  assert "the trace says the same" {
    condition = [for e in events({ type = "failure" }) : [e.stage, e.doing, try(e.after_retries, 0)]] == [["execute", "chat gpt-4o-mini", 0], ["execute", "chat gpt-4o-mini", 1], ["execute", "chat gpt-4o-mini", 2]]
  }
}

scenario "CU3 an exception brings what caused it and its stack" {
  run = workflow.request

  on "agent" {
    fault "error" {
      type      = "OrchestrationError"
      message   = "the agent gave up"
      caused_by = ["ConnectionError: the peer is gone", "broken pipe"]
      stack     = "agent.py:17 in process\nnet.py:3 in send"
    }
  }

  expect "run" { status = "failed" }
  expect "agent" {
    error = {
      mode  = "AGENT_LOGIC"
      chain = [{ type = "ConnectionError", message = "the peer is gone", kind = null }, { type = null, message = "broken pipe" }]
      stack = "agent.py:17 in process\nnet.py:3 in send"
    }
  }
}

scenario "CU3 a broken connection tells the errors of the transport" {
  run = workflow.request

  on "agent" {
    fault "connection_refused" {}
  }

  expect "run" { status = "failed" }
  assert "down to the system call" {
    condition = [for c in step.agent.error.chain : c.type] == ["os.SyscallError", "syscall.Errno"]
  }
}

scenario "CU3 a gateway's failure has those of all its targets beneath it" {
  run = workflow.through_both

  on "agent" {
    target = "first"
    fault "http_error" { status_code = 400 }
  }
  on "agent" {
    target = "second"
    fault "connection_reset" {}
  }

  expect "run" { status = "failed" }
  assert "in the order in which they were tried, each with its own kind, status and mode" {
    condition = [for c in step.agent.error.chain : [c.step, c.target, c.kind, c.cause, c.status_code, c.mode]] == [["agent", "first", "http_status", null, 400, "AGENT_VALIDATION"], ["agent", "second", "connection", "reset", null, "SYSTEM_NETWORK"]]
  }
}

scenario "CU3 a deadline tells what it cut short" {
  run = workflow.slow

  on "agent" {
    fault "http_error" { status_code = 503 }
    fault "timeout" {}
  }

  expect "run" { status = "failed" }
  expect "agent" {
    status = "timeout"
    error  = { kind = "timeout", stage = "execute", retries = 1, operation = "chat gpt-4o-mini", chain = [{ kind = "http_status", status_code = 503, attempt = 1 }] }
  }
}

scenario "CU3 a refusal was observed while the call was routed" {
  run = workflow.twice_fragile

  on "trips" {
    fault "http_error" {}
  }

  expect "run" { status = "partial" }
  expect "trips" { error = { stage = "execute" } }
  expect "refused" { error = { kind = "circuit_open", stage = "route", operation = null, target = "only" } }
}

scenario "CU3 an operation has no query" {
  run    = workflow.order
  inputs = { sku = "7" }

  on "stock" {
    fault "connection_reset" {}
  }

  expect "run" { status = "failed" }
  expect "stock" { error = { operation = "GET /stock/7" } }
}

scenario "CU3 the failure of an inner run keeps its context" {
  run = workflow.outer

  on "inner.agent" {
    fault "http_error" { status_code = 400 }
  }

  expect "run" {
    status = "failed"
    error  = { step = "inner.agent", stage = "execute", operation = "chat gpt-4o-mini" }
  }
  expect "inner" { error = { step = "inner.agent", operation = "chat gpt-4o-mini" } }
}

scenario "CU3 what cannot be evaluated fails while it is planned" {
  run   = workflow.bad_plan
  allow = ["broken_expression"]

  expect "run" {
    status = "failed"
    error  = { kind = "validation", stage = "plan", step = "agent" }
  }
}

scenario "CU3 an output that cannot be computed fails while results are aggregated" {
  run   = workflow.bad_output
  allow = ["broken_expression"]

  on "agent" {
    reply { content = "no json" }
  }

  expect "run" {
    status = "failed"
    error  = { kind = "validation", stage = "aggregate" }
  }
}
