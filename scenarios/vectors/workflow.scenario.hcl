# The public vectors of the workflow, its limits and its trace. A reader learns
# whose deadline wins, how a failure travels through the graph of steps, and
# that spans and events tell the same story as the results.

provider "openai" "primary" { model = "gpt-4o-mini" }
provider "openai" "spare" { model = "gpt-4o" }

retry "exponential" "once" { max_retries = 1 }

rate_limit "two" {
  requests_per_minute = 2
  burst               = 2
}

gateway "pair" {
  target "first" { provider = provider.primary }
  target "second" { provider = provider.spare }
}
gateway "slow" {
  target "limited" {
    provider   = provider.primary
    rate_limit = rate_limit.two
  }
}

workflow "hanging" {
  provider = provider.primary

  step "llm" "ask" {
    prompt          = "hello"
    attempt_timeout = "2s"
    retry           = retry.once
  }
  step "llm" "use" { prompt = step.ask.content }
}

workflow "once" {
  provider = provider.primary

  step "llm" "ask" {
    prompt = "hello"
    retry  = retry.once
  }
}

workflow "chain" {
  provider = provider.primary

  step "llm" "a" { prompt = "a" }
  step "llm" "b" { prompt = step.a.content }
  step "llm" "c" { prompt = step.b.content }
}

workflow "bounded" {
  provider = provider.primary
  timeout  = "5s"

  step "llm" "ask" { prompt = "hello" }
}

workflow "two_targets" {
  gateway = gateway.pair

  step "llm" "ask" { prompt = "hello" }
}

workflow "four_at_once" {
  gateway = gateway.slow

  step "llm" "one" { prompt = "1" }
  step "llm" "two" { prompt = "2" }
  step "llm" "three" { prompt = "3" }
  step "llm" "four" { prompt = "4" }
}

scenario "V21 replies of 10 s meet an attempt_timeout of 2 s: attempts at 0 and 3, failed at 5" {
  run = workflow.hanging

  on "ask" {
    reply { latency = "10s" }
  }

  expect "run" {
    status = "failed"
  }
  expect "ask" {
    status   = "failed"
    ended_ms = 5000
    error    = { kind = "timeout" }
  }
  expect "use" {
    status         = "skipped"
    skipped_reason = "upstream failure: ask"
  }
  assert "two attempts" {
    condition = [for a in step.ask.attempts : [a.at_ms, a.ended_ms]] == [[0, 2000], [3000, 5000]]
  }
}

scenario "V40 two attempt spans, an error on the first only" {
  run = workflow.two_targets

  on "ask" {
    fault "http_error" { target = "first" }
    reply {
      target  = "second"
      content = "from the spare"
    }
  }

  expect "ask" {
    target  = "second"
    content = "from the spare"
  }
  assert "one span for each dial, in order" {
    condition = [for s in concat(spans({ name = "chat gpt-4o-mini" }), spans({ name = "chat gpt-4o" })) : s.attributes["scenario.target"]] == ["first", "second"]
  }
  assert "the first has an error, the second none" {
    condition = [for s in concat(spans({ name = "chat gpt-4o-mini" }), spans({ name = "chat gpt-4o" })) : contains(keys(s.attributes), "error.type")] == [true, false]
  }
}

scenario "V41 two a minute with a burst of two: four calls are dialled at 0, 0, 30, 60" {
  run = workflow.four_at_once

  on "*" {
    reply { content = "ok" }
  }

  expect "run" {
    elapsed_ms = 60000
  }
  assert "first come, first served" {
    condition = [for e in events({ type = "attempt_start" }) : [e.step, e.at_ms]] == [["one", 0], ["two", 0], ["three", 30000], ["four", 60000]]
  }
}

scenario "V45 the events of a failure, a retry and a success" {
  run = workflow.once

  on "ask" {
    fault "http_error" {}
    reply { content = "ok" }
  }

  expect "ask" {
    retries = 1
  }
  assert "in this order and no other" {
    condition = [for e in events({}) : e.type if !contains(["fault", "failure"], e.type)] == ["run_start", "step_start", "attempt_start", "attempt_end", "retry_wait", "attempt_start", "attempt_end", "step_end", "run_end"]
  }
  assert "the fault and the failure stand in the first attempt" {
    condition = [for e in slice(events({}), 2, 6) : e.type] == ["attempt_start", "fault", "failure", "attempt_end"]
  }
  assert "the wait is a second" {
    condition = [for e in events({ type = "attempt_start" }) : e.at_ms] == [0, 1000]
  }
}

scenario "V58 a -> b -> c: b and c are skipped because of a" {
  run = workflow.chain

  on "a" {
    fault "http_error" { status_code = 400 }
  }

  expect "run" {
    status  = "failed"
    partial = { failed_steps = ["a"], skipped_steps = ["b", "c"], completion_ratio = 0, hint = "retry_all" }
  }
  expect "b" {
    status         = "skipped"
    skipped_reason = "upstream failure: a"
    attempts       = null
  }
  expect "c" {
    status         = "skipped"
    skipped_reason = "upstream failure: a"
  }
}

scenario "V61 a workflow timeout of 5 s ends a call of 50 s" {
  run = workflow.bounded

  on "ask" {
    reply { latency = "50s" }
  }

  expect "run" {
    status     = "timeout"
    elapsed_ms = 5000
    error      = { kind = "timeout" }
  }
  expect "ask" {
    status   = "cancelled"
    ended_ms = 5000
  }
  assert "the attempt was cancelled from outside" {
    condition = [for a in step.ask.attempts : a.outcome] == ["cancelled"]
  }
  assert "one deadline, one timeout event" {
    condition = [for e in events({ type = "timeout" }) : e.layer] == ["workflow"]
  }
}

scenario "V104 every start has an end, also in a run that is cut short" {
  run = workflow.bounded

  on "ask" {
    fault "timeout" {}
  }

  expect "run" {
    status = "timeout"
  }
  assert "runs, steps and attempts are all ended" {
    condition = [for kind in ["run", "step", "attempt"] : length(events({ type = "${kind}_end" }))] == [1, 1, 1] && [for kind in ["run", "step", "attempt"] : length(events({ type = "${kind}_start" }))] == [1, 1, 1]
  }
  assert "it is one run" {
    condition = alltrue([for s in spans({ name = "workflow bounded" }) : s.attributes["scenario.run_id"] == run.run_id]) && length(spans({ name = "workflow bounded" })) == 1
  }
}
