# Invariants: what must hold after every event and not only in the end. A
# reader learns that one at the top level is for every scenario that has what it
# reads, what is decided while something is not there, how a condition waits for
# the end of a step or of the run, and that an invariant about run.status speaks
# for a run that fails.

provider "openai" "primary" { model = "gpt-4o-mini" }

retry "linear" "often" {
  delay       = "1s"
  max_retries = 4
}
breaker "third" { threshold = 3 }

gateway "guarded" {
  target "main" {
    provider = provider.primary
    breaker  = breaker.third
  }
}

workflow "ask" {
  gateway = gateway.guarded

  step "llm" "answer" {
    prompt = "hello"
    retry  = retry.often
  }
}

workflow "idle" {
  step "value" "nothing" { value = 1 }
}

invariant "a breaker that is open has counted three failures" {
  condition = breaker.main.state != "open" || breaker.main.failures == 3
}

invariant "nothing costs more than a dollar" {
  condition = run.cost_usd <= 1
}

scenario "what holds after every event is no failure" {
  run = workflow.ask

  on "answer" {
    fault "http_error" { times = 2 }
    reply {
      content  = "hello"
      cost_usd = 1
    }
  }

  invariant "a success comes after the failures" {
    condition     = step.answer.status == null || step.answer.status == "success" && step.answer.retries == 2
    error_message = "the null before || waits: the rest is read as soon as the step has ended, and not before"
  }
}

scenario "one that reads the run's status stands for an expect of it" {
  run = workflow.ask

  on "answer" {
    fault "http_error" { times = 3 }
    reply {
      content  = "too late"
      optional = true
    }
  }

  invariant "never more than three dials" {
    condition = length(step.answer.attempts) <= 3
  }
  invariant "the run fails, as soon as it ends" {
    condition = run.status == null || run.status == "failed" && breaker.main.state == "open"
  }
}

scenario "what decides does so without what is not there" {
  run = workflow.ask

  on "answer" {
    reply { content = "hello" }
  }

  # A step that succeeds has no error, ever: the left side decides.
  invariant "it succeeds, or fails with anything but a deadline" {
    condition = step.answer.status == "success" || step.answer.error.kind != "timeout"
  }
  # try, can, coalesce and == null get the null once the step has ended.
  invariant "nothing is retryable" {
    condition = !try(step.answer.error.retryable, false) && step.answer.error == null
  }
}

scenario "one of the file is left out where the run has nothing that it reads" {
  run = workflow.idle

  expect "nothing" {
    output = 1
  }
}
