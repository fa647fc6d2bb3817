provider "openai" "primary" { model = "gpt-4o-mini" }

workflow "six" {
  provider   = provider.primary
  on_failure = "continue"
  step "llm" "step_classify" { prompt = "question or answer?" }
  step "llm" "step_answer" {
    prompt  = "answer it"
    timeout = "60s"
  }
  step "llm" "step_summarize" {
    prompt = "summarize"
  }
  step "llm" "step_explain" {
    prompt = "explain"
  }
  step "llm" "step_translate" {
    prompt = "translate"
  }
  step "llm" "step_stream_long" {
    prompt = "tell at length"
    stream = true
  }
}

scenario "every step meets what its key declares" {
  run = workflow.six
  cassette { path = "fault_replay.json" }

  expect "run" { status = "partial" }
  expect "step_classify" {
    content = "question"
    model   = "gpt-4o-mini"
    usage   = { prompt_tokens = 10, completion_tokens = 1, total_tokens = 11 }
  }
  assert "the answer costs what the file says" {
    condition = approx(step.step_classify.cost_usd, 0.0001, 0.0000001)
  }
  assert "the timeout strikes after its five seconds" {
    condition = step.step_answer.error.kind == "timeout" && step.step_answer.elapsed_ms == 5000
  }
  assert "429 is a rate limit with its wait" {
    condition = step.step_summarize.error.kind == "rate_limit" && step.step_summarize.error.retry_after_ms == 30000
  }
  assert "500 is a status of the server" {
    condition = step.step_explain.error.kind == "http_status" && step.step_explain.error.status_code == 500
  }
  assert "raw bytes fail in the adapter" {
    condition = step.step_translate.error.kind == "malformed_response"
  }
  assert "three chunks come, then the stream breaks" {
    condition = step.step_stream_long.error.kind == "stream_interrupted" && length(step.step_stream_long.chunks) == 3
  }
}
