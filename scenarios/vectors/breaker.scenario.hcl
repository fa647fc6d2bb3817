# The public vectors of the circuit breaker. Wait steps put the calls at exact
# instants; a breaker changes state only when a call asks or ends, so the
# instants are those of the calls. A reader learns what counts, what does not,
# and how a probe closes or opens it again.

provider "openai" "primary" { model = "gpt-4o-mini" }
provider "openai" "spare" { model = "gpt-4o" }

breaker "three" {
  threshold = 3
  reset     = "10s"
}
breaker "two" {
  threshold = 2
  reset     = "10s"
}
breaker "one" {
  threshold = 1
  reset     = "10s"
}
breaker "patient" {
  threshold         = 1
  reset             = "10s"
  success_threshold = 2
}
breaker "five" {
  threshold = 5
}

rate_limit "scarce" {
  requests_per_minute = 0.5
  burst               = 4
}

retry "exponential" "std" {}
retry "linear" "ten_seconds" {
  delay       = "10s"
  max_retries = 1
}

gateway "with_backup" {
  target "primary_3" {
    provider = provider.primary
    breaker  = breaker.three
  }
  target "backup_3" {
    provider = provider.spare
    fallback = true
  }
}
gateway "alone" {
  target "limited" {
    provider   = provider.primary
    breaker    = breaker.three
    rate_limit = rate_limit.scarce
  }
}
gateway "two" {
  target "primary_2" {
    provider = provider.primary
    breaker  = breaker.two
  }
}
gateway "two_with_backup" {
  target "busy" {
    provider = provider.primary
    breaker  = breaker.two
  }
  target "idle" {
    provider = provider.spare
    fallback = true
  }
}
gateway "one" {
  target "fragile" {
    provider = provider.primary
    breaker  = breaker.one
  }
}
gateway "shared" {
  target "common" {
    provider = provider.primary
    breaker  = breaker.five
  }
}
gateway "to_trip" {
  target "tripped" {
    provider = provider.primary
    breaker  = breaker.one
  }
}
gateway "to_probe" {
  target "probed" {
    provider = provider.primary
    breaker  = breaker.patient
  }
}
gateway "to_mend" {
  target "mended" {
    provider = provider.primary
    breaker  = breaker.one
  }
}

locals {
  # When each call is made.
  seven = [
    { name = "0", at = "0s" }, { name = "1", at = "1s" }, { name = "2", at = "2s" }, { name = "3", at = "3s" },
    { name = "11_9", at = "11900ms" }, { name = "12", at = "12s" }, { name = "13", at = "13s" },
  ]
  four = [{ name = "0", at = "0s" }, { name = "10", at = "10s" }, { name = "21_9", at = "21900ms" }, { name = "22", at = "22s" }]
}

workflow "seven_calls" {
  gateway        = gateway.with_backup
  max_concurrent = 20

  dynamic "step" {
    for_each = local.seven
    iterator = call
    labels   = ["wait", "at_${call.value.name}"]
    content { for = call.value.at }
  }
  dynamic "step" {
    for_each = local.seven
    iterator = call
    labels   = ["llm", "call_${call.value.name}"]
    content {
      prompt     = call.value.name
      depends_on = [step["at_${call.value.name}"]]
    }
  }
}

scenario "V22 threshold 3, reset 10: open at 2, half open and closed at 12" {
  run = workflow.seven_calls

  on "*" {
    target = "backup_3"
    reply { content = "backup" }
  }
  on "call_0" {
    target = "primary_3"
    fault "http_error" {}
  }
  on "call_1" {
    target = "primary_3"
    fault "http_error" {}
  }
  on "call_2" {
    target = "primary_3"
    fault "http_error" {}
  }
  on "call_12" {
    target = "primary_3"
    reply { content = "primary" }
  }
  on "call_13" {
    target = "primary_3"
    reply { content = "primary" }
  }

  assert "primary is dialled at 0, 1, 2, 12, 13" {
    condition = [for e in events({ type = "attempt_start", target = "primary_3" }) : e.at_ms] == [0, 1000, 2000, 12000, 13000]
  }
  assert "backup is dialled at 0, 1, 2, 3, 11.9" {
    condition = [for e in events({ type = "attempt_start", target = "backup_3" }) : e.at_ms] == [0, 1000, 2000, 3000, 11900]
  }
  assert "open at 2, half open at 12, closed at 12" {
    condition = [for t in breaker.primary_3.transitions : [t.at_ms, t.from, t.to]] == [[2000, "closed", "open"], [12000, "open", "half_open"], [12000, "half_open", "closed"]]
  }
  assert "the calls at 3 and 11.9 were refused" {
    condition = breaker.primary_3.rejected == 2
  }
  assert "and were served by the backup" {
    condition = gateway.with_backup.served_by == ["backup_3", "backup_3", "backup_3", "backup_3", "backup_3", "primary_3", "primary_3"] && gateway.with_backup.fallbacks == 5
  }
}

