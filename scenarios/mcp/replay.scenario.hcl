# What a server of the official library answered, recorded with
#     scenario record scenarios/mcp/replay.scenario.hcl
# The handshakes are in the recording, too, under the step provider.notes.

provider "mcp" "notes" { base_url = "http://127.0.0.1:8765/mcp" }

retry "linear" "once" {
  delay       = "10ms"
  max_retries = 1
}

workflow "index" {
  provider       = provider.notes
  max_concurrent = 1

  step "mcp" "search" {
    tool       = "search"
    arguments  = { query = "sky" }
    idempotent = false
  }
  step "mcp" "read" {
    tool       = "slow"
    stream     = true
    retry      = retry.once
    idempotent = false
    depends_on = [step.search]
  }
}

scenario "a recorded session, and the one after it" {
  run = workflow.index
  cassette { path = "cassettes/notes.yaml" }

  expect "search" { structured = { hits = ["sky.md"] } }
  expect "read" {
    content  = "read"
    progress = [for n in [1, 2, 3] : { progress = n, total = 3, message = "reading" }]
  }
  assert "the server had forgotten the first session" {
    condition = step.read.attempts[0].error.kind == "session_expired" && length(step.read.attempts) == 2
  }
  assert "so there are two" {
    condition = [for e in events({ type = "message", method = "initialize" }) : [e.step, e.by]] == [["search", "cassette"], ["read", "cassette"]]
  }
}

# The same recording with a fault before it: the call that is answered then has
# another id than the one that was recorded.
scenario "a fault in front of what was recorded" {
  run = workflow.index
  cassette { path = "cassettes/notes.yaml" }

  on "search" {
    fault "connection_refused" { times = 1 }
    replay {}
  }
  override {
    step "search" { retry = retry.once }
  }

  expect "search" { structured = { hits = ["sky.md"] } }
  assert "asked twice" {
    condition = [for a in step.search.attempts : a.request.json.id] == ["search/1", "search/2"]
  }
}

# And one that is named: it was recorded as the second attempt.
scenario "a certain answer" {
  run   = workflow.index
  allow = ["unused_interaction"]
  cassette { path = "cassettes/notes.yaml" }

  on "read" {
    replay { interaction = 2 }
  }

  expect "read" {
    content = "read"
    retries = 0
  }
}
