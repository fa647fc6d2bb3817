# A program that has the addresses of its services built in. It asks through a proxy
# that stands in for them; a host that nobody declared is refused, and one that is
# allowed is let through.

provider "openai" "llm" {}

scenario "a question goes to the model, and to nobody else" {
  sut { command = ["python3", "hosts.py"] }

  on "llm" {
    reply { content = "Rayleigh scattering." }
  }

  expect "run" { status = "success" }
  assert "it is the question" {
    condition = endpoint.llm.attempts[0].request.json.messages[0].content == "Why is the sky blue?"
  }
  assert "nobody else was asked" {
    condition = sut.stdout == "Rayleigh scattering.\n" && [for h in sut.refused_hosts : h.host] == []
  }
}

scenario "what is counted goes where it is allowed to go" {
  sut {
    command     = ["python3", "hosts.py", "counted"]
    allow_hosts = ["127.0.0.1:*"]
  }

  on "llm" {
    reply { content = "Rayleigh scattering." }
  }

  expect "run" { status = "success" }
  assert "it was counted" {
    condition = sut.stdout == "Rayleigh scattering.\ncounted: 1\n" && [for h in sut.refused_hosts : h.host] == []
  }
}
