# Workflows inside workflows. A reader learns what a step of kind workflow
# shows of its inner run, how addresses are put together, whose deadline and
# whose budget wins, and that breakers belong to the file and not to a run.

provider "openai" "primary" { model = "gpt-4o-mini" }
provider "openai" "spare" { model = "gpt-4o" }

breaker "quick" { threshold = 2 }

gateway "guarded" {
  target "main" {
    provider = provider.primary
    breaker  = breaker.quick
  }
}

workflow "answer" {
  gateway = gateway.guarded
  inputs  = { question = null, tone = "kind" }

  step "llm" "think" { prompt = "Think about ${input.question}" }
  step "llm" "say" { prompt = "Say it ${input.tone}: ${step.think.content}" }

  output = step.say.content
}

workflow "desk" {
  provider = provider.spare

  step "llm" "classify" { prompt = "Classify" }
  step "workflow" "reply" {
    run    = workflow.answer
    inputs = { question = "a ${step.classify.content}" }
  }
  step "workflow" "review" {
    run    = workflow.answer
    inputs = { question = step.reply.output, tone = "strictly" }
  }

  output = step.review.output
}

scenario "two steps run one workflow, each with its own address, script and inputs" {
  run = workflow.desk

  on "classify" {
    reply { content = "question" }
  }
  on "reply.think" {
    reply {
      content  = "thought"
      latency  = "1s"
      usage    = { prompt_tokens = 3, completion_tokens = 4 }
      cost_usd = 0.5
    }
  }
  on "reply.say" {
    reply {
      content = "hello"
      usage   = { prompt_tokens = 10, completion_tokens = 10 }
    }
  }
  on "*" {
    reply {
      content  = "fine"
      cost_usd = 0.25
    }
  }

  expect "run" {
    status   = "success"
    output   = "fine"
    cost_usd = 1
    partial  = { completed_steps = ["classify", "reply", "review"], completion_ratio = 1 }
  }
  expect "reply" {
    status   = "success"
    output   = "hello"
    cost_usd = 0.5
    usage    = { total_tokens = 27 }
    run      = { status = "success", output = "hello", elapsed_ms = 1000, cost_usd = 0.5 }
    partial  = { completed_steps = ["think", "say"], data = { think = "thought", say = "hello" } }
    say      = { content = "hello" }
  }
  expect "review.say" {
    content = "fine"
  }
  assert "the inner workflow has its own gateway and inputs" {
    condition = step.reply.think.target == "main" && step.classify.target == "spare" && step.review.say.attempts[0].request.json.messages[0].content == "Say it strictly: fine"
  }
  assert "each layer has its start and its end" {
    condition = [for e in events({ step = "reply" }) : e.type] == ["step_start", "run_start", "run_end", "step_end"]
  }
  assert "spans nest" {
    condition = [for name in ["workflow desk", "step reply", "workflow answer", "step reply.think"] : length(spans({ name = name }))] == [1, 1, 2, 1]
  }
  assert "metrics count by the workflow that a step belongs to" {
    condition = metric("scenario_attempts_total", { workflow = "answer" }) == 4 && metric("scenario_attempts_total", { workflow = "desk", step_id = "classify" }) == 1
  }
}

workflow "bounded" {
  provider = provider.primary
  inputs   = { first = "one" }
  timeout  = "5s"

  step "llm" "one" { prompt = input.first }
  step "llm" "two" { prompt = step.one.content }
}

workflow "layers" {
  provider   = provider.primary
  on_failure = "continue"

  step "workflow" "inside" {
    run     = workflow.bounded
    timeout = "9s"
  }
  step "workflow" "outside" {
    run     = workflow.bounded
    timeout = "3s"
  }
  step "llm" "use" { prompt = step.inside.output }
}

