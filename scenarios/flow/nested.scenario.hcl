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
