# A program with a server of the Model Context Protocol that is a process: exec is
# that process. The handshake, pings and lists are answered by themselves, and each
# tool that the program calls is an endpoint.

provider "mcp" "notes" {
  command = ["npx", "-y", "notes-server"] # what the program starts in earnest
}

endpoint "search" {
  provider = provider.notes
  match { tool = "search" }
}

endpoint "append" {
  provider = provider.notes
  match { tool = "append" }
}

scenario "a search is repeated, and what is written is not" {
  sut {
    command = ["python3", "notes.py", "tea"]
    env     = { NOTES = jsonencode(provider.notes.command) }
  }

  on "search" {
    fault "hang" {}
    reply { structured = { hits = ["tea.md"] } }
  }
  on "append" {
    fault "connection_reset" {}
  }

  assert "the server that is gone is not asked again" {
    condition = sut.exit_code == 1 && sut.stderr == "nobody knows whether it was written\n" && length(endpoint.append.attempts) == 1
  }
  assert "what is found is what is written to" {
    condition = [endpoint.search.attempts[1].request.json.params.arguments, endpoint.append.attempts[0].request.json.params.arguments] == [{ query = "tea" }, { note = "tea.md", text = "buy tea" }]
  }
  assert "the search is taken back before it is repeated" {
    condition = [for a in endpoint.search.attempts : [a.call, a.ended_by]] == [[1, "client"], [1, "server"]]
  }
}

scenario "a tool that is not there is said to be" {
  sut {
    command = ["python3", "notes.py", "tea"]
    env     = { NOTES = jsonencode(provider.notes.command) }
  }

  on "search" {
    fault "tool_error" { message = "no index" }
  }

  expect "append" { status = "unused" }
  assert "the tool's own words" {
    condition = sut.exit_code == 1 && sut.stderr == "no index\n"
  }
}
