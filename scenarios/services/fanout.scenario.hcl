# Fanouts: which subs run, which are aborted or cancelled, and what one text says
# of all (rows BT13 to BT17).

provider "openai" "any" { model = "gpt-4o-mini" }

workflow "health" {
  provider = provider.any
  inputs   = { prompt = "hello" }
  output   = step.ask.content

  step "llm" "ask" { prompt = input.prompt }
}

workflow "mail" {
  provider = provider.any
  inputs   = { prompt = "hello" }
  output   = step.ask.content

  step "llm" "ask" { prompt = input.prompt }
}

workflow "general" {
  provider = provider.any
  inputs   = { prompt = "hello" }
  output   = step.ask.content

  step "llm" "ask" { prompt = input.prompt }
}

scenario "V63 ordered, b is down and optional" {
  for_each = {
    continue            = { c = "success", runs = [1] }
    on_required_failure = { c = "success", runs = [1] }
    on_any_failure      = { c = "aborted", runs = [] }
  }
  fanout "all" {
    mode  = "ordered"
    abort = each.key
    sub "a" { target = workflow.health }
    sub "b" {
      target   = workflow.mail
      required = false
    }
    sub "c" { target = workflow.general }
  }
  on "all.a.ask" {
    reply {
      content = "80 kg"
      latency = "1s"
    }
  }
  on "all.b.ask" {
    fault "connection_refused" {}
  }
  dynamic "on" {
    for_each = each.value.runs
    labels   = ["all.c.ask"]
    content {
      reply { content = "done" }
    }
  }

  assert "one after the other, and c as the policy says" {
    condition = [for s in fanout.all.subs : [s.id, s.status, s.started_ms]] == [["a", "success", 0], ["b", "failed", 1000], ["c", each.value.c, each.value.c == "success" ? 1000 : null]]
  }
  assert "the class of the failure" {
    condition = fanout.all.b.error.mode == "target_unavailable"
  }
  assert "one text of all three" {
    condition = length(split("\n\n", fanout.all.aggregate)) == 3
  }
  expect "run" { status = "success" }
}

scenario "what was aborted says why" {
  fanout "all" {
    mode  = "ordered"
    abort = "on_any_failure"
    sub "b" { target = workflow.mail }
    sub "c" { target = workflow.general }
  }
  on "all.b.ask" {
    fault "connection_refused" {}
  }

  expect "all.c" {
    status         = "aborted"
    skipped_reason = "sub b is failed, and abort is \"on_any_failure\""
    started_ms     = null
    error          = { kind = "cancelled", mode = null }
  }
}

workflow "together" {
  step "fanout" "all" {
    abort = "on_any_failure"

    sub "a" { target = workflow.health }
    sub "b" { target = workflow.mail }
    sub "c" { target = workflow.general }
    sub "late" {
      target     = workflow.general
      depends_on = ["c"]
    }
  }
}

scenario "V65 parallel, a is down: what is under way is cancelled at once" {
  run = workflow.together

  on "all.a.ask" {
    fault "connection_refused" { after = "1s" }
  }
  on "all.b.ask" {
    reply {
      content = "too late"
      latency = "5s"
    }
  }
  on "all.c.ask" {
    fault "timeout" {}
  }

  assert "cancelled at the failure, not later" {
    condition = [for s in fanout.all.subs : s.status] == ["failed", "cancelled", "cancelled", "aborted"]
  }
  assert "all ended then" {
    condition = [for s in fanout.all.subs : s.ended_ms] == [1000, 1000, 1000, null]
  }
  expect "all.b" {
    error = { kind = "cancelled", message = "cancelled: sub a is failed, and abort is \"on_any_failure\"" }
  }
  assert "every dispatched sub has its row, and no other" {
    condition = [for e in events({ type = "route" }) : "${e.sub} ${e.outcome}"] == ["a target_unavailable", "b cancelled", "c cancelled"]
  }
  assert "rows are counted" {
    condition = metric("scenario_routes_total", { actor = "health", outcome = "target_unavailable" }) == 1
  }
}

scenario "a failure that takes no time strikes before the next one begins" {
  run = workflow.together

  on "all.a.ask" {
    fault "connection_refused" {}
  }

  assert "none of the others began" {
    condition = [for s in fanout.all.subs : s.status] == ["failed", "aborted", "aborted", "aborted"]
  }
}

workflow "all_down" {
  step "fanout" "all" {
    sub "a" { target = workflow.health }
    sub "b" { target = workflow.mail }
  }
}

scenario "all targets down: the fanout ends with an aggregate" {
  run = workflow.all_down

  on "*" {
    fault "timeout" { after = "2s" }
  }

  expect "all" {
    status     = "success"
    elapsed_ms = 2000
  }
  assert "it says so of each" {
    condition = regexall("\\[[a-z]+\\] \\(unavailable: [a-z_]+:", fanout.all.aggregate) == ["[health] (unavailable: timeout:", "[mail] (unavailable: timeout:"]
  }
  assert "both have a row" {
    condition = length(events({ type = "route", outcome = "timeout", fanout = "all" })) == 2
  }
}

