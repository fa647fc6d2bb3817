# What no program should do, whatever it is for: std/resilience holds every scenario
# to it. Here each of its verdicts has a service that tempts a program to be wrong.

import = ["std/resilience"]

provider "openai" "llm" { model = "gpt-4o" }

provider "openai" "spare" {
  base_url     = "https://spare.example/v1"
  base_url_env = "SPARE_URL"
}

provider "http" "payments" {
  base_url     = "https://payments.example"
  base_url_env = "PAYMENTS_URL"
}

endpoint "workers" {
  provider = provider.payments
  match {
    path = "/work"
  }
  lane = request.query.worker
}

endpoint "charge" {
  provider = provider.payments
  match {
    path = "/charge"
  }
}

scenario "told to wait" {
  sut { command = ["python3", "resilience.py", "ask"] }
  on "llm" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "1" }
    }
    reply { content = "Rayleigh scattering." }
  }
  expect "run" { status = "success" }
  assert "it asks the same again" {
    condition = endpoint.llm.attempts[1].request.json.messages == [{ role = "user", content = "Why is the sky blue?" }]
  }
}

scenario "away for a while" {
  sut { command = ["python3", "resilience.py", "patiently"] }
  on "llm" {
    fault "http_error" {
      status_code = 503
      times       = 12
      optional    = true
    }
    reply {
      content  = "Rayleigh scattering."
      optional = true
    }
  }
  on "spare" {
    reply {
      content  = "Rayleigh scattering."
      optional = true
    }
  }
  assert "it asks again" { condition = endpoint.llm.retries > 0 }
}

scenario "a charge whose answer is lost" {
  sut { command = ["python3", "resilience.py", "charge"] }
  on "charge" {
    fault "connection_reset" {}
    reply { status_code = 201 }
  }
  expect "run" { status = "success" }
  assert "what is owed is charged" {
    condition = endpoint.charge.attempts[0].request.json.amount == 7
  }
}

scenario "a charge under its key whose answer is lost" {
  sut { command = ["python3", "resilience.py", "charge_anew"] }
  on "charge" {
    fault "connection_reset" {}
    reply { status_code = 201 }
  }
  expect "run" { status = "success" }
}

scenario "told to wait for a charge" {
  sut { command = ["python3", "resilience.py", "charge_anew"] }
  on "charge" {
    fault "http_error" {
      status_code = 429
      headers     = { "Retry-After" = "1" }
    }
    reply { status_code = 201 }
  }
  expect "run" { status = "success" }
}

scenario "half an answer" {
  sut { command = ["python3", "resilience.py", "converse"] }
  on "llm" {
    fault "stream_truncate" {
      chunks       = ["Rayleigh ", "scattering."]
      after_chunks = 1
      end          = "clean"
    }
    reply { content = "Rayleigh scattering." }
    reply { content = "In 1871." }
  }
  expect "run" { status = "success" }
}

scenario "half an answer is all there is" {
  sut { command = ["python3", "resilience.py", "stream"] }
  on "llm" {
    fault "stream_truncate" {
      chunks       = ["Rayleigh ", "scattering."]
      after_chunks = 1
      end          = "clean"
      times        = 3
      optional     = true
    }
  }
  on "spare" {
    reply {
      content  = "Rayleigh scattering."
      optional = true
    }
  }
  assert "it was asked" { condition = length(endpoint.llm.attempts) > 0 }
}

scenario "a request that is wrong" {
  sut { command = ["python3", "resilience.py", "ask"] }
  on "llm" {
    fault "http_error" {
      status_code = 422
      times       = 2
      optional    = true
    }
  }
  on "spare" {
    reply { content = "Rayleigh scattering." }
  }
  expect "run" { status = "success" }
  assert "the spare is asked the same" {
    condition = endpoint.spare.attempts[0].request.json == endpoint.llm.attempts[0].request.json
  }
}

scenario "workers who meet one failure" {
  sut { command = ["python3", "resilience.py", "work"] }
  on "workers" {
    fault "http_error" { status_code = 503 }
    reply { json = {} }
  }
  expect "run" { status = "success" }
  assert "all of them" { condition = length(endpoint.workers.lanes) == 4 }
}

scenario "an answer that does not come" {
  sut {
    command    = ["python3", "resilience.py", "once"]
    time_scale = 100
  }
  on "llm" {
    fault "timeout" {}
  }
  on "spare" {
    reply { content = "Rayleigh scattering." }
  }
  expect "run" { status = "success" }
}

scenario "nobody is there" {
  sut { command = ["python3", "resilience.py", "once"] }
  on "llm" {
    fault "http_error" { status_code = 500 }
  }
  on "spare" {
    reply {
      content  = "Rayleigh scattering."
      optional = true
    }
  }
  assert "it was asked" { condition = endpoint.llm.status == "failed" }
}
