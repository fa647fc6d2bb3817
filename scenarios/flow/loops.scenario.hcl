# Loops: steps that run again and again. A reader learns what the condition
# reads and when it is read, how one script answers all iterations, what the
# results and the trace show of them, and how a failure or a deadline ends one.

provider "openai" "primary" { model = "gpt-4o-mini" }

retry "linear" "twice" {
  delay       = "1s"
  max_retries = 2
}

workflow "refine" {
  provider = provider.primary
  inputs   = { topic = "rivers" }

  step "llm" "outline" { prompt = "Outline a text about ${input.topic}" }
  step "loop" "polish" {
    while          = step.review.content != "good"
    max_iterations = 5

    step "llm" "draft" {
      prompt = "Draft ${loop.index} of ${step.outline.content}"
      retry  = retry.twice
    }
    step "llm" "review" { prompt = "Is this good? ${step.draft.content}" }
  }
  step "value" "result" { value = step.polish.draft.content }

  output = step.result.output
}

scenario "a loop runs while its condition holds, which reads the iteration before" {
  run = workflow.refine

  on "outline" {
    reply {
      content = "source, course, mouth"
      latency = "1s"
    }
  }
  on "polish.draft" {
    reply { content = "first" }
    reply { content = "second" }
    reply { content = "third" }
  }
  on "polish.review" {
    reply {
      content = "bad"
      times   = 2
      latency = "1s"
    }
    reply { content = "good" }
  }

  expect "run" {
    status     = "success"
    output     = "third"
    elapsed_ms = 3000
    partial    = { completed_steps = ["outline", "polish", "result"], completion_ratio = 1 }
  }
  expect "polish" {
    status     = "success"
    iterations = 3
    output     = { draft = "third", review = "good" }
    draft      = { content = "third" }
  }
  expect "polish.draft" {
    content    = "third"
    started_ms = 3000
    attempts   = [{ n = 1, iteration = 3, at_ms = 0 }]
  }
  assert "loop.index counts from 0, and the steps inside read those around" {
    condition = [for a in target.primary.attempts : a.request.json.messages[0].content if a.iteration == 1 || a.iteration == 2] == ["Draft 0 of source, course, mouth", "Is this good? first", "Draft 1 of source, course, mouth", "Is this good? second"]
  }
  assert "steps lists every iteration" {
    condition = [for s in steps : s.name] == ["outline", "polish", "polish.draft", "polish.review", "polish.draft", "polish.review", "polish.draft", "polish.review", "result"]
  }
  assert "the events of an iteration carry its number" {
    condition = [for e in events({ step = "polish.draft" }) : [e.type, e.iteration] if strcontains(e.type, "step")] == [["step_start", 1], ["step_end", 1], ["step_start", 2], ["step_end", 2], ["step_start", 3], ["step_end", 3]]
  }
  assert "the spans of the steps inside are below that of the loop" {
    condition = length([for s in spans({ name = "step polish.draft" }) : s]) == 3
  }
  assert "attempts are counted for the step at its address" {
    condition = metric("scenario_attempts_total", { workflow = "refine", step_id = "polish.draft" }) == 3
  }
}

workflow "poll" {
  provider = provider.primary
  inputs   = { rounds = 3 }

  step "loop" "wait_for_it" {
    while = loop.index < input.rounds

    step "wait" "pause" { for = "2s" }
    step "llm" "ask" {
      prompt     = "ready?"
      depends_on = [step.pause]
      retry      = retry.twice
      required   = false
    }
  }
  step "value" "after" { value = step.wait_for_it.ask.status }
}

scenario "a condition that is false at once: no iteration, and everything inside is null" {
  run    = workflow.poll
  inputs = { rounds = 0 }

  on "wait_for_it.ask" {
    reply { optional = true }
  }

  expect "wait_for_it" {
    status     = "success"
    iterations = 0
    output     = null
    elapsed_ms = 0
    ask        = { status = null, content = null, attempts = null, started_ms = null }
  }
  expect "after" {
    status = "success"
    output = null
  }
}

scenario "entries may be for one iteration, and a retry takes place inside of it" {
  run = workflow.poll

  on "wait_for_it.ask" {
    fault "http_error" { iteration = 2 }
    reply {
      content   = "in the second"
      iteration = 2
    }
    reply {
      content = "in any other"
      times   = 2
    }
  }

  expect "wait_for_it" {
    iterations = 3
    elapsed_ms = 7000
    ask        = { content = "in any other", retries = 0 }
  }
  assert "the second iteration has two rounds" {
    condition = [for a in target.primary.attempts : [a.iteration, a.n, a.round, a.at_ms]] == [[1, 1, 1, 0], [2, 1, 1, 0], [2, 2, 2, 1000], [3, 1, 1, 0]]
  }
  assert "each iteration has a result of its own" {
    condition = [for s in steps : [s.retries, s.started_ms] if s.name == "wait_for_it.ask"] == [[0, 2000], [1, 4000], [0, 7000]]
  }
}