workflow "fourth_call" {
  gateway    = gateway.alone
  on_failure = "continue"

  step "llm" "one" { prompt = "1" }
  step "llm" "two" { prompt = "2" }
  step "llm" "three" { prompt = "3" }
  step "wait" "later" { for = "3s" }
  step "llm" "four" {
    prompt     = "4"
    depends_on = [step.later]
    retry      = retry.ten_seconds
  }
}

# The fourth call is refused at 3 and admitted at 13 as a probe. Had the refusal
# taken an entry, the probe would meet the second one; had it taken a token of
# the bucket of four, the probe would wait for another for minutes.
scenario "V23 threshold 3: the fourth call is refused, without a script entry or a token" {
  run = workflow.fourth_call

  on "*" {
    fault "http_error" {}
  }
  on "four" {
    reply { content = "first entry" }
    reply {
      content  = "second entry"
      optional = true
    }
  }

  expect "run" {
    status = "partial"
  }
  expect "four" {
    content = "first entry"
    retries = 1
  }
  assert "refused at once" {
    condition = [for r in step.four.rejections : [r.at_ms, r.round, r.target, r.reason]] == [[0, 1, "limited", "circuit_open"]]
  }
  assert "dialled once, ten seconds later, without another wait" {
    condition = [for a in step.four.attempts : [a.at_ms, a.round]] == [[10000, 2]]
  }
}

workflow "three_calls" {
  gateway    = gateway.two
  on_failure = "continue"

  step "llm" "one" { prompt = "1" }
  step "llm" "two" { prompt = "2" }
  step "llm" "three" { prompt = "3" }
}

scenario "V24 threshold 2: F, S, F leaves it closed with one failure" {
  run = workflow.three_calls

  on "one" {
    fault "http_error" {}
  }
  on "two" {
    reply { content = "ok" }
  }
  on "three" {
    fault "http_error" {}
  }

  expect "run" {
    status = "partial"
  }
  assert "closed, one failure" {
    condition = breaker.primary_2.state == "closed" && breaker.primary_2.failures == 1 && breaker.primary_2.transitions == []
  }
}

workflow "failing_probe" {
  gateway    = gateway.one
  on_failure = "continue"

  dynamic "step" {
    for_each = local.four
    iterator = call
    labels   = ["wait", "at_${call.value.name}"]
    content { for = call.value.at }
  }
  dynamic "step" {
    for_each = local.four
    iterator = call
    labels   = ["llm", "call_${call.value.name}"]
    content {
      prompt     = call.value.name
      depends_on = [step["at_${call.value.name}"]]
    }
  }
}

scenario "V26 a probe that fails at 12 opens it again, with the timer from 12" {
  run = workflow.failing_probe

  on "call_0" {
    fault "http_error" {}
  }
  on "call_10" {
    fault "http_error" { after = "2s" }
  }
  on "call_22" {
    reply { content = "ok" }
  }

  expect "run" {
    status = "partial"
  }
  expect "call_21_9" {
    status = "failed"
    error  = { kind = "circuit_open" }
  }
  expect "call_22" {
    status = "success"
  }
  assert "opened at 0 and at 12, closed by the probe at 22" {
    condition = [for t in breaker.fragile.transitions : [t.at_ms, t.to]] == [[0, "open"], [10000, "half_open"], [12000, "open"], [22000, "half_open"], [22000, "closed"]]
  }
}

workflow "five_calls" {
  gateway = gateway.two_with_backup

  step "llm" "one" { prompt = "1" }
  step "llm" "two" { prompt = "2" }
  step "llm" "three" { prompt = "3" }
  step "llm" "four" { prompt = "4" }
  step "llm" "five" { prompt = "5" }
}

scenario "V28 threshold 2, five times 429: closed, no failure, the backup serves five" {
  run = workflow.five_calls

  on "*" {
    target = "busy"
    fault "http_error" { status_code = 429 }
  }
  on "*" {
    target = "idle"
    reply { content = "ok" }
  }

  assert "429 is ignored" {
    condition = breaker.busy.state == "closed" && breaker.busy.failures == 0
  }
  assert "all five were dialled, and answered by the backup" {
    condition = length(target.busy.attempts) == 5 && gateway.two_with_backup.served_by == ["idle", "idle", "idle", "idle", "idle"]
  }
}

workflow "two_at_once" {
  gateway    = gateway.shared
  on_failure = "continue"

  step "llm" "a" {
    prompt = "a"
    retry  = retry.std
  }
  step "llm" "b" {
    prompt = "b"
    retry  = retry.std
  }
  step "llm" "c" { prompt = "${step.a.content} ${step.b.content}" }
}

