# What a program meets that calls the tools of an MCP server: results, errors of
# the tool and of the protocol, sessions that are gone, connections that break.

provider "mcp" "files" {
  base_url = "https://files.example.com/mcp"
}

retry "linear" "patient" {
  delay       = "1s"
  max_retries = 3
}

workflow "look" {
  provider = provider.files
  inputs   = { query = "sky" }

  step "mcp" "search" {
    tool            = "search"
    arguments       = { query = input.query, limit = 2 }
    retry           = retry.patient
    idempotent      = true
    attempt_timeout = "10s"
  }
}

scenario "a tool answers in words and for programs" {
  run = workflow.look

  on "search" {
    reply {
      content    = "2 results"
      structured = { hits = ["a", "b"], total = 2 }
    }
  }

  expect "search" {
    status     = "success"
    content    = "2 results"
    structured = { hits = ["a", "b"], total = 2 }
    is_error   = false
    output     = { hits = ["a", "b"], total = 2 }
  }
  assert "the call is a message of JSON-RPC in the session" {
    condition = step.search.attempts[0].request.json == {
      id      = "search/1"
      jsonrpc = "2.0"
      method  = "tools/call"
      params  = { arguments = { limit = 2, query = "sky" }, name = "search" }
    }
  }
  assert "the handshake is there to be seen, and no attempt" {
    condition = length(step.search.attempts) == 1 && [for e in events({ type = "message" }) : e.method] == ["initialize", "notifications/initialized"]
  }
}

# BT6, BT8: a bad answer of the tool, of the protocol, of the connection.
scenario "a tool that fails says so in its result" {
  run = workflow.look

  on "search" {
    fault "tool_error" { message = "index is being rebuilt" }
  }

  expect "run" { status = "failed" }
  expect "search" {
    is_error = true
    content  = "index is being rebuilt"
    error    = { kind = "tool_error", message = "index is being rebuilt" }
  }
}

scenario "an inline error of a tool is the same failure" {
  run = workflow.look

  on "search" {
    reply {
      content  = "no such index"
      is_error = true
    }
  }

  expect "run" { status = "failed" }
  expect "search" {
    is_error = true
    error    = { kind = "tool_error", message = "no such index" }
  }
}

workflow "look_again" {
  provider = provider.files

  step "mcp" "search" {
    tool         = "search"
    reads_errors = true
  }
  step "mcp" "everywhere" {
    tool = "search_everywhere"
    when = step.search.is_error
  }
}

scenario "a program that reads the flag goes on" {
  run = workflow.look_again

  on "search" {
    fault "tool_error" { message = "index is being rebuilt" }
  }
  on "everywhere" {
    reply { content = "3 results" }
  }

  expect "search" {
    status   = "success"
    is_error = true
    output   = "index is being rebuilt"
  }
  expect "everywhere" { content = "3 results" }
}

scenario "an error of the protocol" {
  run = workflow.look

  on "search" {
    fault "protocol_error" {
      code    = -32601
      message = "Method not found"
    }
  }

  expect "run" { status = "failed" }
  expect "search" {
    content = null
    error   = { kind = "protocol_error", message = "JSON-RPC error -32601: Method not found" }
  }
}

# BT10: an invented tool.
scenario "a tool that the server does not know" {
  run = workflow.look

  on "search" {
    fault "protocol_error" {
      code    = -32602
      message = "Unknown tool: search"
    }
  }

  expect "run" { status = "failed" }
  expect "search" { error = { kind = "tool_not_found" } }
}

scenario "an answer to another request is none" {
  run = workflow.look

  on "search" {
    fault "id_mismatch" {
      times = 1
      reply { content = "of somebody else" }
    }
    reply { content = "mine" }
  }

  expect "search" { content = "mine" }
  assert "the first was refused" {
    condition = step.search.attempts[0].error.kind == "protocol_error" && step.search.attempts[0].response.content == ""
  }
}

scenario "a session that is gone is opened anew by the next attempt" {
  run = workflow.look

  on "search" {
    fault "session_expired" { times = 1 }
    reply { content = "found" }
  }

  expect "search" { content = "found" }
  assert "two handshakes, one for each session" {
    condition = [for e in events({ type = "message", method = "initialize" }) : [e.attempt, e.session]] == [[1, "session-1"], [2, "session-2"]]
  }
  assert "the failure is told" {
    condition = step.search.attempts[0].error.kind == "session_expired" && step.search.attempts[0].status_code == 404
  }
}

# BT8: the connection of a client that was idle for too long.
scenario "a stale client reconnects once within the attempt" {
  run = workflow.look

  on "search" {
    fault "stale_client" {}
    reply { content = "found" }
  }

  expect "search" { content = "found" }
  assert "one attempt, two sessions" {
    condition = length(step.search.attempts) == 1 && length(events({ type = "message", method = "initialize" })) == 2
  }
}

scenario "a client that is stale twice is a broken connection" {
  run = workflow.look

  on "search" {
    fault "stale_client" { times = "*" }
  }
  override {
    step "search" { retry = null }
  }

  expect "run" { status = "failed" }
  expect "search" { error = { kind = "connection", cause = "eof" } }
}

# BT8: silence.
scenario "a server that hangs is left at the attempt's deadline, and told so" {
  run = workflow.look

  on "search" {
    fault "hang" { times = 1 }
    reply { content = "found" }
  }

  expect "search" { content = "found" }
  assert "after ten seconds" {
    condition = [for a in step.search.attempts : [a.at_ms, a.outcome]] == [[0, "failure"], [11000, "success"]]
  }
  assert "the request is taken back" {
    condition = [for e in events({ type = "message", method = "notifications/cancelled" }) : [e.at_ms, e.params.requestId]] == [[10000, "search/1"]]
  }
}

# BT10: too many calls.
scenario "a server that asks to wait is heard" {
  run = workflow.look

  on "search" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "30" }
      times       = 1
    }
    reply { content = "found" }
  }

  expect "search" {
    content   = "found"
    delays_ms = [30000]
  }
}