scenario "a step inside that is not required does not end the loop" {
  run = workflow.poll

  on "wait_for_it.ask" {
    fault "http_error" {
      status_code = 400
      iteration   = 2
    }
    reply {
      content = "yes"
      times   = 2
    }
  }

  expect "run" {
    status = "success"
  }
  expect "wait_for_it" {
    iterations = 3
  }
}

workflow "fragile" {
  provider = provider.primary

  step "loop" "work" {
    max_iterations = 3
    timeout        = "10s"
    fallback       = step.apology
    fallback_on    = "any"

    step "llm" "one" { prompt = "one" }
    step "llm" "two" { prompt = "two" }
    step "value" "both" { value = "${step.one.content} ${step.two.content}" }
  }
  step "value" "apology" { value = "sorry: ${step.work.error.kind}" }
  step "value" "use" { value = step.work.output }
}

scenario "the failure of an iteration is the loop's, and the loop has a fallback as any step" {
  run = workflow.fragile

  on "work.one" {
    reply { content = "1" }
    fault "http_error" {
      status_code = 400
      after       = "1s"
    }
  }
  on "work.two" {
    reply {
      content = "2"
      latency = "3s"
    }
  }

  expect "run" {
    status = "success"
  }
  expect "work" {
    status      = "failed"
    iterations  = 2
    error       = { kind = "http_status", status_code = 400, step = "work.one", target = "primary" }
    ended_ms    = 4000
    replaced_by = "apology"
  }
  expect "work.two" {
    status   = "cancelled"
    ended_ms = 4000
  }
  expect "work.both" {
    status         = "skipped"
    skipped_reason = "upstream failure: work.one"
    output         = null
  }
  expect "use" {
    output = "sorry: http_status"
  }
  assert "the iteration before it has both answers" {
    condition = step.work.runs[0].both.output == "1 2"
  }
}

scenario "a loop that exceeds its timeout cancels what runs inside" {
  run = workflow.fragile

  on "work.one" {
    reply { latency = "4s" }
  }
  on "work.two" {
    reply {}
  }

  expect "work" {
    status     = "timeout"
    iterations = 3
    ended_ms   = 10000
    one        = { status = "cancelled", ended_ms = 10000 }
    two        = { status = "success" }
    both       = { status = "skipped", skipped_reason = "step timeout" }
  }
  assert "one deadline, one event" {
    condition = [for e in events({ type = "timeout" }) : [e.step, e.layer]] == [["work", "step"]]
  }
  assert "what began has ended, also inside" {
    condition = length(events({ type = "step_start" })) == length([for e in events({ type = "step_end" }) : e if e.status != "skipped"])
  }
}

workflow "grid" {
  provider = provider.primary

  step "loop" "row" {
    max_iterations = 2

    step "value" "number" { value = loop.index + 1 }
    step "loop" "column" {
      while = loop.index < step.number.output

      step "llm" "cell" { prompt = "${step.number.output}.${loop.index + 1}" }
    }
  }
}

scenario "loops nest: the innermost counts, and the inner one begins again each time" {
  run = workflow.grid

  on "row.column.cell" {
    reply { content = "a" }
    reply { content = "b" }
    reply { content = "c" }
  }

  expect "row" {
    iterations = 2
    column     = { iterations = 2, cell = { content = "c" } }
  }
  assert "three cells, each with the iteration of its own loop" {
    condition = [for a in target.primary.attempts : [a.iteration, a.request.json.messages[0].content]] == [[1, "1.1"], [1, "2.1"], [2, "2.2"]]
  }
  assert "an inner loop carries the iteration of the outer one" {
    condition = [for e in events({ step = "row.column", type = "step_end" }) : [e.iteration, e.iterations]] == [[1, 1], [2, 2]]
  }
}

workflow "endless" {
  step "loop" "forever" {
    while = true

    step "value" "x" { value = loop.index }
  }
}

scenario "a loop that names no bound fails after 1000 iterations" {
  run = workflow.endless

  expect "run" {
    status = "failed"
  }
  expect "forever" {
    status     = "failed"
    iterations = 1000
    error      = { kind = "validation" }
    x          = { output = 999 }
  }
}