workflow "chain" {
  step "fanout" "all" {
    mode = "conditional"

    sub "a" { target = workflow.health }
    sub "b" { target = workflow.mail }
    sub "c" { target = workflow.general }
    sub "anyway" {
      target = workflow.general
      run_if = "always"
    }
    sub "after_a_and_b" {
      target     = workflow.general
      depends_on = ["a", "b"]
      run_if     = "completed"
    }
  }
}

scenario "conditional: only a success lets the next one run" {
  run = workflow.chain

  on "all.a.ask" {
    fault "error" { message = "no" }
  }
  on "all.anyway.ask" {
    reply { content = "here" }
  }
  on "all.after_a_and_b.ask" {
    reply { content = "here" }
  }

  assert "skipped, and passed on" {
    condition = [for s in fanout.all.subs : s.status] == ["failed", "skipped", "skipped", "success", "success"]
  }
  assert "why" {
    condition = [for s in fanout.all.subs : s.skipped_reason] == [null, "run_if is \"success\" and a is failed", "run_if is \"success\" and b is skipped", null, null]
  }
  expect "all.b" {
    error = { kind = "validation", mode = "validation_error", message = "unmet dependency: run_if is \"success\" and a is failed" }
  }
}

workflow "strict_chain" {
  step "fanout" "all" {
    mode  = "conditional"
    abort = "on_required_failure"

    sub "a" {
      target   = workflow.health
      required = false
    }
    sub "b" { target = workflow.mail }
    sub "c" {
      target = workflow.general
      run_if = "always"
    }
  }
}

scenario "a required sub that is skipped counts as failed" {
  run = workflow.strict_chain

  on "all.a.ask" {
    fault "error" { message = "no" }
  }

  assert "c is aborted" {
    condition = [for s in fanout.all.subs : s.status] == ["failed", "skipped", "aborted"]
  }
  expect "all.c" { skipped_reason = "sub b is skipped, and abort is \"on_required_failure\"" }
}

workflow "race" {
  step "fanout" "all" {
    join = "first_success"

    sub "a" { target = workflow.health }
    sub "b" { target = workflow.mail }
    sub "c" { target = workflow.general }
    sub "d" {
      target     = workflow.general
      depends_on = ["c"]
    }
  }
}

scenario "first_success: a failure does not end it, a success does" {
  run = workflow.race

  on "all.a.ask" {
    fault "connection_reset" { after = "1s" }
  }
  on "all.b.ask" {
    reply {
      content = "fast"
      latency = "2s"
    }
  }
  on "all.c.ask" {
    reply {
      content = "slow"
      latency = "3s"
    }
  }

  assert "b wins" {
    condition = [for s in fanout.all.subs : s.status] == ["failed", "success", "cancelled", "aborted"]
  }
  expect "run" { elapsed_ms = 2000 }
}

workflow "timed" {
  step "fanout" "all" {
    mode    = "ordered"
    timeout = "5s"

    sub "a" {
      target  = workflow.health
      timeout = "2s"
    }
    sub "b" { target = workflow.mail }
    sub "c" { target = workflow.general }
  }
}

scenario "a sub that runs out of time has ended, and the next one runs" {
  run = workflow.timed

  on "all.a.ask" {
    fault "timeout" {}
  }
  on "all.b.ask" {
    reply { content = "mailed" }
  }
  on "all.c.ask" {
    reply { content = "done" }
  }

  expect "all.a" {
    status   = "timeout"
    ended_ms = 2000
    error    = { kind = "timeout", mode = "timeout" }
  }
  assert "the others ran" {
    condition = [for s in fanout.all.subs : s.status] == ["timeout", "success", "success"]
  }
}

scenario "the timeout of the step cancels what is under way" {
  run = workflow.timed

  on "all.a.ask" {
    reply {
      content = "80 kg"
      latency = "1s"
    }
  }
  on "all.b.ask" {
    fault "timeout" {}
  }

  expect "all" {
    status    = "timeout"
    aggregate = "[health] 80 kg\n\n[mail] (unavailable: cancelled: the step's timeout of 5s passed)\n\n[general] (unavailable: aborted: step timeout)"
  }
  assert "and nothing begins any more" {
    condition = [for s in fanout.all.subs : s.status] == ["success", "cancelled", "aborted"]
  }
  expect "run" { status = "failed" }
}

retry "linear" "again" {
  delay    = "1s"
  retry_on = ["target_unavailable"]
}

workflow "retried" {
  step "fanout" "all" {
    sub "a" {
      target = workflow.health
      retry  = retry.again
    }
  }
}

scenario "a sub is called again, and one value stands alone in the aggregate" {
  run = workflow.retried

  on "all.a.ask" {
    fault "connection_refused" { times = 2 }
    reply { content = "80 kg" }
  }

  expect "all" { aggregate = "80 kg" }
  expect "all.a" {
    status    = "success"
    retries   = 2
    delays_ms = [1000, 1000]
    output    = "80 kg"
    target    = "health"
  }
  assert "the sub has one row" {
    condition = [for e in events({ type = "route" }) : e.elapsed_ns] == [2000000000]
  }
}

