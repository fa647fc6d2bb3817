# An answer that comes later than it would have: no failure by itself. What comes of
# it is decided by the deadlines of whoever waits.

provider "openai" "model" { model = "m" }
provider "http" "shop" { base_url = "https://shop.example" }
provider "mcp" "tools" { command = ["server"] }
provider "sql" "store" { base_url = "postgres://db.example/shop" }

retry "linear" "once" {
  delay       = "1s"
  max_retries = 1
}

workflow "all" {
  step "llm" "story" {
    provider        = provider.model
    prompt          = "Tell me a story."
    stream          = true
    attempt_timeout = "10s"
    retry           = retry.once
  }
  step "http" "list" {
    provider = provider.shop
    path     = "/items"
  }
  step "mcp" "search" {
    provider = provider.tools
    tool     = "search"
  }
  step "sql" "rows" {
    provider = provider.store
    query    = "select 1"
  }
}

scenario "delay: a late answer is an answer" {
  run = workflow.all

  on "story" {
    fault "delay" {
      by = "4s"
      reply {
        chunks      = ["Once ", "upon ", "a ", "time."]
        latency     = "2s"
        chunk_delay = "1s"
      }
    }
  }
  on "list" {
    fault "delay" {
      reply { json = [1, 2] }
    }
  }
  on "search" {
    fault "delay" {
      by = "90s"
      reply { content = "found" }
    }
  }
  on "rows" {
    fault "delay" {
      by = "1.5s"
      reply { rows = [{ n = 1 }] }
    }
  }

  expect "story" {
    content    = "Once upon a time."
    elapsed_ms = 9000 # the delay, the latency of the answer, and its three waits
  }
  expect "list" { elapsed_ms = 30000 }
  expect "search" {
    content    = "found"
    elapsed_ms = 90000
  }
  expect "rows" { elapsed_ms = 1500 }
}

workflow "one" {
  step "llm" "story" {
    provider        = provider.model
    prompt          = "Tell me a story."
    attempt_timeout = "10s"
    retry           = retry.once
  }
}

scenario "delay: an answer that comes behind the deadline is none" {
  run = workflow.one

  on "story" {
    fault "delay" {
      by = "10.001s"
      reply { content = "too late" }
    }
    fault "delay" {
      by = "10s"
      reply { content = "just in time" }
    }
  }

  expect "story" {
    content    = "just in time"
    delays_ms  = [1000]
    elapsed_ms = 21000
  }
  assert "the late answer was a timeout" {
    condition = step.story.attempts[0].error.kind == "timeout" && step.story.attempts[0].elapsed_ms == 10000
  }
}

actor "desk" {
  module "store" {}
  handler "answer" {
    takes   = "2s"
    timeout = "20s"
    return  = "fine"
  }
}

scenario "delay: a call of an actor begins its work later" {
  on "ask" {
    fault "delay" { by = "5s" }
    fault "delay" {
      by = "5s"
      reply { content = "from the script" }
    }
    fault "delay" {}
  }
  call "ask" {
    target = actor.desk.answer
    at     = ["10s", "30s", "60s"]
  }

  assert "late, then as ever" {
    condition = [for c in call.ask : c.elapsed_ms] == [7000, 5000, 20000]
  }
  assert "what was answered" {
    condition = [for c in call.ask : c.status] == ["success", "success", "timeout"]
  }
}

scenario "delay: a module is ready later" {
  on "actor.desk.module.store" {
    fault "delay" { by = "3s" }
  }
  call "early" {
    target = actor.desk.answer
    at     = "2999ms"
  }
  call "ask" {
    target = actor.desk.answer
    at     = "3s"
  }
  assert "nobody is served before" {
    condition = call.early.status == "failed" && call.ask.status == "success"
  }
}
