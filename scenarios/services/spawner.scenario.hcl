# The model behind a butler: a session runs a workflow, and what goes wrong there
# is in the session log. BT10.

provider "anthropic" "claude" { model = "claude-sonnet-4-5" }

retry "exponential" "sdk" {
  base        = "1s"
  multiplier  = 2
  max_retries = 3
}

# The agent of a session, with a tool of the butler's own.
workflow "agent" {
  provider = provider.claude
  inputs   = { prompt = null }
  output   = step.ask.content

  step "llm" "ask" {
    prompt          = input.prompt
    retry           = retry.sdk
    attempt_timeout = "5s"
    tool "measurement_log" { step = step.log }
  }
  step "call" "log" {
    target    = actor.health.measurement_log
    arguments = arguments
  }
}

actor "health" {
  lock "session" {}
  pool "db" {
    size              = 2
    statement_timeout = "30s"
  }
  handler "trigger" {
    lock     = ["session"]
    timeout  = "120s"
    workflow = workflow.agent
  }
  handler "unlocked" { workflow = workflow.agent }
  tool "measurement_log" {
    takes  = "100ms"
    uses   = ["db"]
    return = "logged ${arguments.kg} kg"
  }
}

scenario "a session asks its model, which uses the butler's tools" {
  call "trigger" {
    target    = actor.health.trigger
    arguments = { prompt = "I weigh 80 kg." }
  }
  on "actor.health.trigger.ask" {
    reply {
      tool_calls = [{ name = "measurement_log", arguments = { kg = 80 } }]
      latency    = "2s"
    }
    reply {
      content = "Noted."
      latency = "1s"
    }
  }

  expect "trigger" {
    value      = "Noted."
    elapsed_ms = 3100
  }
  expect "actor.health.trigger.log" { value = "logged 80 kg" }
  assert "the tool is called from the session" {
    condition = [for r in events({ type = "route" }) : [r.handler, r.from, r.outcome] if r.handler == "measurement_log"] == [["measurement_log", "health", "success"]]
  }
}

scenario "BT10: a bad key is an error result, and the session is logged with it" {
  matrix { status = [401, 403] }
  call "trigger" {
    target    = actor.health.trigger
    arguments = { prompt = "I weigh 80 kg." }
  }
  on "actor.health.trigger.ask" {
    fault "http_error" { status_code = matrix.status }
  }

  expect "trigger" {
    status = "failed"
    error  = { kind = "http_status", status_code = matrix.status, mode = "USER_PERMISSION" }
  }
  assert "the session log has the error" {
    condition = [for s in actor.health.sessions : [s.status, s.error.kind, s.error.status_code]] == [["failed", "http_status", matrix.status]]
  }
  assert "it is not tried again" {
    condition = length(actor.health.handlers.trigger.ask.attempts) == 1
  }
}

scenario "BT10: a rate limit is tried again with backoff" {
  call "trigger" {
    target    = actor.health.trigger
    arguments = { prompt = "How am I?" }
  }
  on "actor.health.trigger.ask" {
    fault "http_error" {
      status_code = 429
      times       = 2
    }
    reply { content = "Fine." }
  }

  expect "trigger" {
    status   = "success"
    ended_ms = 3000
  }
  assert "after one second, then two" {
    condition = [for a in actor.health.handlers.trigger.ask.attempts : [a.at_ms, a.status_code]] == [[0, 429], [1000, 429], [3000, 200]]
  }
}

scenario "BT10: a rate limit that stays is the session's error" {
  call "trigger" {
    target    = actor.health.trigger
    arguments = { prompt = "How am I?" }
  }
  on "actor.health.trigger.ask" {
    fault "http_error" { status_code = 429 }
  }

  expect "trigger" {
    status   = "failed"
    error    = { kind = "rate_limit" }
    ended_ms = 7000
  }
  assert "three retries" {
    condition = actor.health.handlers.trigger.ask.retries == 3
  }
}

