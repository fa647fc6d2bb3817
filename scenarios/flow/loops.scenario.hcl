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
    reply { content = "source, course, mouth" }
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
    elapsed_ms = 2000
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
    started_ms = 2000
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