workflow "narrow" {
  provider       = provider.primary
  max_concurrent = 1

  step "loop" "twice" {
    max_iterations = 2

    step "llm" "a" { prompt = "a" }
    step "llm" "b" { prompt = "b" }
  }
  step "llm" "other" { prompt = "c" }
}

scenario "the steps of a loop share the places of their workflow, and the loop takes none" {
  run = workflow.narrow

  on "*" {
    reply {
      latency = "1s"
    }
  }

  expect "run" {
    elapsed_ms = 5000
  }
  expect "twice" {
    status = "success"
  }
  assert "one at a time" {
    condition = target.primary.in_flight_max == 1
  }
}

retry "exponential" "jittery" { jitter = "full" }

workflow "drawing" {
  provider = provider.primary

  step "loop" "l" {
    max_iterations = 3
    step "llm" "x" {
      prompt = "x"
      retry  = retry.jittery
    }
  }
}

scenario "every iteration draws its own jitter" {
  run = workflow.drawing

  on "l.x" {
    fault "http_error" { iteration = 1 }
    fault "http_error" { iteration = 2 }
    fault "http_error" { iteration = 3 }
    reply { times = 3 }
  }

  expect "l" {
    iterations = 3
  }
  assert "three waits, no two of them equal" {
    condition = length(distinct([for e in events({ type = "retry_wait" }) : e.delay_ns])) == 3
  }
}

workflow "tolerant" {
  provider = provider.primary

  step "loop" "each" {
    max_iterations = 3
    step "llm" "fetch" {
      prompt   = "${loop.index}"
      required = false
    }
    step "llm" "use" {
      prompt   = "use ${step.fetch.content}"
      required = false
    }
  }
}

scenario "a loop goes on after a failed step that is not required" {
  run = workflow.tolerant

  on "each.fetch" {
    reply { content = "one" }
    fault "http_error" { status_code = 400 }
    reply { content = "three" }
  }
  on "each.use" {
    reply { content = "used" }
  }

  expect "run" { status = "success" }
  expect "each" { iterations = 3 }
  assert "what waits for it is skipped in that iteration alone" {
    condition = [for s in steps : s.status if s.name != "each"] == ["success", "success", "failed", "skipped", "success", "success"]
  }
}

workflow "replaced" {
  provider = provider.primary

  step "loop" "again" {
    max_iterations = 2
    step "llm" "ask" {
      prompt   = "Who is it?"
      fallback = step.guess
    }
    step "value" "guess" { value = "nobody ${loop.index}" }
    step "value" "inside" { value = step.ask.output }
  }
  step "value" "outside" {
    value = [step.again.ask.output, step.again.ask.content, step.again.output.ask, step.again.inside.output]
  }
}

scenario "a step of a loop that was replaced reads as its substitute from all sides" {
  run = workflow.replaced

  on "again.ask" {
    fault "http_error" { times = "*" }
  }

  expect "outside" { output = ["nobody 1", "nobody 1", "nobody 1", "nobody 1"] }
}

# The name of a step in a loop reads its last iteration alone. All of them are in
# runs, also of a loop inside a loop: so a key that is new each time is found.
provider "http" "shop" { base_url = "https://shop.example" }

workflow "charge_again" {
  provider = provider.shop

  step "loop" "orders" {
    max_iterations = 2

    step "http" "charge" {
      method  = "POST"
      path    = "/charge"
      headers = { "Idempotency-Key" = "key-${loop.index}" }
      retry   = retry.twice
    }
    step "value" "later" {
      when  = loop.index == 1
      value = loop.index
    }
    step "loop" "inner" {
      max_iterations = 1
      step "value" "number" { value = step.later.output }
    }
  }
}

scenario "all iterations of a loop" {
  run = workflow.charge_again

  on "orders.charge" {
    fault "http_error" { status_code = 503 }
    reply {
      json  = {}
      times = 2
    }
  }

  assert "three charges with two keys" {
    condition = [for a in flatten(step.orders.runs[*].charge.attempts) : a.request.headers["idempotency-key"]] == ["key-0", "key-0", "key-1"]
  }
  assert "each iteration with what was skipped in it" {
    condition = [for r in step.orders.runs : [r.charge.retries, r.later.status, r.later.output]] == [[1, "skipped", null], [0, "success", 1]]
  }
  assert "a loop inside reads its own, in whatever iteration" {
    condition = [for r in step.orders.runs : [for i in r.inner.runs : i.number.output]] == [[null], [1]] && step.orders.runs[0].inner.number.output == null
  }
  assert "the name alone is the last" {
    condition = step.orders.charge.attempts[0].request.headers["idempotency-key"] == "key-1"
  }
}
