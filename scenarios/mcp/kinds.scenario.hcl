# Resources, prompts and lists, reports of progress, and what may be sent twice.

provider "mcp" "files" {
  base_url = "https://files.example.com/mcp"
}

retry "linear" "patient" {
  delay       = "1s"
  max_retries = 3
}

workflow "read" {
  provider = provider.files

  step "mcp" "offered" { list = "tools" }
  step "mcp" "notes" {
    resource = "file:///notes.txt"
    retry    = retry.patient
  }
  step "mcp" "greeting" {
    prompt    = "greet"
    arguments = { name = "Ann" }
  }
}

scenario "resources, prompts and the list of tools" {
  run = workflow.read

  on "offered" {
    reply {
      tools = [{ name = "search", description = "Searches.", parameters = { type = "object" } }, { name = "add" }]
    }
  }
  on "notes" {
    reply { content = "buy milk" }
  }
  on "greeting" {
    reply { content = "Greet Ann." }
  }

  expect "offered" {
    content = "search\nadd"
    tools = [
      { name = "search", description = "Searches.", parameters = { type = "object" } },
      { name = "add", description = "", parameters = { type = "object" } },
    ]
  }
  expect "notes" { content = "buy milk" }
  expect "greeting" {
    content = "Greet Ann."
    result  = { messages = [{ content = { text = "Greet Ann.", type = "text" }, role = "user" }] }
  }
  assert "one session for all" {
    condition = length(events({ type = "message", method = "initialize" })) == 1
  }
}

scenario "reading may be tried again after any failure" {
  run = workflow.read

  on "*" {
    reply {}
  }
  on "notes" {
    fault "connection_reset" { times = 2 }
    reply { content = "buy milk" }
  }

  expect "notes" {
    content = "buy milk"
    retries = 2
  }
}

workflow "act" {
  provider = provider.files

  step "mcp" "send" {
    tool       = "send_mail"
    arguments  = { to = "ann@example.com" }
    retry      = retry.patient
    idempotent = false
  }
}

scenario "a tool that may have worked is not called again" {
  run = workflow.act

  on "send" {
    fault "connection_reset" {}
  }

  expect "run" { status = "failed" }
  expect "send" { stop = "not_idempotent" }
}

scenario "a tool that certainly did not work is called again" {
  run = workflow.act

  on "send" {
    fault "connection_refused" { times = 1 }
    fault "session_expired" { times = 1 }
    reply { content = "sent" }
  }

  expect "send" {
    content = "sent"
    retries = 2
  }
}

workflow "report" {
  provider = provider.files

  step "mcp" "index" {
    tool       = "index"
    stream     = true
    retry      = retry.patient
    idempotent = true
  }
}

scenario "a tool reports its progress" {
  run = workflow.report

  on "index" {
    reply {
      content     = "done"
      progress    = [{ progress = 1, total = 3, message = "reading" }, { progress = 3, total = 3 }]
      latency     = "1s"
      chunk_delay = "5s"
    }
  }

  expect "index" {
    content    = "done"
    progress   = [{ progress = 1, total = 3, message = "reading" }, { progress = 3, total = 3, message = null }]
    elapsed_ms = 6000
  }
  assert "it was asked for with the request's own id" {
    condition = step.index.attempts[0].request.json.params._meta == { progressToken = "index/1" }
  }
  assert "every report is in the trace" {
    condition = [for e in events({ type = "message", direction = "received" }) : e.at_ms] == [1000, 6000]
  }
}

# BT8: the stream drops in the middle of a call.
scenario "a stream that breaks after a report" {
  for_each = { reset = "stream_interrupted", eof = "stream_interrupted", clean = "stream_incomplete" }
  run      = workflow.report

  on "index" {
    fault "stream_truncate" {
      after_chunks = 1
      end          = each.key
      times        = 1
    }
    reply { content = "done" }
  }

  expect "index" { content = "done" }
  assert "observed" {
    condition = step.index.attempts[0].error.kind == each.value && length(step.index.attempts) == 2
  }
}

scenario "a connection that is reset under a stream" {
  run = workflow.report

  on "index" {
    fault "connection_reset" {
      after_bytes = 10
      times       = 1
    }
    reply { content = "done" }
  }

  expect "index" { content = "done" }
  assert "before any report it is a broken connection" {
    condition = step.index.attempts[0].error.kind == "connection"
  }
}

provider "mcp" "local" {
  command = ["notes-server", "--stdio"]
}

workflow "local" {
  provider = provider.local

  step "mcp" "index" {
    tool   = "index"
    stream = true
    retry  = retry.patient
    # A server that is restarted may do it again.
    idempotent = true
  }
}

scenario "a process that dies is met like a connection that breaks" {
  run = workflow.local

  on "index" {
    fault "connection_reset" { times = 1 }
    reply {
      content = "done"
    }
  }

  expect "index" { content = "done" }
  assert "its address is its name" {
    condition = step.index.attempts[0].request.url == "stdio://local/" && step.index.attempts[0].error.cause == "reset"
  }
}
