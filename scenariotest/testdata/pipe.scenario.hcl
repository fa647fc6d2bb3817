provider "mcp" "notes" {
  command = ["notes-server"]
}

endpoint "search" {
  provider = provider.notes
  match { tool = "search" }
}

endpoint "read" {
  provider = provider.notes
  match { tool = "read" }
}

scenario "answers overtake each other" {
  on "search" {
    fault "hang" {}
    reply {
      content = "tea.md"
      latency = "2s"
    }
  }
  on "read" {
    reply {
      content = "buy tea"
      latency = "1s"
    }
  }
  assert "exact" {
    condition = [for a in concat(endpoint.search.attempts, endpoint.read.attempts) : [a.call, a.started_at_ms, a.ended_at_ms, a.ended_by, a.outcome]] == [
      [1, 0, 30000, "client", "failure"],
      [1, 30000, 32000, "server", "success"],
      [1, 30000, 31000, "server", "success"],
    ]
  }
  assert "what is no call takes no entry" {
    condition = length(events({ type = "message" })) == 5
  }
}