scenario "the innermost deadline wins, and each layer tells of its own" {
  run = workflow.layers

  on "inside.one" {
    reply {}
  }
  on "inside.two" {
    reply { latency = "20s" }
  }
  on "outside.one" {
    reply { latency = "20s" }
  }
  on "outside.two" {
    reply { optional = true }
  }
  on "use" {
    reply { optional = true }
  }

  expect "run" {
    status = "failed"
    error  = { kind = "timeout", step = "outside" }
  }
  expect "inside" {
    status   = "failed"
    ended_ms = 5000
    error    = { kind = "timeout", mode = "PARTIAL_TIMEOUT" }
    run      = { status = "timeout" }
    partial  = { completed_steps = ["one"], failed_steps = ["two"], completion_ratio = 0.5, hint = "resume_from_checkpoint" }
    two      = { status = "cancelled" }
  }
  expect "outside" {
    status   = "timeout"
    ended_ms = 3000
    run      = { status = "cancelled", elapsed_ms = 3000 }
    one      = { status = "cancelled" }
    two      = { status = "skipped", skipped_reason = "step timeout", attempts = null }
  }
  expect "use" {
    skipped_reason = "upstream failure: inside"
  }
  assert "two deadlines, two events" {
    condition = [for e in events({ type = "timeout" }) : [e.at_ms, e.step, e.layer]] == [[3000, "outside", "step"], [5000, "inside", "workflow"]]
  }
  assert "every run that began has ended" {
    condition = length(events({ type = "run_start" })) == 3 && length(events({ type = "run_end" })) == 3
  }
}

scenario "the time of a step is that of all steps it runs" {
  run = workflow.layers

  on "inside.one" {
    reply {}
  }
  on "inside.two" {
    fault "http_error" { status_code = 404 }
  }
  on "outside.one" {
    reply { latency = "2s" }
  }
  on "outside.two" {
    reply { latency = "2s" }
  }
  on "use" {
    reply { optional = true }
  }

  expect "outside" {
    status   = "timeout"
    ended_ms = 3000
    one      = { status = "success" }
    two      = { status = "cancelled" }
  }
  expect "run" { status = "failed" }
}

workflow "beyond" {
  provider = provider.primary

  step "workflow" "inside" { run = workflow.bounded }
}

scenario "the deadline of an inner run is its step's failure, and names it" {
  run = workflow.beyond

  on "inside.one" {
    reply { latency = "20s" }
  }
  on "inside.two" {
    reply { optional = true }
  }

  expect "run" {
    status = "failed"
    error  = { kind = "timeout", step = "inside" }
  }
  expect "inside" {
    error = { kind = "timeout", step = "inside" }
    run   = { error = { kind = "timeout", step = "inside" } }
  }
}

workflow "tolerant" {
  provider   = provider.primary
  on_failure = "continue"

  step "llm" "bad" { prompt = "1" }
  step "llm" "good" { prompt = "2" }
}

workflow "around" {
  provider = provider.primary

  step "workflow" "part" {
    run      = workflow.tolerant
    fallback = step.instead
  }
  step "value" "instead" { value = "instead of ${step.part.error.step}" }
  step "value" "use" { value = step.part.output }
}

scenario "an inner run that is partial is a failure of its step, which may have a fallback" {
  run = workflow.around

  on "part.bad" {
    fault "http_error" { status_code = 503 }
  }
  on "part.good" {
    reply { content = "fine" }
  }

  expect "run" {
    status  = "success"
    partial = { completed_steps = ["part", "use"] }
  }
  expect "part" {
    status      = "failed"
    replaced_by = "instead"
    run         = { status = "partial" }
    partial     = { completed_steps = ["good"], failed_steps = ["bad"], data = { good = "fine" } }
    good        = { content = "fine" }
  }
  expect "use" {
    output = "instead of part.bad"
  }
}

workflow "thrifty" {
  provider = provider.primary
  budget { usd = 1 }

  step "llm" "first" { prompt = "1" }
  step "llm" "second" { prompt = step.first.content }
}

workflow "household" {
  provider   = provider.primary
  on_failure = "continue"
  budget { usd = 3 }

  step "workflow" "one" { run = workflow.thrifty }
  step "llm" "between" {
    prompt     = "and?"
    depends_on = [step.one]
    required   = false
  }
  step "workflow" "two" {
    run        = workflow.thrifty
    depends_on = [step.between]
  }
}