scenario "V31 two steps share a breaker of five: dials at 0, 0, 1, 1, 3, open at 3" {
  run = workflow.two_at_once

  on "*" {
    fault "http_error" {}
  }

  expect "run" {
    status = "failed"
  }
  expect "c" {
    status         = "skipped"
    skipped_reason = "upstream failure: a"
  }
  assert "five dials" {
    condition = [for e in events({ type = "attempt_start" }) : e.at_ms] == [0, 0, 1000, 1000, 3000]
  }
  assert "open at 3" {
    condition = [for t in breaker.common.transitions : [t.at_ms, t.to]] == [[3000, "open"]]
  }
}

workflow "seen_again_later" {
  gateway    = gateway.shared
  on_failure = "continue"

  step "llm" "a" {
    prompt = "a"
    retry  = retry.std
  }
  step "llm" "b" {
    prompt = "b"
    retry  = retry.std
  }
  step "wait" "until_62_9" { for = "62900ms" }
  step "llm" "at_62_9" {
    prompt     = "62.9"
    depends_on = [step.until_62_9]
  }
  step "wait" "until_63" { for = "63s" }
  step "llm" "at_63" {
    prompt     = "63"
    depends_on = [step.until_63]
  }
}

# V31 goes on: a breaker that says nothing else lets a probe through 60 seconds
# after it opened, and nothing before.
scenario "the shared breaker of V31 refuses at 62.9 and is probed at 63" {
  run = workflow.seen_again_later

  on "*" {
    fault "http_error" {}
  }
  on "at_63" {
    reply { content = "ok" }
  }

  expect "run" {
    status = "partial"
  }
  expect "at_62_9" {
    status = "failed"
    error  = { kind = "circuit_open" }
  }
  expect "at_63" {
    content = "ok"
  }
  assert "open at 3, half open and closed at 63" {
    condition = [for t in breaker.common.transitions : [t.at_ms, t.to]] == [[3000, "open"], [63000, "half_open"], [63000, "closed"]]
  }
}

workflow "three_streams" {
  gateway = gateway.two_with_backup

  step "llm" "one" {
    prompt = "1"
    stream = true
  }
  step "llm" "two" {
    prompt = "2"
    stream = true
  }
  step "llm" "three" {
    prompt = "3"
    stream = true
  }
}

scenario "V34 a stream refused with 429 before its first byte falls back, three times" {
  run = workflow.three_streams

  on "*" {
    target = "busy"
    fault "http_error" { status_code = 429 }
  }
  on "*" {
    target = "idle"
    reply { content = "from the backup" }
  }

  assert "the backup serves each" {
    condition = gateway.two_with_backup.served_by == ["idle", "idle", "idle"] && gateway.two_with_backup.fallbacks == 3
  }
  assert "no failure is counted" {
    condition = breaker.busy.failures == 0 && breaker.busy.state == "closed"
  }
  assert "the chunks are the backup's" {
    condition = step.three.chunks == ["from ", "the ", "backup"]
  }
}

workflow "reader_that_stops" {
  gateway = gateway.one

  step "llm" "read" {
    prompt = "Tell me a story."
    stream = true
    consumer { abort_after_chunks = 1 }
  }
}

scenario "V36 a consumer that stops after one chunk is no failure" {
  run = workflow.reader_that_stops

  on "read" {
    reply { content = "Once upon a time" }
  }

  assert "closed, no failure, although one would trip it" {
    condition = breaker.fragile.state == "closed" && breaker.fragile.failures == 0
  }
  assert "one chunk was read" {
    condition = step.read.attempts[0].response.chunks == ["Once "] && step.read.attempts[0].outcome == "cancelled"
  }
}

workflow "three_states" {
  on_failure = "continue"

  step "wait" "later" { for = "10s" }
  step "llm" "trip" {
    prompt  = "1"
    gateway = gateway.to_trip
  }
  step "llm" "trip_too" {
    prompt  = "2"
    gateway = gateway.to_probe
  }
  step "llm" "trip_as_well" {
    prompt  = "3"
    gateway = gateway.to_mend
  }
  step "llm" "probe" {
    prompt     = "4"
    gateway    = gateway.to_probe
    depends_on = [step.later]
  }
  step "llm" "mend" {
    prompt     = "5"
    gateway    = gateway.to_mend
    depends_on = [step.later]
  }
}

scenario "V38 the gauge says 0 for closed, 1 for open, 2 for half open" {
  run = workflow.three_states

  on "*" {
    fault "http_error" {}
  }
  on "probe" {
    reply { content = "one of two" }
  }
  on "mend" {
    reply { content = "enough" }
  }

  expect "run" {
    status = "partial"
  }
  assert "the states" {
    condition = [breaker.mended.state, breaker.tripped.state, breaker.probed.state] == ["closed", "open", "half_open"]
  }
  assert "the gauge" {
    condition = [metric("scenario_breaker_state", { target = "mended" }), metric("scenario_breaker_state", { target = "tripped" }), metric("scenario_breaker_state", { target = "probed" })] == [0, 1, 2]
  }
  assert "all three were open once" {
    condition = [for e in events({ type = "breaker", to = "open" }) : e.target] == ["tripped", "probed", "mended"]
  }
}