scenario "what may not be retried is not, and one failure stands alone" {
  run = workflow.retried

  on "all.a.ask" {
    fault "error" { message = "unknown tool" }
  }

  expect "all" { aggregate = "health was unavailable (validation_error): unknown tool" }
  expect "all.a" { retries = 0 }
}

# Of one group the highest priority appears, then the first by name of the
# target, then by id, whether it succeeded or not.
workflow "grouped" {
  step "fanout" "all" {
    sub "low" {
      target = workflow.health
      group  = "advice"
    }
    sub "z" {
      target   = workflow.mail
      group    = "advice"
      priority = 2
    }
    sub "y" {
      target   = workflow.general
      group    = "advice"
      priority = 2
    }
    sub "x" {
      target   = workflow.general
      group    = "advice"
      priority = 2
    }
    sub "alone" { target = workflow.health }
  }
}

scenario "BT17 the winner of a group" {
  run = workflow.grouped

  on "all.low.ask" {
    reply { content = "low" }
  }
  on "all.z.ask" {
    reply { content = "z" }
  }
  on "all.y.ask" {
    reply { content = "y" }
  }
  on "all.x.ask" {
    fault "error" { message = "too many requests" }
  }
  on "all.alone.ask" {
    reply { content = "alone" }
  }

  expect "all" { aggregate = "[general] (unavailable: overload_rejected: too many requests)\n\n[health] alone" }
  assert "the others ran all the same" {
    condition = [for s in fanout.all.subs : "${s.status} ${s.priority}" if s.group == "advice"] == ["success 0", "success 2", "success 2", "failed 2"]
  }
}

workflow "empty" {
  step "fanout" "all" {}
}

scenario "no subs" {
  run = workflow.empty

  expect "all" {
    aggregate = "No responses were received."
    subs      = []
  }
}

# A declared fanout reads the arguments that it is run with.
fanout "digest" {
  mode = "ordered"

  sub "health" {
    target    = workflow.health
    arguments = { prompt = "weight of ${arguments.who}" }
  }
  sub "mail" {
    target    = workflow.mail
    arguments = { prompt = "mail of ${arguments.who}" }
  }
}

workflow "daily" {
  inputs = { users = ["ann", "bob"] }

  step "loop" "each" {
    while = loop.index < length(input.users)
    step "fanout" "digest" {
      run       = fanout.digest
      arguments = { who = input.users[loop.index] }
    }
  }
}

scenario "a declared fanout, in a loop" {
  run = workflow.daily

  on "each.digest.health.ask" {
    reply { content = "80 kg" }
    reply { content = "90 kg" }
  }
  on "each.digest.mail.ask" {
    reply { content = "none" }
  }

  expect "each.digest" { aggregate = "[health] 90 kg\n\n[mail] none" }
  assert "each was asked for its own" {
    condition = [for e in events({ type = "attempt_start" }) : jsondecode(e.body).messages[0].content] == ["weight of ann", "mail of ann", "weight of bob", "mail of bob"]
  }
  expect "each.digest.mail.ask" { status = "success" }
}

# Subs are written out like any other block.
locals {
  services = ["first", "second", "third"]
}

workflow "generated" {
  inputs = { question = "how?" }

  step "value" "question" { value = "${input.question}!" }
  step "fanout" "all" {
    dynamic "sub" {
      for_each = toset(local.services)
      labels   = [sub.value]
      content {
        target    = workflow.general
        arguments = { prompt = "${sub.value}: ${step.question.output}" }
      }
    }
  }
  step "llm" "answer" {
    provider = provider.any
    prompt   = "Answer from: ${step.all.aggregate} ${coalesce(step.all.second.output, "nothing")}"
  }
}

scenario "subs that are generated, and an answer from the aggregate" {
  run = workflow.generated

  on "*" {
    reply { content = "yes" }
  }

  assert "they were asked what the steps before them say" {
    condition = [for s in [step.all.first, step.all.second, step.all.third] : s.ask.attempts[0].request.json.messages[0].content] == ["first: how?!", "second: how?!", "third: how?!"]
  }
  assert "the aggregate is read" {
    condition = step.answer.attempts[0].request.json.messages[0].content == "Answer from: [general] yes\n\n[general] yes\n\n[general] yes yes"
  }
}

scenario "an override reaches into a sub" {
  run = workflow.timed
  override {
    step "all.a" { timeout = "1s" }
    step "all.b.ask" { timeout = "2s" }
  }

  on "all.a.ask" {
    fault "timeout" {}
  }
  on "all.b.ask" {
    fault "timeout" {}
  }
  on "all.c.ask" {
    reply { content = "done" }
  }

  expect "all.a" {
    status   = "timeout"
    ended_ms = 1000
  }
  expect "all.b.ask" {
    status   = "timeout"
    ended_ms = 3000
  }
  expect "all.b" { status = "failed" }
}
