# Modes of a program's own (CU12), rules that give them, and what follows: from a
# retry that lists one to the status of the run. A reader learns to write a
# taxonomy whose rules read more than a message.

provider "openai" "agent" { model = "gpt-4o-mini" }

taxonomy "program" {
  mode "CUSTOM_DATABASE" {
    category  = "resource"
    retryable = true
    severity  = "high"
  }
  mode "CUSTOM_CACHE" {
    category = "resource"
    partial  = true
    severity = "low"
  }
  mode "CUSTOM_FRAUD" { terminal = true }

  # By the type of what lies beneath, however the outer error is called.
  detect "CUSTOM_DATABASE" { when = anytrue([for c in failure.chain : try(c.type == "psycopg.OperationalError", false)]) }
  # Anchored at both ends: the words alone say nothing.
  detect "CUSTOM_CACHE" { when = can(regex("^cache (miss|full)$", failure.message)) }
  # Before the typed kinds: a 409 of this program is a database in conflict.
  detect "CUSTOM_DATABASE" {
    when  = failure.status_code == 409
    first = true
  }
  detect "CUSTOM_FRAUD" {
    when  = failure.status_code == 403 && word(failure.message, "fraud")
    first = true
  }
}

retry "linear" "database" {
  delay       = "1s"
  max_retries = 2
  retry_on    = ["CUSTOM_DATABASE"]
}

workflow "request" {
  provider   = provider.agent
  taxonomy   = taxonomy.program
  on_failure = "continue"

  step "llm" "prepare" { prompt = "Prepare." }
  step "llm" "agent" {
    prompt = "Do it."
    retry  = retry.database
  }
}

locals {
  # The fault's type, message, what caused it, the mode, the rule and the number
  # of retries.
  rules = {
    "beneath"         = ["OrchestrationError", "gave up", ["psycopg.OperationalError: server closed"], "CUSTOM_DATABASE", "detect 1 of taxonomy \"program\"", 2]
    "not beneath"     = ["OrchestrationError", "gave up", ["OperationalErrors: server closed"], "AGENT_LOGIC", "default", 0]
    "anchored"        = ["Exception", "cache full", [], "CUSTOM_CACHE", "detect 2 of taxonomy \"program\"", 0]
    "not anchored"    = ["Exception", "the cache full of boom", [], "AGENT_LOGIC", "default", 0]
    "standard rule"   = ["Exception", "HTTP 429", [], "POLICY_RATE_LIMIT", "HTTP status 429 in the message", 0]
    "the first rule"  = ["Exception", "cache miss", ["psycopg.OperationalError"], "CUSTOM_CACHE", "detect 2 of taxonomy \"program\"", 0]
    "earlier decides" = ["Exception", "cache miss", ["psycopg.OperationalError: gone"], "CUSTOM_DATABASE", "detect 1 of taxonomy \"program\"", 2]
  }
}

scenario "CU12 own rules" {
  for_each = local.rules
  run      = workflow.request

  on "prepare" {
    reply { content = "ready" }
  }
  on "agent" {
    fault "error" {
      type      = each.value[0]
      message   = each.value[1]
      caused_by = each.value[2]
    }
  }

  expect "run" {
    status  = "partial"
    partial = { completed_steps = ["prepare"], failed_steps = ["agent"], data = { prepare = "ready" } }
  }
  expect "agent" {
    retries = each.value[5]
    error   = { mode = each.value[3], rule = each.value[4] }
  }
}

scenario "CU12 a rule before the typed kinds" {
  run = workflow.request

  on "prepare" {
    reply { content = "ready" }
  }
  on "agent" {
    fault "http_error" { status_code = 409 }
    fault "http_error" {
      status_code = 403
      json        = { error = { message = "looks like fraud" } }
    }
  }

  expect "run" {
    status  = "partial"
    error   = { mode = "CUSTOM_FRAUD", category = "custom", terminal = true, severity = "critical" }
    partial = { recoverable = false }
  }
  assert "the conflict is retried, the fraud is not" {
    condition = [for a in step.agent.attempts : [a.error.mode, a.error.rule]] == [["CUSTOM_DATABASE", "detect 3 of taxonomy \"program\""], ["CUSTOM_FRAUD", "detect 4 of taxonomy \"program\""]]
  }
}

scenario "CU12 an own mode, given explicitly" {
  run = workflow.request

  on "prepare" {
    reply { content = "ready" }
  }
  on "agent" {
    fault "error" {
      message = "Rate limit exceeded"
      mode    = "CUSTOM_CACHE"
    }
  }

  expect "run" { status = "partial" }
  expect "agent" { error = { mode = "CUSTOM_CACHE", partial = true, category = "resource", severity = "low", rule = "explicit" } }
}
