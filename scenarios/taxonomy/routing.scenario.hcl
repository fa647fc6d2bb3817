# The five classes of std/routing (BT15), as the taxonomy of a workflow. Words of
# the message decide for exceptions alone.

provider "openai" "any" { model = "gpt-4o-mini" }

gateway "many" {
  target "t1" { provider = provider.any }
  target "t2" { provider = provider.any }
  target "t3" { provider = provider.any }
  target "t4" { provider = provider.any }
  target "t5" { provider = provider.any }
  target "t6" { provider = provider.any }
  target "t7" { provider = provider.any }
}

retry "linear" "overload" {
  delay    = "1s"
  retry_on = ["overload_rejected"]
}

workflow "route" {
  gateway  = gateway.many
  taxonomy = taxonomy.routing

  step "llm" "to" { prompt = "hi" }
}

workflow "again" {
  provider = provider.any
  taxonomy = taxonomy.routing

  step "llm" "to" {
    prompt = "hi"
    retry  = retry.overload
  }
}

scenario "V71 the class of a message" {
  run = workflow.route

  on "to" {
    fault "error" { message = "timeout" }
    fault "error" { message = "refused" }
    fault "error" { message = "not found" }
    fault "error" { message = "unknown tool" }
    fault "error" { message = "rate limit" }
    fault "error" { message = "quota" }
    reply { content = "ok" }
  }

  assert "five classes" {
    condition = [for a in step.to.attempts : a.error.mode if a.error != null] == [
      "timeout", "target_unavailable", "target_unavailable", "validation_error", "overload_rejected", "internal_error",
    ]
  }
}

scenario "V71 the kind decides, whatever the words say" {
  run = workflow.route

  on "to" {
    fault "http_error" {
      status_code = 500
      body        = "rate limit"
    }
    fault "connection_refused" { reason = "timeout" }
    fault "malformed_response" { raw = "not found" }
    fault "http_error" { status_code = 429 }
    reply { content = "ok" }
  }

  assert "classes" {
    condition = [for a in step.to.attempts : a.error.mode if a.error != null] == ["internal_error", "target_unavailable", "internal_error", "overload_rejected"]
  }
}

scenario "a retry names a class" {
  run = workflow.again

  on "to" {
    fault "error" { message = "too many requests" }
    reply { content = "ok" }
  }

  expect "to" { retries = 1 }
}
