# How a script answers the calls of a step: entries in order, how often each one
# answers, what a call past the end meets, and which script is asked when there
# are several. A reader learns the gates, too: an entry that nobody reached, or
# a call that nothing answers, fails a scenario that would otherwise be green.

provider "openai" "east" { model = "gpt-4o-mini" }
provider "openai" "west" { model = "gpt-4o-mini" }

retry "linear" "patient" {
  delay       = "1s"
  max_retries = 6
}

gateway "llm" {
  target "a" { provider = provider.east }
  target "b" { provider = provider.west }
}

workflow "one" {
  provider = provider.east

  step "llm" "ask" {
    prompt = "hello"
    retry  = retry.patient
  }
}

workflow "both" {
  gateway = gateway.llm

  step "llm" "ask" {
    prompt = "hello"
    retry  = retry.patient
  }
  step "llm" "other" { prompt = "hello, too" }
}

scenario "entries answer in order, each as often as times says" {
  run = workflow.one

  on "ask" {
    fault "http_error" {
      status_code = 503
      times       = 2
    }
    fault "connection_reset" {}
    reply { content = "fourth call" }
  }

  expect "ask" {
    content = "fourth call"
    retries = 3
  }
  assert "two, one, one" {
    condition = [for a in step.ask.attempts : a.fault] == ["http_error", "http_error", "connection_reset", null]
  }
}

scenario "a call past the end is over_consumed, and no retry mends it" {
  run   = workflow.one
  allow = ["over_consumed"]

  on "ask" {
    fault "http_error" {}
    fault "http_error" {}
  }

  expect "run" {
    status = "failed"
  }
  expect "ask" {
    retries = 2
    error   = { kind = "exception", retryable = false }
  }
  assert "the gate is in the trace" {
    condition = [for e in events({ type = "gate" }) : e.gate] == ["over_consumed"]
  }
}

scenario "exhausted repeat_last: the last entry answers every further call" {
  run = workflow.one

  on "ask" {
    exhausted = "repeat_last"
    fault "connection_reset" {}
    fault "http_error" { status_code = 503 }
  }

  expect "run" {
    status = "failed"
  }
  assert "one reset, then 503 for the rest" {
    condition = [for a in step.ask.attempts : a.status_code] == [null, 503, 503, 503, 503, 503, 503]
  }
}

scenario "exhausted cycle: the script begins again" {
  run = workflow.one

  on "ask" {
    exhausted = "cycle"
    fault "http_error" { status_code = 500 }
    fault "http_error" { status_code = 502 }
    fault "http_error" { status_code = 503 }
  }

  expect "run" {
    status = "failed"
  }
  assert "three, three, and the first again" {
    condition = [for a in step.ask.attempts : a.status_code] == [500, 502, 503, 500, 502, 503, 500]
  }
}

# Target a passes over the entry for b and takes the second one; b then takes
# the first. In the next round each finds one of its own.
scenario "an entry that does not fit an attempt is passed over and stays" {
  run = workflow.both

  on "ask" {
    fault "http_error" {
      status_code = 502
      target      = "b"
    }
    fault "http_error" { status_code = 500 }
    reply {
      content = "from b"
      target  = "b"
    }
    fault "http_error" {
      status_code = 503
      target      = "a"
    }
  }
  on "other" {
    reply { content = "ok" }
  }

  expect "ask" {
    content = "from b"
    retries = 1
  }
  assert "who met what" {
    condition = [for a in step.ask.attempts : [a.target, a.status_code]] == [["a", 500], ["b", 502], ["a", 503], ["b", 200]]
  }
}

scenario "the most specific script wins: step and target, step, any and target, any" {
  run = workflow.both

  on "*" {
    reply { content = "any step, any target" }
  }
  on "*" {
    target = "a"
    fault "http_error" { status_code = 503 }
  }
  on "ask" {
    target = "a"
    reply { content = "ask on a" }
  }

  expect "ask" {
    content = "ask on a"
    target  = "a"
  }
  expect "other" {
    content = "any step, any target"
    target  = "b"
  }
}

scenario "an entry that nobody reached fails the scenario, unless it is optional" {
  run   = workflow.one
  allow = ["unused_reply"]

  on "ask" {
    reply { content = "first" }
    reply { content = "never" }
    reply {
      content  = "may be"
      optional = true
    }
  }

  expect "ask" {
    content = "first"
  }
  assert "one gate, for the entry that is not optional" {
    condition = [for e in events({ type = "gate" }) : e.gate] == ["unused_reply"]
  }
}

scenario "silence that nothing can end is a deadlock, and named" {
  run   = workflow.one
  allow = ["deadlock"]

  on "ask" {
    fault "timeout" {}
  }

  assert "the run is no success, and no time passed" {
    condition = run.status != "success" && run.elapsed_ms == 0
  }
  assert "the gate names the step" {
    condition = strcontains(events({ type = "gate", gate = "deadlock" })[0].message, "\"ask\"")
  }
}
