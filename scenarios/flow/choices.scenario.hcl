# References that are chosen: what a step waits for, which policy it has and
# which target its gateway dials may depend on variables, locals, and the values
# that make several scenarios of one. A reader learns what is decided before
# anything runs, and how a condition goes over all steps.

variable "careful" { default = true }

provider "openai" "primary" { model = "gpt-4o-mini" }

retry "linear" "twice" {
  delay       = "1s"
  max_retries = 2
}

locals { patient = !var.careful }

workflow "chosen" {
  provider = provider.primary

  step "wait" "slow" { for = "2s" }
  step "value" "at_once" {
    value      = 1
    depends_on = var.careful ? null : [step.slow]
  }
  step "value" "later" {
    value      = 2
    depends_on = var.careful ? [step.slow, (local.patient ? step.after : step.at_once)] : null
  }
  step "value" "after" {
    value      = 3
    depends_on = [step.later]
  }
  step "llm" "ask" {
    prompt = "hi"
    retry  = local.patient ? null : retry.twice
  }
}

scenario "a reference is the branch that the file decides" {
  run = workflow.chosen

  on "ask" {
    fault "http_error" { times = 2 }
    reply { content = "ok" }
  }

  assert "at once, and after the slow one" {
    condition = [step.at_once.started_ms, step.later.started_ms] == [0, 2000]
  }
  assert "retried" {
    condition = step.ask.retries == 2
  }
  assert "a condition goes over all steps by name" {
    condition = { for name, s in step : name => s.status } == { slow = "success", at_once = "success", later = "success", after = "success", ask = "success" }
  }
  assert "and picks one by a computed name" {
    condition = alltrue([for name in ["slow", "later"] : step[name].ended_ms == 2000])
  }
}

scenario "a policy for each instance" {
  for_each = { none = false, some = true }
  run      = workflow.chosen
  override {
    step "ask" { retry = each.value ? retry.twice : null }
  }

  on "ask" {
    fault "http_error" {}
  }

  expect "run" { status = "failed" }
  expect "ask" { retries = each.value ? 2 : 0 }
}
