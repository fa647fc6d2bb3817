# Problem: a load balancer closes a stream in good order after half of the answer. The
# status was 200, there is no error, and the half is shown as the whole.
# Checked: the program looks for the end marker, and asks again if it is missing.
# Without that check: "Rayleigh" passes for "Rayleigh scattering".

provider "http" "relay" { base_url = "https://relay.example.com" }

retry "linear" "again" {
  delay       = "1s"
  max_retries = 2
}

workflow "relay" {
  provider = provider.relay

  step "http" "answer" {
    path   = "/answer"
    stream = true
    retry  = retry.again

    validate "it ends with the marker" {
      condition = endswith(trimspace(self.body), "[DONE]")
      retry     = true
    }
  }
}

scenario "half an answer is asked for again" {
  run = workflow.relay

  on "answer" {
    fault "stream_truncate" {
      after_chunks = 1
      end          = "clean"

      reply { chunks = ["Rayleigh ", "scattering.", "[DONE]"] }
    }
    reply { chunks = ["Rayleigh ", "scattering.", "[DONE]"] }
  }

  expect "answer" {
    body    = "data: Rayleigh \n\ndata: scattering.\n\ndata: [DONE]\n\n"
    retries = 1
  }
}
