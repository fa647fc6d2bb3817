# The decision matrix (CU1): what each of the 25 modes says of a failure, and
# what follows from it. Every row is a scenario, made of one; a reader learns
# that a mode is not a label but decides about retries and fallbacks.

provider "openai" "agent" { model = "gpt-4o-mini" }

retry "exponential" "thrice" {
  base        = "1s"
  max_retries = 3
}

locals {
  # Category, retryable, terminal, partial results, severity. USER_CANCELLED is
  # LOW in one place of its source and CRITICAL in another; every terminal mode is
  # critical.
  matrix = {
    AGENT_VALIDATION          = ["agent", false, false, false, "low"]
    AGENT_TIMEOUT             = ["agent", true, false, true, "medium"]
    AGENT_LOGIC               = ["agent", false, false, false, "low"]
    AGENT_CONTRACT            = ["agent", false, true, false, "critical"]
    AGENT_STATE               = ["agent", false, false, false, "medium"]
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
}

workflow "request" {
  provider = provider.agent

  step "llm" "agent" {
    prompt = "Do it."
    retry  = retry.thrice
  }
}

workflow "guarded" {
  provider = provider.agent

  step "llm" "agent" {
    prompt   = "Do it."
    fallback = step.simple
  }
  step "value" "simple" { value = "a simple answer" }
}

scenario "CU1 the matrix" {
  for_each = local.matrix
  run      = workflow.request

  on "agent" {
    fault "error" {
      message = "it failed"
      mode    = each.key
    }
  }

  expect "run" { status = "failed" }
  expect "agent" {
    error = {
      mode      = each.key
      rule      = "explicit"
      category  = each.value[0]
      retryable = each.value[1]
      terminal  = each.value[2]
      partial   = each.value[3]
      severity  = each.value[4]
    }
  }
  assert "CU6 what is retryable is retried until the policy has no more, and nothing else is" {
    condition = [step.agent.retries, step.agent.stop] == (each.value[1] ? [3, "exhausted"] : each.value[2] ? [0, "terminal"] : [0, "not_retryable"])
  }
  assert "a terminal mode is critical and never retryable" {
    condition = !step.agent.error.terminal || step.agent.error.severity == "critical" && !step.agent.error.retryable
  }
}

scenario "CU7 a fallback is for what may be retried" {
  for_each = local.matrix
  run      = workflow.guarded

  on "agent" {
    fault "error" {
      message = "it failed"
      mode    = each.key
    }
  }

  assert "the simple answer, or none" {
    condition = [run.status, step.agent.replaced_by] == (each.value[1] ? ["success", "simple"] : ["failed", null])
  }
}

scenario "CU1 test_failure_mode_classification" {
  run = workflow.request

  on "agent" {
    fault "error" { mode = "AGENT_TIMEOUT" }
  }

  expect "run" { status = "failed" }
  expect "agent" {
    error = { category = "agent", retryable = true, terminal = false, partial = true, severity = "medium" }
  }
}

scenario "CU1 test_failure_mode_terminal" {
  for_each = toset(["POLICY_SECURITY", "POLICY_BUDGET", "SYSTEM_CRASH", "USER_CANCELLED"])
  run      = workflow.request

  on "agent" {
    fault "error" { mode = each.key }
  }

  expect "run" { status = "failed" }
  expect "agent" {
    retries = 0
    error   = { terminal = true, severity = "critical" }
  }
}
