# What a call costs is what the workflow of the handler spent for it, and for all that it
# called in turn.

provider "openai" "llm" { model = "gpt-4o-mini" }

workflow "think" {
  provider = provider.llm
  step "llm" "say" { prompt = "why is the sky blue?" }
}

workflow "delegate" {
  provider = provider.llm
  step "llm" "plan" { prompt = "who knows?" }
  step "call" "expert" { target = actor.expert.ask }
}

workflow "both" {
  step "fanout" "all" {
    sub "expert" { target = actor.expert.ask }
    sub "helper" { target = actor.helper.ask }
  }
}

actor "expert" {
  handler "ask" { workflow = workflow.think }
}

actor "helper" {
  handler "ask" { workflow = workflow.delegate }
}

scenario "a call costs what its handler spends" {
  call "question" { target = actor.expert.ask }
  call "again" {
    target = actor.expert.ask
    at     = ["1s", "2s"]
  }
  on "actor.expert.ask.say" {
    reply {
      content  = "Rayleigh scattering."
      cost_usd = 0.5
    }
    reply {
      content  = "As I said."
      cost_usd = 0.25
      times    = 2
    }
  }
  assert "the first" { condition = call.question.cost_usd == 0.5 }
  assert "each of the others" { condition = [for c in call.again : c.cost_usd] == [0.25, 0.25] }
  assert "all of them" { condition = run.cost_usd == 1 && actor.expert.handlers.ask.run.cost_usd == 0.25 }
}

scenario "and what that calls" {
  call "question" { target = actor.helper.ask }
  on "actor.helper.ask.plan" {
    reply {
      content  = "The expert."
      cost_usd = 0.125
    }
  }
  on "actor.expert.ask.say" {
    reply {
      content  = "Rayleigh scattering."
      cost_usd = 0.5
    }
  }
  assert "both" { condition = call.question.cost_usd == 0.625 && run.cost_usd == 0.625 }
  assert "the step that calls" { condition = actor.helper.handlers.ask.expert.cost_usd == 0.5 }
}

scenario "a fan-out costs what its actors do" {
  run = workflow.both
  on "actor.helper.ask.plan" {
    reply {
      content  = "The expert."
      cost_usd = 0.125
    }
  }
  on "actor.expert.ask.say" {
    reply {
      content  = "Rayleigh scattering."
      cost_usd = 0.5
      times    = 2
    }
  }
  assert "together" { condition = fanout.all.cost_usd == 1.125 && run.cost_usd == 1.125 }
}