scenario "an answer is paid from the inner budget and the outer one" {
  run = workflow.household

  on "one.first" {
    reply { cost_usd = 0.5 }
  }
  on "one.second" {
    reply { cost_usd = 0.5 }
  }
  on "between" {
    reply { cost_usd = 2 }
  }
  on "two.first" {
    reply { optional = true }
  }
  on "two.second" {
    reply { optional = true }
  }

  expect "run" {
    status   = "partial"
    cost_usd = 3
    error    = { kind = "budget_exceeded", step = "two.first" }
  }
  expect "one" {
    status   = "success"
    cost_usd = 1
  }
  expect "two" {
    status = "failed"
    error  = { kind = "budget_exceeded", mode = "POLICY_BUDGET" }
    first  = { status = "failed", attempts = [] }
    second = { status = "skipped" }
  }
}

scenario "an inner budget that is exceeded ends the inner run" {
  run = workflow.household

  on "one.first" {
    reply { cost_usd = 1.5 }
  }
  on "one.second" {
    reply { optional = true }
  }
  on "*" {
    reply { optional = true }
  }

  expect "one" {
    status = "failed"
    error  = { kind = "budget_exceeded" }
    first  = { status = "success" }
    second = { status = "skipped", skipped_reason = "budget exceeded" }
  }
  expect "run" {
    status = "failed"
  }
}

workflow "asker" {
  gateway = gateway.guarded
  step "llm" "ask" { prompt = "?" }
}

workflow "twice" {
  on_failure = "continue"

  step "loop" "again" {
    max_iterations = 3
    step "workflow" "call" {
      run      = workflow.asker
      required = false
    }
  }
}

scenario "a breaker belongs to its target, whichever run dials it" {
  run = workflow.twice

  on "again.call.ask" {
    fault "http_error" { times = 2 }
  }

  expect "again" {
    status     = "success"
    iterations = 3
    call       = { status = "failed", error = { kind = "circuit_open" }, ask = { attempts = [], rejections = [{ reason = "circuit_open" }] } }
  }
  assert "two failures opened it, the third iteration was refused" {
    condition = breaker.main.state == "open" && [for a in target.main.attempts : a.iteration] == [1, 2] && breaker.main.rejected == 1
  }
}

workflow "looping" {
  provider = provider.primary
  inputs   = { n = null }

  step "loop" "l" {
    while = loop.index < input.n
    step "llm" "x" { prompt = "${loop.index}" }
  }
}

workflow "deep" {
  step "loop" "outer" {
    max_iterations = 2
    step "workflow" "w" {
      run    = workflow.looping
      inputs = { n = loop.index + 1 }
    }
  }
}

scenario "loops and workflows nest in each other, and addresses with them" {
  run = workflow.deep

  on "outer.w.l.x" {
    reply { content = "a" }
    reply { content = "b" }
    reply { content = "c" }
  }

  expect "outer.w.l" {
    iterations = 2
  }
  expect "outer.w.l.x" {
    content = "c"
  }
  assert "results are read by the same address" {
    condition = step.outer.w.l.x.attempts[0].iteration == 2 && step.outer.w.run.cost_usd == 0
  }
  assert "spans stand below those of the steps around them" {
    condition = [for n in ["step outer.w", "workflow looping", "step outer.w.l", "step outer.w.l.x"] : length(spans({ name = n }))] == [2, 2, 2, 3]
  }
}

scenario "a run in a run that nothing can end is a deadlock that names the step by its address" {
  run   = workflow.deep
  allow = ["deadlock"]

  on "outer.w.l.x" {
    fault "timeout" {}
  }

  expect "run" {
    status = "cancelled"
  }
  assert "the gate says where" {
    condition = length([for e in events({ type = "gate" }) : e if strcontains(e.message, "outer.w.l.x")]) == 1
  }
}
