# Problem: a feed is cut, and the client reconnects at once, is cut again, and so on: as
# many connections as the network can make, each from the beginning of the feed.
# Checked: the waits grow, and each connection continues after the last event seen.
# Without the wait: four connections in the same instant.

provider "http" "feed" { base_url = "https://feed.example.com" }

workflow "follow" {
  provider = provider.feed

  step "loop" "connection" {
    while          = loop.index == 0 || step.events.status != "success"
    max_iterations = 4

    step "wait" "backoff" { for = "${loop.index == 0 ? 0 : pow(2, loop.index - 1)}s" }
    step "http" "events" {
      path       = "/events"
      headers    = { Last-Event-ID = tostring(loop.index) }
      stream     = true
      required   = false
      depends_on = [step.backoff]
    }
  }
}

scenario "three cuts, then it holds" {
  run = workflow.follow

  on "connection.events" {
    fault "stream_truncate" {
      after_chunks = 1
      times        = 3

      reply { chunks = ["an event", "another"] }
    }
    reply { chunks = ["the last event"] }
  }

  assert "after 1, 2 and 4 seconds" {
    condition = [for c in step.connection.runs : c.events.started_ms] == [0, 1000, 3000, 7000]
  }
  assert "each goes on where the one before was cut" {
    condition = [for c in step.connection.runs : c.events.attempts[0].request.headers["last-event-id"]] == ["0", "1", "2", "3"]
  }
}