scenario "BT10: a model that does not answer is a timeout error, and the session is logged" {
  call "trigger" {
    target    = actor.health.trigger
    arguments = { prompt = "How am I?" }
  }
  on "actor.health.trigger.ask" {
    fault "timeout" {}
  }

  # Four tries of five seconds, and waits of 1, 2 and 4.
  expect "trigger" {
    status   = "timeout"
    error    = { kind = "timeout" }
    ended_ms = 27000
  }
  assert "the session log has the timeout" {
    condition = [for s in actor.health.sessions : [s.status, s.error.kind, s.ended_ms]] == [["timeout", "timeout", 27000]]
  }
}

scenario "BT10: an invented tool is answered with an error, and the model tries again" {
  call "trigger" {
    target    = actor.health.trigger
    arguments = { prompt = "I weigh 80 kg." }
  }
  on "actor.health.trigger.ask" {
    reply {
      tool_calls = [{ name = "measurement_save", arguments = { kg = 80 } }]
    }
    reply {
      tool_calls = [{ name = "measurement_log", arguments = { kg = 80 } }]
    }
    reply { content = "Noted." }
  }

  expect "trigger" { value = "Noted." }
  assert "the model is told that there is no such tool" {
    condition = actor.health.handlers.trigger.ask.attempts[1].request.json.messages[2].content[0].content == "error: tool \"measurement_save\" not found"
  }
  assert "and calls the right one" {
    condition = actor.health.handlers.trigger.ask.turns == 3 && actor.health.handlers.trigger.log.value == "logged 80 kg"
  }
}

scenario "a database that is too slow is an error for the model, which may report it" {
  call "trigger" {
    target    = actor.health.trigger
    arguments = { prompt = "I weigh 80 kg." }
  }
  on "actor.health.pool.db" {
    fault "db_slow" {
      after = "45s"
      times = 1
    }
    reply { optional = true }
  }
  on "actor.health.trigger.ask" {
    reply {
      tool_calls = [{ name = "measurement_log", arguments = { kg = 80 } }]
    }
    reply { content = "I could not save it." }
  }

  expect "trigger" {
    value    = "I could not save it."
    ended_ms = 30000
  }
  expect "actor.health.trigger.log" {
    status = "failed"
    error  = { kind = "db_timeout" }
  }
  assert "the model reads the error" {
    condition = strcontains(jsonencode(actor.health.handlers.trigger.ask.attempts[1].request.json.messages), "did not end within 30s")
  }
}

scenario "two sessions of a handler without a lock do their work one after the other" {
  call "both" {
    target    = actor.health.unlocked
    at        = ["0s", "0s"]
    arguments = { prompt = "How am I?" }
  }
  on "actor.health.unlocked.ask" {
    reply {
      content = "first"
      latency = "2s"
      usage   = { prompt_tokens = 10, completion_tokens = 2 }
    }
    reply {
      content = "second"
      latency = "2s"
      usage   = { prompt_tokens = 20, completion_tokens = 3 }
    }
  }

  assert "each has its own answer, at its own time" {
    condition = [for c in call.both : [c.value, c.ended_ms]] == [["first", 2000], ["second", 4000]]
  }
  assert "the handler has the run of its last session, and the tokens of both" {
    condition = ([for r in [actor.health.handlers.unlocked.run] : [r.status, r.output, r.started_ms, r.ended_ms]] == [["success", "second", 2000, 4000]]
    && actor.health.handlers.unlocked.usage.total_tokens == 35)
  }
  assert "the sessions overlap, the work does not" {
    condition = overlaps(actor.health.sessions) == 1
  }
}

scenario "a butler that is killed while its model thinks" {
  call "trigger" {
    target    = actor.health.trigger
    arguments = { prompt = "How am I?" }
  }
  event "kill" {
    at   = "1s"
    kill = actor.health
  }
  on "actor.health.trigger.ask" {
    fault "timeout" {}
  }

  expect "trigger" {
    status   = "failed"
    error    = { kind = "target_unavailable" }
    ended_ms = 1000
  }
  expect "actor.health.trigger.ask" { status = "cancelled" }
  assert "the session is logged as failed" {
    condition = [for s in actor.health.sessions : [s.status, s.error.kind]] == [["failed", "target_unavailable"]]
  }
}
