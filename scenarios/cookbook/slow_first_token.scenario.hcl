# Problem: the model is overloaded and says nothing for 40 seconds. There is no error and
# no timeout: the user looks at an empty page, while another provider would answer at once.
# Checked: after three seconds of silence the other provider is asked, and an answer that
# has begun may take its time.
# Without first_byte_timeout: the first token comes after 40 seconds.

provider "openai" "openai" { model = "gpt-4o-mini" }
provider "anthropic" "claude" { model = "claude-3-5-haiku-latest" }

gateway "llm" {
  target "primary" { provider = provider.openai }
  target "backup" {
    provider = provider.claude
    fallback = true
  }
}

workflow "chat" {
  gateway = gateway.llm

  step "llm" "answer" {
    prompt             = "Why is the sky blue?"
    stream             = true
    first_byte_timeout = "3s"
  }
}

scenario "a silent model is left for another one" {
  run = workflow.chat

  on "answer" {
    target = "primary"
    reply {
      content = "Too late."
      latency = "40s"
    }
  }
  on "answer" {
    target = "backup"
    reply { content = "Rayleigh scattering." }
  }

  expect "answer" {
    content    = "Rayleigh scattering."
    elapsed_ms = 3000
  }
}

scenario "slow is not silent" {
  run = workflow.chat

  on "answer" {
    reply {
      content     = "One word every two seconds."
      chunk_delay = "2s"
    }
  }

  expect "answer" { target = "primary" }
}
