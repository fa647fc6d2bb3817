package explore

// A planted world has a bug, and a twin in which it is mended.
type plantedWorld struct {
	name, text string
	// mended are pairs of what is replaced and by what.
	mended []string
	// find is what has to be found first, and k how many faults that takes; event says
	// that one of them is an event.
	find  string
	k     int
	event bool
}

var planted = []plantedWorld{
	{
		name: "the server's wait is ignored",
		text: `
retry "linear" "hasty" {
  delay               = "1s"
  max_retries         = 2
  respect_retry_after = false
}
workflow "w" {
  step "llm" "ask" {
    provider = provider.model
    prompt   = "why?"
    retry    = retry.hasty
  }
}`,
		mended: []string{"respect_retry_after = false", "respect_retry_after = true"},
		find:   "a retry waits at least as long as the server asked", k: 1,
	},
	{
		name: "a charge is sent twice",
		text: `
workflow "w" {
  provider = provider.billing
  step "http" "charge" {
    method     = "POST"
    path       = "/charge"
    idempotent = true
    retry      = retry.thrice
  }
}
invariant "an order is charged once" {
  condition = length([for a in step.charge.attempts : a if try(a.error.cause != "refused" && a.error.cause != "dns" && a.error.cause != "tls" && a.error.status_code != 429 && a.error.status_code != 503, true)]) <= 1
}
scenario "s" {
  run = workflow.w
  on "charge" {
    reply { json = { ok = true } }
  }
  expect "charge" { status = "success" }
}`,
		mended: []string{"idempotent = true", "idempotent = false"},
		find:   "an order is charged once", k: 1,
	},
	{
		name: "success without an answer",
		text: `
workflow "w" {
  on_failure = "continue"
  output     = step.ask.content
  step "llm" "ask" {
    provider = provider.model
    prompt   = "why?"
    required = false
  }
}
invariant "who says success has an answer" {
  condition = run.status != "success" || run.output != null
}`,
		mended: []string{"required = false", "required = true"},
		find:   "who says success has an answer", k: 1,
	},
	{
		name: "a call may wait for ever",
		text: `
provider "http" "slow" { base_url = "http://slow" }
workflow "w" {
  step "http" "ask" {
    provider = provider.slow
    path     = "/"
  }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    reply { body = "so" }
  }
  expect "ask" { status = "success" }
}`,
		mended: []string{`{ base_url = "http://slow" }`, "{\n  base_url = \"http://slow\"\n  timeout  = \"3s\"\n}"},
		find:   "deadlock", k: 1,
	},
	{
		name: "an answer that says there is nothing is read all the same",
		text: `
workflow "w" {
  provider = provider.billing
  step "http" "invoice" {
    path          = "/invoice"
    expect_status = [200, 404]
  }
  step "value" "id" { value = step.invoice.json.id }
}
scenario "s" {
  run = workflow.w
  on "invoice" {
    reply { json = { id = 7 } }
  }
  expect "id" { output = 7 }
}`,
		mended: []string{"step.invoice.json.id", "try(step.invoice.json.id, null)"},
		find:   "broken_expression", k: 1,
	},
	{
		name: "a release that fails, too, is told as success",
		text: `
workflow "w" {
  provider   = provider.billing
  on_failure = "continue"
  step "http" "reserve" {
    method = "POST"
    path   = "/reserve"
  }
  step "http" "pay" {
    method      = "POST"
    path        = "/pay"
    depends_on  = [step.reserve]
    required    = false
    fallback    = step.release
    fallback_on = "any"
  }
  step "http" "release" {
    method = "DELETE"
    path   = "/release"
  }
}
invariant "who says success has paid or released" {
  condition = run.ended_ms == null || run.status != "success" || step.pay.status == "success" || step.release.status == "success"
}
scenario "s" {
  run = workflow.w
  on "reserve" {
    reply { json = { id = 1 } }
  }
  on "pay" {
    reply { json = { paid = true } }
  }
  on "release" {
    reply {
      json     = { released = true }
      optional = true
    }
  }
  expect "pay" { status = "success" }
}`,
		mended: []string{"required    = false", "required    = true"},
		find:   "who says success has paid or released", k: 2,
	},
	{
		name: "one refused connection ends the run, which is to survive one",
		text: `
workflow "w" {
  provider = provider.billing
  tolerates {
    kinds = ["connection", "503"]
  }
  step "http" "ask" { path = "/" }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    reply { body = "so" }
  }
  expect "ask" { status = "success" }
}`,
		mended: []string{`step "http" "ask" { path = "/" }`, "step \"http\" \"ask\" {\n    path  = \"/\"\n    retry = retry.thrice\n  }"},
		find:   "one fault: connection, 503", k: 1,
	},
	{
		name: "what is reserved is paid although the reservation has run out", // a good answer comes late
		text: `
workflow "w" {
  provider = provider.billing
  step "http" "reserve" {
    method = "POST"
    path   = "/reservations"
  }
  step "http" "pay" {
    method     = "POST"
    path       = "/payments"
    depends_on = [step.reserve]
  }
}
invariant "who pays does so within five seconds" {
  condition = step.pay.status != "success" || step.pay.ended_ms - step.reserve.ended_ms <= 5000
}
scenario "s" {
  run = workflow.w
  on "reserve" {
    reply { json = { id = 1 } }
  }
  on "pay" {
    reply { json = { paid = true } }
  }
  expect "pay" { status = "success" }
}`,
		mended: []string{"depends_on = [step.reserve]", "depends_on = [step.reserve]\n    timeout    = \"5s\""},
		find:   "who pays does so within five seconds", k: 1,
	},
	{
		name: "an order is given up only when a service is down for a while", // no two faults end it
		text: `
workflow "w" {
  on_failure = "continue"
  output     = try(step.ask.content, "no answer")
  step "llm" "ask" {
    provider = provider.model
    prompt   = "why?"
    retry    = retry.thrice
    required = false
  }
}
invariant "who asked three times in vain does not say success" {
  condition = run.status != "success" || step.ask.status == "success" || length(step.ask.attempts) < 3
}`,
		mended: []string{"required = false", "required = true"},
		find:   "who asked three times in vain does not say success", k: 1,
	},
	{
		name: "two targets fail one after the other",
		text: `
gateway "both" {
  target "first" { provider = provider.model }
  target "second" { provider = provider.model }
}
workflow "w" {
  on_failure = "continue"
  output     = try(step.ask.content, "no answer")
  step "llm" "ask" {
    gateway  = gateway.both
    prompt   = "why?"
    required = false
  }
}
invariant "who says success asked a target that works" {
  condition = run.status != "success" || step.ask.status != "failed" || length(step.ask.attempts) < 2
}`,
		mended: []string{"required = false", "required = true"},
		find:   "who says success asked a target that works", k: 2,
	},
	{
		name: "an answer that never came is asked for again after the promised time",
		text: `
workflow "w" {
  provider = provider.billing
  step "http" "a" {
    path  = "/a"
    retry = retry.thrice
  }
}
invariant "it answers within fifteen seconds" {
  condition = run.elapsed_ms == null || run.elapsed_ms <= 15000
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply { json = {} }
  }
  expect "a" { status = "success" }
}`,
		mended: []string{`path  = "/a"
`, `path    = "/a"
    timeout = "15s"
`},
		find: "it answers within fifteen seconds", k: 1,
	},
	{
		name: "a quote is taken from elsewhere, and the booking has no second try",
		text: `
workflow "w" {
  provider = provider.billing
  tolerates { kinds = ["503", "connection"] }
  step "http" "quote" {
    path     = "/quote"
    fallback = step.cached
  }
  step "http" "cached" {
    provider = provider.mail
    path     = "/cached"
  }
  step "http" "book" {
    path       = "/book"
    method     = "POST"
    depends_on = [step.quote]
  }
}
scenario "s" {
  run = workflow.w
  on "quote" {
    reply { json = { price = 1 } }
  }
  on "cached" {
    reply {
      json     = { price = 2 }
      optional = true
    }
  }
  on "book" {
    reply { json = { ok = true } }
  }
  expect "run" { status = "success" }
}`,
		mended: []string{`path       = "/book"
`, `path       = "/book"
    idempotent = true
    retry      = retry.thrice
`},
		find: "one fault: 503, connection", k: 1,
	},
	{
		name: "whoever polls gives up without a word",
		text: `
workflow "w" {
  provider = provider.billing
  step "http" "start" {
    path   = "/jobs"
    method = "POST"
  }
  step "loop" "poll" {
    depends_on = [step.start]
    while      = loop.index < 5 && try(step.check.json.done, false) != true
    step "http" "check" {
      path     = "/jobs/1"
      required = false
    }
  }
}
invariant "who says success has seen it done" {
  condition = run.status != "success" || try(step.poll.check.json.done, false) == true
}
scenario "s" {
  run = workflow.w
  on "start" {
    reply { json = { id = 1 } }
  }
  on "poll.check" {
    reply { json = { done = false } }
    reply { json = { done = true } }
  }
  expect "run" { status = "success" }
}`,
		mended: []string{`      required = false
`, `      validate "done" { condition = loop.index == 0 || try(self.json.done, false) == true }
`},
		find: "who says success has seen it done", k: 1,
	},
	{
		name: "every step has its retry, and the run has none to spare",
		text: `
retry "linear" "once" {
  delay       = "1s"
  max_retries = 1
}
workflow "w" {
  provider = provider.billing
  step "http" "rates" {
    path  = "/rates"
    retry = retry.once
  }
  step "http" "offers" {
    path       = "/offers"
    depends_on = [step.rates]
    retry      = retry.once
  }
}
invariant "a run makes at most three requests" {
  condition = length(step.rates.attempts) + length(step.offers.attempts) <= 3
}
scenario "s" {
  run = workflow.w
  on "rates" {
    reply { json = {} }
  }
  on "offers" {
    reply { json = {} }
  }
  expect "run" { status = "success" }
}`,
		mended: []string{"depends_on = [step.rates]\n    retry      = retry.once", "depends_on = [step.rates]"},
		find:   "a run makes at most three requests", k: 2,
	},
	{
		name: "two attempts that hear nothing make a hold run out",
		text: `
workflow "w" {
  provider = provider.billing
  timeout  = "60s"
  step "http" "reserve" {
    path       = "/reserve"
    method     = "POST"
    idempotent = true
    retry      = retry.thrice
  }
  step "http" "confirm" {
    path       = "/confirm"
    method     = "POST"
    depends_on = [step.reserve]
    idempotent = true
    retry      = retry.thrice
  }
}
invariant "a hold is confirmed within fifteen seconds" {
  condition = step.confirm.status != "success" || step.confirm.ended_ms <= 15000
}
scenario "s" {
  run = workflow.w
  on "reserve" {
    reply { json = {} }
  }
  on "confirm" {
    reply { json = {} }
  }
  expect "confirm" { status = "success" }
}`,
		mended: []string{`timeout  = "60s"`, `timeout  = "15s"`},
		find:   "a hold is confirmed within fifteen seconds", k: 2,
	},
	{
		name: "a statement that may have been carried out is sent again",
		text: `
provider "sql" "ledger" {
  base_url = "postgres://app@db.test:5432/shop"
  timeout  = "5s"
}
workflow "w" {
  step "sql" "insert" {
    provider   = provider.ledger
    query      = "insert into orders (id) values ($1)"
    args       = ["o-1"]
    idempotent = true
    retry      = retry.thrice
  }
}
invariant "an order is written once" {
  condition = length([for a in step.insert.attempts : a if a.outcome == "success" || try(a.error.kind, "") == "db_timeout"]) <= 1
}
scenario "s" {
  run = workflow.w
  on "insert" {
    reply { affected = 1 }
  }
  expect "insert" { status = "success" }
}`,
		mended: []string{`idempotent = true`, `idempotent = false`},
		find:   "an order is written once", k: 1,
	},
	{
		name: "what stands in for a tool hides that it failed",
		text: `
provider "mcp" "tools" {
  base_url = "http://tools.test/mcp"
  timeout  = "5s"
}
workflow "w" {
  step "mcp" "delete" {
    provider    = provider.tools
    tool        = "delete_user"
    arguments   = { id = 7 }
    fallback    = step.note
    fallback_on = "any"
  }
  step "value" "note" { value = "deleted" }
}
invariant "who says success has deleted" {
  condition = run.status != "success" || step.delete.status == "success"
}
scenario "s" {
  run = workflow.w
  on "delete" {
    reply { content = "deleted" }
  }
  expect "delete" { status = "success" }
}`,
		mended: []string{"    fallback    = step.note\n    fallback_on = \"any\"\n", "", "  step \"value\" \"note\" { value = \"deleted\" }\n", ""},
		find:   "who says success has deleted", k: 1,
	},
	{
		name: "an actor cannot be reached, and neither can whoever stands in for it",
		text: `
actor "desk" {
  handler "note" { takes = "2s" }
}
workflow "w" {
  on_failure = "continue"
  step "call" "tell" {
    target   = actor.desk.note
    timeout  = "10s"
    required = false
    fallback = step.post
    fallback_on = "any"
  }
  step "http" "post" {
    provider = provider.mail
    path     = "/post"
    method   = "POST"
    required = false
  }
}
invariant "who says success has told somebody" {
  condition = run.status != "success" || step.tell.status == "success" || step.post.status == "success"
}
scenario "s" {
  run = workflow.w
  on "post" {
    reply {
      json     = {}
      optional = true
    }
  }
  expect "tell" { status = "success" }
}`,
		mended: []string{`    timeout  = "10s"
    required = false
`, `    timeout  = "10s"
`},
		find: "who says success has told somebody", k: 2,
	},
	{
		name: "a session that hears nothing keeps its lock",
		text: `
provider "http" "slow" { base_url = "http://slow.test" }
lock "one" {}
actor "a" {
  handler "work" {
    lock     = ["one"]
    workflow = workflow.inner
  }
}
workflow "inner" {
  provider = provider.slow
  step "http" "q" { path = "/" }
}
scenario "s" {
  call "first" { target = actor.a.work }
  call "second" {
    target = actor.a.work
    at     = "1s"
  }
  on "actor.a.work.q" {
    reply { json = {} }
    reply { json = {} }
  }
  expect "first" { status = "success" }
  expect "second" { status = "success" }
}`,
		mended: []string{
			`provider "http" "slow" { base_url = "http://slow.test" }`, "provider \"http\" \"slow\" {\n  base_url = \"http://slow.test\"\n  timeout  = \"10s\"\n}",
			`lock "one" {}`, `lock "one" { acquire_timeout = "20s" }`,
			`lock     = ["one"]`, "lock     = [\"one\"]\n    timeout  = \"30s\"",
		},
		find: "deadlock", k: 1,
	},
	{
		name: "two calls take two locks in different orders, and meet where one is slow",
		text: `
lock "order" { acquire_timeout = "20s" }
lock "stock" { acquire_timeout = "20s" }
actor "shop" {
  handler "order" {
    lock     = ["order"]
    workflow = workflow.ordering
  }
  handler "count" {
    lock     = ["stock"]
    workflow = workflow.counting
  }
}
actor "desk" {
  handler "take" {
    lock  = ["stock"]
    takes = "1s"
  }
  handler "shut" { lock = ["order"] }
}
workflow "ordering" {
  provider = provider.billing
  step "http" "price" { path = "/price" }
  step "call" "take" {
    target     = actor.desk.take
    depends_on = [step.price]
  }
}
workflow "counting" {
  step "call" "shut" { target = actor.desk.shut }
}
scenario "s" {
  call "buyer" {
    target  = actor.shop.order
    timeout = "40s"
  }
  call "clerk" {
    target  = actor.shop.count
    at      = "5s"
    timeout = "40s"
  }
  on "actor.shop.order.price" {
    reply { json = {} }
  }
  expect "buyer" { status = "success" }
  expect "clerk" { status = "success" }
}`,
		mended: []string{
			`lock     = ["stock"]
    workflow = workflow.counting`, `lock     = ["order", "stock"]
    workflow = workflow.counting`,
			`step "call" "shut" { target = actor.desk.shut }`, `step "wait" "shut" { for = "1s" }`,
		},
		find: "no calls wait for each other in a circle", k: 1,
	},
	{
		name: "an actor dies while it tries again, and what it did stays done",
		text: `
actor "desk" {
  handler "answer" {
    workflow = workflow.inner
  }
}
retry "linear" "patient" {
  delay           = "1s"
  max_retries     = 2
  max_retry_after = "20s"
}
workflow "inner" {
  provider   = provider.mail
  on_failure = "continue"
  step "http" "send" {
    path   = "/send"
    method = "POST"
  }
  step "http" "note" {
    path       = "/note"
    depends_on = [step.send]
    retry      = retry.patient
    required   = false
  }
}
workflow "w" {
  step "call" "ask" {
    target     = actor.desk.answer
    timeout    = "90s"
    retry      = retry.thrice
    idempotent = true
  }
}
invariant "who says that it failed has sent nothing" {
  condition = run.status == null || run.status == "success" || length(events({ type = "attempt_end", step = "actor.desk.answer.send", outcome = "success" })) == 0
}
scenario "s" {
  run = workflow.w
  on "actor.desk.answer.send" {
    reply { json = {} }
    reply {
      json     = {}
      optional = true
    }
  }
  on "actor.desk.answer.note" {
    reply { json = {} }
    reply {
      json     = {}
      optional = true
    }
  }
  expect "ask" { status = "success" }
}`,
		mended: []string{
			`idempotent = true`, "idempotent = true\n    fallback = step.look\n    fallback_on = \"any\"",
			`workflow "w" {`, "workflow \"w\" {\n  step \"value\" \"look\" { value = \"somebody looks what came of it\" }",
		},
		find: "who says that it failed has sent nothing", k: 2, event: true,
	},
}
