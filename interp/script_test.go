package interp

import (
	"testing"
)

// Which entry answers which call.
func TestScripts(t *testing.T) {
	const many = `
retry "linear" "many" {
  delay       = "1s"
  max_retries = 6
}
workflow "w" {
  gateway = gateway.llm
  step "llm" "ask" {
    prompt = "x"
    retry  = retry.many
  }
}
workflow "one" {
  provider = provider.primary
  step "llm" "ask" {
    prompt = "x"
    retry  = retry.many
  }
}
workflow "loop" {
  provider = provider.primary
  step "llm" "ask" {
    prompt              = "x"
    max_tool_iterations = 3
    tool "now" { output = "noon" }
  }
}
workflow "two" {
  provider   = provider.primary
  on_failure = "continue"
  step "llm" "a" { prompt = "x" }
  step "llm" "b" { prompt = "x" }
}
`
	mustPass(t, testWorld+many+`
scenario "a one-entry script answers every call" {
  run = workflow.one
  on "ask" {
    fault "http_error" {}
  }
  expect "run" { status = "failed" }
  expect "ask" { retries = 6 }
}
scenario "repeat_last goes on with the last entry" {
  run = workflow.one
  on "ask" {
    exhausted = "repeat_last"
    fault "connection_reset" {}
    fault "http_error" {}
  }
  expect "run" { status = "failed" }
  assert "faults" {
    condition = [for a in step.ask.attempts : a.fault] == ["connection_reset", "http_error", "http_error", "http_error", "http_error", "http_error", "http_error"]
  }
}
scenario "cycle begins again, with as many calls for each entry" {
  run = workflow.one
  on "ask" {
    exhausted = "cycle"
    fault "http_error" { times = 2 }
    fault "connection_reset" {}
  }
  expect "run" { status = "failed" }
  assert "faults" {
    condition = [for a in step.ask.attempts : a.fault] == ["http_error", "http_error", "connection_reset", "http_error", "http_error", "connection_reset", "http_error"]
  }
}
scenario "entries for a target are passed over by the other, and wait for their own" {
  run = workflow.w
  on "ask" {
    fault "http_error" {
      target      = "second"
      status_code = 503
    }
    fault "http_error" { status_code = 502 }
    reply {
      content = "from second"
      target  = "second"
    }
    fault "http_error" { status_code = 500 }
  }
  assert "first gets 502 and 500, second 503 and then the reply" {
    condition = [for a in step.ask.attempts : "${a.target} ${a.status_code}"] == ["first 502", "second 503", "first 500", "second 200"]
  }
}
scenario "the most specific script wins, whatever the order" {
  run = workflow.w
  on "*" {
    fault "http_error" {
      status_code = 500
      optional    = true
    }
  }
  on "ask" {
    reply { content = "the step's" }
  }
  on "*" {
    target = "first"
    fault "http_error" {
      status_code = 501
      optional    = true
    }
  }
  on "ask" {
    target = "first"
    fault "http_error" { status_code = 502 }
  }
  expect "ask" {
    content = "the step's"
    target  = "second"
  }
  assert "the step's and target's own script" { condition = step.ask.attempts[0].status_code == 502 }
}
scenario "a script for a target of any step wins over one for any" {
  run = workflow.w
  on "*" {
    reply { content = "any" }
  }
  on "*" {
    target = "first"
    fault "http_error" { status_code = 502 }
  }
  expect "ask" { target = "second" }
}
scenario "every step has a cursor of its own in a script for all" {
  run = workflow.two
  on "*" {
    fault "http_error" { status_code = 400 }
    reply {
      content  = "never"
      optional = true
    }
  }
  expect "run" { status = "failed" }
  expect "a" { error = { status_code = 400 } }
  expect "b" { error = { status_code = 400 } }
}
scenario "entries for a turn answer that turn" {
  run = workflow.loop
  on "ask" {
    reply {
      content = "at last"
      turn    = 3
    }
    reply {
      tool_calls = [{ name = "now", arguments = {} }]
      times      = 2
    }
  }
  expect "ask" {
    content = "at last"
    turns   = 3
  }
}
scenario "an entry that answers twice stands before the next" {
  run = workflow.one
  on "ask" {
    fault "http_error" { times = 2 }
    reply { content = "third" }
  }
  expect "ask" {
    content = "third"
    retries = 2
  }
}
`)
}

// exhausted = "replay" goes on with the cassette, from its beginning.
func TestScriptThenCassette(t *testing.T) {
	r := playCassette(t, `
workflow "w" {
  provider = provider.api
  step "http" "get" {
    path  = "/a"
    retry = retry.std
  }
}
scenario "s" {
  run = workflow.w
  cassette { path = "tape.yaml" }
  on "get" {
    exhausted = "replay"
    fault "http_error" {}
    fault "connection_reset" {}
  }
  expect "get" {
    body    = "one"
    retries = 2
  }
}`, recordingsOf("get /a one"))
	if r.Verdict != Pass {
		t.Error(told(r))
	}
}

// A replay disturbed by a fault consumes both: the entry and the recording.
func TestDisturbedReplay(t *testing.T) {
	r := playCassette(t, `
workflow "w" {
  provider = provider.api
  step "http" "get" {
    path  = "/a"
    retry = retry.std
  }
}
scenario "s" {
  run = workflow.w
  cassette { path = "tape.yaml" }
  on "get" {
    fault "connection_reset" {
      replay {}
    }
    replay {}
  }
  expect "get" {
    body    = "two"
    retries = 1
  }
}`, recordingsOf("get /a one", "get /a two"))
	if r.Verdict != Pass {
		t.Error(told(r))
	}
}
