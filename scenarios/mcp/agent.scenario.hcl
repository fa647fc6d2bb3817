# A model that is offered the tools of a server, and calls them through it.

provider "openai" "primary" { model = "gpt-4o-mini" }
provider "mcp" "files" { base_url = "https://files.example.com/mcp" }

workflow "research" {
  step "mcp" "offered" {
    provider = provider.files
    list     = "tools"
  }
  step "mcp" "search" {
    provider  = provider.files
    tool      = "search"
    arguments = arguments
  }
  step "llm" "agent" {
    provider = provider.primary
    prompt   = "Find what we wrote about the sky."
    tools    = step.offered.tools
    tool "search" { step = step.search }
  }
}

scenario "the server's tools are offered, and a call goes to the server" {
  run = workflow.research

  on "offered" {
    reply {
      tools = [
        { name = "search", description = "Searches the files.", parameters = { type = "object", properties = { query = { type = "string" } } } },
        { name = "delete", description = "Deletes a file." },
      ]
    }
  }
  on "agent" {
    reply {
      tool_calls = [{ name = "search", arguments = { query = "sky" } }]
    }
    reply { content = "It is blue." }
  }
  on "search" {
    reply { structured = { hits = ["sky.md"] } }
  }

  expect "agent" {
    content = "It is blue."
    turns   = 2
  }
  assert "the model is told what the server says" {
    condition = [for t in step.agent.attempts[0].request.json.tools : t.function.description] == ["Searches the files.", "Deletes a file."]
  }
  assert "the model's arguments reach the server" {
    condition = step.search.attempts[0].request.json.params == { name = "search", arguments = { query = "sky" } }
  }
  assert "and the answer the model" {
    condition = jsondecode(step.agent.attempts[1].request.json.messages[2].content) == { hits = ["sky.md"] }
  }
}

# BT8, BT10
scenario "a tool that fails is an error for the model, and the run goes on" {
  run = workflow.research

  on "offered" {
    reply {
      tools = [{ name = "search" }]
    }
  }
  on "agent" {
    reply {
      tool_calls = [{ name = "search", arguments = { query = "sky" } }]
    }
    reply { content = "I cannot look it up now." }
  }
  on "search" {
    fault "tool_error" { message = "index is being rebuilt" }
  }

  expect "agent" { content = "I cannot look it up now." }
  assert "the model reads why" {
    condition = step.agent.attempts[1].request.json.messages[2].content == "error: index is being rebuilt"
  }
}
