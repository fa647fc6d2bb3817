# Three retry policies (CU5), and what stops each of them (CU6): exact waits on
# the virtual clock.

import = ["std/cuga"]

provider "openai" "agent" { model = "gpt-4o-mini" }

# CUGA's examples of a policy.
retry "exponential" "base" {
  base        = "1s"
  max_delay   = "60s"
  multiplier  = 2
  max_retries = 3
}
retry "exponential" "jittered" {
  base        = "1s"
  max_delay   = "60s"
  multiplier  = 2
  jitter      = 0.1
  max_retries = 3
}
retry "exponential" "four" { max_retries = 4 }
retry "exponential" "capped" { max_retries = 8 }
retry "linear" "fixed" {
  delay       = "2s"
  max_retries = 3
}
retry "none" "fail_fast" {}
retry "exponential" "factory" {
  base        = "500ms"
  multiplier  = 1.5
  max_retries = 5
}
retry "exponential" "picky" { retry_on = ["SYSTEM_NETWORK"] }

locals {
  # The waits of a policy that is used up. 500 ms times 1.5 to the fourth is
  # 2531.25 ms, and what is read is truncated to whole milliseconds.
  waits = {
    base      = [1000, 2000, 4000]
    four      = [1000, 2000, 4000, 8000]
    capped    = [1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000]
    fixed     = [2000, 2000, 2000]
    fail_fast = []
    factory   = [500, 750, 1125, 1687, 2531]
  }
}

workflow "operation" {
  provider = provider.agent

  step "llm" "call" {
    prompt = "Do it."
    retry  = retry.base
  }
}

scenario "CU5 the waits of a policy" {
  for_each = local.waits
  run      = workflow.operation
  override {
    step "call" { retry = retry[each.key] }
  }

  on "call" {
    fault "connection_reset" {}
  }

  expect "run" { status = "failed" }
  expect "call" {
    delays_ms = each.value
    retries   = length(each.value)
    error     = { mode = "SYSTEM_NETWORK", retries = length(each.value) }
  }
  assert "an attempt more than waits" {
    condition = length(step.call.attempts) == length(each.value) + 1
  }
}

scenario "CU5 test_exponential_backoff_delays" {
  run = workflow.operation

  on "call" {
    fault "connection_reset" {}
  }

  expect "run" { status = "failed" }
  expect "call" { delays_ms = [1000, 2000, 4000] }
}

scenario "CU5 jitter is a tenth up or down" {
  matrix { seed = [1, 2, 3, 4, 5] }
  run  = workflow.operation
  seed = matrix.seed
  override {
    step "call" { retry = retry.jittered }
  }

  on "call" {
    fault "connection_reset" {}
  }

  expect "run" { status = "failed" }
  assert "about 1 s, 2 s and 4 s" {
    condition = alltrue([for i, wait in step.call.delays_ms : approx(wait, pow(2, i) * 1000, pow(2, i) * 100)])
  }
  assert "and not exactly" {
    condition = step.call.delays_ms != [1000, 2000, 4000]
  }
}

scenario "CU6 test_retry_policy_respects_mode" {
  for_each = { SYSTEM_NETWORK = 3, POLICY_SECURITY = 0 }
  run      = workflow.operation

  on "call" {
    fault "error" { mode = each.key }
  }

  expect "run" { status = "failed" }
  expect "call" { retries = each.value }
}

scenario "CU6 test_retry_executor_success_after_retry" {
  run = workflow.operation

  on "call" {
    fault "error" {
      type    = "ConnectionError"
      message = "Transient network error"
      times   = 2
    }
    reply { content = "success" }
  }

  expect "call" {
    status  = "success"
    content = "success"
    retries = 2
  }
  assert "called three times" {
    condition = length(step.call.attempts) == 3
  }
}

# The words "Policy violation" say nothing: the failure is one of logic, which is
# not retried either. A policy's own failure has a mode, and that is terminal.
scenario "CU6 test_retry_executor_terminal_failure" {
  for_each = { as_it_is_written = ["", "AGENT_LOGIC", "not_retryable"], with_its_mode = ["POLICY_SECURITY", "POLICY_SECURITY", "terminal"] }
  run      = workflow.operation

  on "call" {
    fault "error" {
      type    = "ValueError"
      message = "Policy violation"
      mode    = each.value[0]
    }
  }

  expect "run" { status = "failed" }
  expect "call" {
    retries = 0
    stop    = each.value[2]
    error   = { mode = each.value[1], retries = 0 }
  }
}

scenario "CU6 terminal stops first, also after retries, also where the policy lists what came before" {
  for_each = toset(["base", "picky"])
  run      = workflow.operation
  override {
    step "call" { retry = retry[each.key] }
  }

  on "call" {
    fault "connection_refused" {}
    fault "error" { message = "out of memory" }
  }

  expect "run" { status = "failed" }
  expect "call" {
    retries = 1
    stop    = "terminal"
    error   = { mode = "SYSTEM_OOM", terminal = true, retries = 1 }
  }
}

scenario "CU6 retryable_modes in the place of what the taxonomy says" {
  run = workflow.operation
  override {
    step "call" { retry = retry.picky }
  }

  on "call" {
    fault "connection_refused" {}
    fault "http_error" { status_code = 503 }
  }

  expect "run" { status = "failed" }
  expect "call" {
    retries = 1
    stop    = "not_retryable"
    error   = { mode = "RESOURCE_API_UNAVAILABLE", retryable = true }
  }
}

scenario "CU5 the policy of the standard library" {
  run = workflow.operation
  override {
    step "call" { retry = retry.cuga }
  }

  on "call" {
    fault "connection_reset" {}
  }

  expect "run" { status = "failed" }
  assert "three retries, about 1 s, 2 s and 4 s" {
    condition = length(step.call.delays_ms) == 3 && alltrue([for i, wait in step.call.delays_ms : approx(wait, pow(2, i) * 1000, pow(2, i) * 100)])
  }
}
