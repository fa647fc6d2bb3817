# Partial results (CU4, CU12): what is there of a run that stopped half way, the
# share of it, whether going on makes sense, and how. A reader learns how to
# resume from the steps that are done.

provider "openai" "agent" { model = "gpt-4o-mini" }

workflow "three" {
  provider   = provider.agent
  on_failure = "continue"

  step "llm" "step1" { prompt = "1" }
  step "llm" "step2" { prompt = "2" }
  step "llm" "step3" { prompt = "3" }
}

workflow "two" {
  provider   = provider.agent
  on_failure = "continue"

  step "llm" "step1" { prompt = "1" }
  step "llm" "step2" { prompt = "2" }
}

workflow "in_time" {
  provider = provider.agent
  timeout  = "10s"

  step "llm" "step1" { prompt = "1" }
  step "llm" "step2" { prompt = "after ${step.step1.content}" }
  step "llm" "step3" { prompt = "after ${step.step2.content}" }
}

# What is done is handed in, and not done again.
workflow "agents" {
  provider   = provider.agent
  on_failure = "continue"
  inputs     = { done = {} }

  dynamic "step" {
    for_each = ["step1", "step2", "step3"]
    labels   = ["llm", step.value]
    content {
      prompt = step.value
      when   = !contains(keys(input.done), step.value)
    }
  }
}

workflow "resumed" {
  output = merge(step.first.partial.data, step.rest.partial.data)

  step "workflow" "first" {
    run      = workflow.agents
    fallback = step.rest
  }
  step "workflow" "rest" {
    run    = workflow.agents
    inputs = { done = step.first.partial.data }
  }
}

scenario "CU4 test_partial_result_completion_ratio" {
  run = workflow.three

  on "step1" {
    reply { content = "result1" }
  }
  on "step2" {
    reply { content = "result2" }
  }
  on "step3" {
    fault "error" {
      message = "Execution timed out with partial results"
      mode    = "PARTIAL_TIMEOUT"
    }
  }

  expect "run" {
    status = "partial"
    error  = { mode = "PARTIAL_TIMEOUT", retryable = true, partial = true, stage = "execute", message = "Execution timed out with partial results" }
    partial = {
      completed_steps = ["step1", "step2"]
      failed_steps    = ["step3"]
      data            = { step1 = "result1", step2 = "result2" }
      recoverable     = true
      hint            = "resume_from_checkpoint"
    }
  }
  assert "two thirds" {
    condition = approx(run.partial.completion_ratio, 0.67, 0.01)
  }
}

scenario "CU4 test_partial_result_not_recoverable" {
  run = workflow.two

  on "step1" {
    reply { content = "result1" }
  }
  on "step2" {
    fault "error" { mode = "POLICY_BUDGET" }
  }

  expect "run" {
    status  = "partial"
    partial = { completed_steps = ["step1"], failed_steps = ["step2"], recoverable = false, completion_ratio = 0.5, data = { step1 = "result1" } }
  }
}

scenario "CU4 nothing done is not recoverable, whatever the failure" {
  run = workflow.two

  on "*" {
    fault "error" { mode = "SYSTEM_NETWORK" }
  }

  expect "run" {
    status  = "failed"
    error   = { retryable = true }
    partial = { completion_ratio = 0, recoverable = false, hint = "retry_all" }
  }
  assert "there is no data" {
    condition = length(keys(run.partial.data)) == 0
  }
}

scenario "CU4 a workflow that ran out of time keeps what was done" {
  run = workflow.in_time

  on "step1" {
    reply {
      content = "result1"
      latency = "4s"
    }
  }
  on "step2" {
    reply {
      content = "result2"
      latency = "4s"
    }
  }
  on "step3" {
    reply {
      content = "too late"
      latency = "4s"
    }
  }

  expect "run" {
    status     = "timeout"
    elapsed_ms = 10000
    error      = { mode = "PARTIAL_TIMEOUT", rule = "workflow timeout with completed steps" }
    partial    = { completed_steps = ["step1", "step2"], failed_steps = ["step3"], recoverable = true, data = { step1 = "result1", step2 = "result2" } }
  }
}

scenario "CU4 a workflow that ran out of time with nothing done is a timeout" {
  run = workflow.in_time

  on "step1" {
    reply { latency = "11s" }
  }

  expect "run" {
    status  = "timeout"
    error   = { mode = "SYSTEM_TIMEOUT", rule = "kind timeout" }
    partial = { completed_steps = [], failed_steps = ["step1"], remaining_steps = ["step2", "step3"], recoverable = false }
  }
}

scenario "CU4 only the steps that failed run again" {
  run = workflow.resumed

  on "first.step1" {
    reply { content = "result1" }
  }
  on "first.step2" {
    reply { content = "result2" }
  }
  on "first.step3" {
    fault "http_error" { status_code = 503 }
  }
  on "rest.step3" {
    reply { content = "result3" }
  }

  expect "run" { status = "success" }
  expect "first" {
    status      = "failed"
    replaced_by = "rest"
    partial     = { completed_steps = ["step1", "step2"], failed_steps = ["step3"], recoverable = true }
  }
  assert "one step ran twice" {
    condition = sort([for e in events({ type = "attempt_start" }) : e.step]) == ["first.step1", "first.step2", "first.step3", "rest.step3"]
  }
}

scenario "CU4 what cannot be recovered is returned as it is" {
  run = workflow.resumed

  on "first.step1" {
    reply { content = "result1" }
  }
  on "first.step2" {
    reply { content = "result2" }
  }
  on "first.step3" {
    fault "error" { mode = "POLICY_SECURITY" }
  }

  expect "run" { status = "failed" }
  expect "first" {
    replaced_by = null
    error       = { mode = "POLICY_SECURITY" }
    run         = { status = "partial" }
    partial     = { completed_steps = ["step1", "step2"], failed_steps = ["step3"], recoverable = false, data = { step1 = "result1", step2 = "result2" } }
  }
}

# The hint goes by the share of completed steps: none, less than half, less than
# nine of ten, more.
workflow "ten" {
  provider   = provider.agent
  on_failure = "continue"

  dynamic "step" {
    for_each = range(10)
    labels   = ["llm", "step${step.value}"]
    content { prompt = "${step.value}" }
  }
}

locals {
  hints = {
    "0"  = ["failed", "retry_all", false]
    "1"  = ["partial", "retry_with_backoff", true]
    "4"  = ["partial", "retry_with_backoff", true]
    "5"  = ["partial", "resume_from_checkpoint", true]
    "8"  = ["partial", "resume_from_checkpoint", true]
    "9"  = ["partial", "retry_failed", true]
    "10" = ["success", "retry_failed", false]
  }
}

scenario "CU4 the hint of so many steps done" {
  for_each = local.hints
  run      = workflow.ten

  dynamic "on" {
    for_each = range(10)
    labels   = ["step${on.value}"]
    content {
      dynamic "reply" {
        for_each = on.value < tonumber(each.key) ? ["done"] : []
        content { content = reply.value }
      }
      dynamic "fault" {
        for_each = on.value < tonumber(each.key) ? [] : ["http_error"]
        labels   = [fault.value]
        content { status_code = 503 }
      }
    }
  }

  expect "run" {
    status  = each.value[0]
    partial = { completion_ratio = tonumber(each.key) / 10, hint = each.value[1], recoverable = each.value[2] }
  }
}
