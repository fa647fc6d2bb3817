package interp

import (
	"testing"
)

// Which steps run, and what is said of those that do not.
func TestGraph(t *testing.T) {
	for _, c := range []struct{ name, src string }{
		{"V58 skipping passes on, and names the failed step", `
workflow "w" {
  provider   = provider.primary
  on_failure = "continue"
  step "llm" "a" { prompt = "x" }
  step "llm" "b" { prompt = step.a.content }
  step "llm" "c" { prompt = step.b.content }
}
scenario "s" {
  run = workflow.w
  on "a" {
    fault "http_error" {}
  }
  expect "run" { status = "failed" }
  expect "b" { skipped_reason = "upstream failure: a" }
  expect "c" {
    status         = "skipped"
    skipped_reason = "upstream failure: a"
    attempts       = null
  }
}`},
		{"of two failed dependencies the first declared is named, whatever failed first", `
workflow "w" {
  provider   = provider.primary
  on_failure = "continue"
  step "llm" "late" { prompt = "x" }
  step "llm" "early" { prompt = "x" }
  step "value" "c" {
    value      = 1
    depends_on = [step.early, step.late]
  }
}
scenario "s" {
  run = workflow.w
  on "late" {
    fault "http_error" { after = "5s" }
  }
  on "early" {
    fault "http_error" {}
  }
  expect "run" { status = "failed" }
  expect "c" { skipped_reason = "upstream failure: late" }
}`},
		{"the closest failed ancestor is named, not the first declared", `
workflow "w" {
  provider   = provider.primary
  on_failure = "continue"
  step "llm" "a" { prompt = "x" }
  step "llm" "m" { prompt = step.a.content }
  step "llm" "near" { prompt = "x" }
  step "value" "c" {
    value      = 1
    depends_on = [step.m, step.near]
  }
}
scenario "s" {
  run = workflow.w
  on "*" {
    fault "http_error" {}
  }
  expect "run" { status = "failed" }
  expect "m" { skipped_reason = "upstream failure: a" }
  expect "c" { skipped_reason = "upstream failure: near" }
}`},
		{"a step skipped by when skips nobody, and reads as null", `
workflow "w" {
  step "value" "a" {
    value = 1
    when  = false
  }
  step "value" "b" { value = step.a.output == null ? "nothing" : "something" }
}
scenario "s" {
  run = workflow.w
  expect "run" {
    status  = "success"
    partial = { completed_steps = ["b"], completion_ratio = 1, hint = "retry_failed" }
  }
  expect "a" { skipped_reason = "when is false" }
  expect "b" { output = "nothing" }
}`},
		{"fail_fast cancels what runs and skips what waits, also behind it", `
workflow "w" {
  provider       = provider.primary
  max_concurrent = 2
  step "llm" "bad" { prompt = "x" }
  step "llm" "slow" { prompt = "x" }
  step "llm" "queued" { prompt = "x" }
  step "llm" "behind" { prompt = step.queued.content }
}
scenario "s" {
  run   = workflow.w
  allow = ["unused_reply"]
  on "bad" {
    fault "http_error" { after = "1s" }
  }
  on "slow" {
    reply {
      content = "late"
      latency = "10s"
    }
  }
  expect "run" {
    status   = "failed"
    ended_ms = 1000
    error    = { step = "bad" }
    partial  = { completed_steps = [], failed_steps = ["bad", "slow"], remaining_steps = ["queued", "behind"], hint = "retry_all" }
  }
  expect "slow" {
    status   = "cancelled"
    ended_ms = 1000
    error    = { kind = "cancelled", mode = null }
  }
  expect "queued" { status = "skipped" }
  expect "behind" { status = "skipped" }
}`},
		{"a deadline of the workflow, too, while steps queue", `
workflow "w" {
  provider       = provider.primary
  max_concurrent = 1
  timeout        = "5s"
  step "llm" "slow" { prompt = "x" }
  step "llm" "queued" { prompt = "x" }
  step "llm" "behind" { prompt = step.queued.content }
}
scenario "s" {
  run   = workflow.w
  on "slow" {
    reply {
      content = "late"
      latency = "10s"
    }
  }
  expect "run" {
    status   = "timeout"
    ended_ms = 5000
    error    = { kind = "timeout", mode = "SYSTEM_TIMEOUT" }
  }
  expect "slow" { status = "cancelled" }
  expect "queued" { status = "skipped" }
  expect "behind" { status = "skipped" }
  assert "one deadline, one event" {
    condition = [for e in events({ type = "timeout" }) : e.layer] == ["workflow"]
  }
}`},
		{"a step that is not required fails for itself alone", `
workflow "w" {
  provider = provider.primary
  step "llm" "extra" {
    prompt   = "x"
    required = false
  }
  step "llm" "main" { prompt = "x" }
}
scenario "s" {
  run = workflow.w
  on "extra" {
    fault "http_error" {}
  }
  on "main" {
    reply {
      content = "done"
      latency = "1s"
    }
  }
  expect "run" {
    status  = "success"
    error   = null
    partial = { completed_steps = ["main"], failed_steps = ["extra"], completion_ratio = 0.5, hint = "resume_from_checkpoint" }
  }
  expect "main" { status = "success" }
}`},
		{"unless a required one cannot run without it", `
workflow "w" {
  provider = provider.primary
  step "llm" "extra" {
    prompt   = "x"
    required = false
  }
  step "llm" "main" { prompt = step.extra.content }
}
scenario "s" {
  run = workflow.w
  on "extra" {
    fault "http_error" {}
  }
  expect "run" {
    status = "failed"
    error  = { step = "extra", status_code = 500 }
  }
}`},
		{"continue with something completed is partial", `
workflow "w" {
  provider   = provider.primary
  on_failure = "continue"
  step "llm" "bad" { prompt = "x" }
  step "llm" "good" { prompt = "x" }
}
scenario "s" {
  run = workflow.w
  on "bad" {
    fault "http_error" {}
  }
  on "good" {
    reply {
      content = "done"
      latency = "9s"
    }
  }
  expect "run" {
    status   = "partial"
    ended_ms = 9000
    error    = { step = "bad", retryable = true }
    partial  = { recoverable = true, data = { good = "done" } }
  }
}`},
		{"a step's own strategy overrides the workflow's", `
workflow "w" {
  provider   = provider.primary
  on_failure = "continue"
  step "llm" "bad" {
    prompt     = "x"
    on_failure = "fail_fast"
  }
  step "llm" "slow" { prompt = "x" }
}
scenario "s" {
  run = workflow.w
  on "bad" {
    fault "http_error" { after = "1s" }
  }
  on "slow" {
    reply {
      content = "late"
      latency = "9s"
    }
  }
  expect "run" { status = "failed" }
  expect "slow" { status = "cancelled" }
}`},
		{"on_failure = retry gives steps without a policy the default one", `
workflow "w" {
  provider   = provider.primary
  on_failure = "retry"
  step "llm" "a" { prompt = "x" }
}
scenario "s" {
  run = workflow.w
  on "a" {
    fault "http_error" {}
  }
  expect "run" { status = "failed" }
  expect "a" {
    retries   = 3
    delays_ms = [1000, 2000, 4000]
  }
}`},
		{"a failed dependency, an optional one and a cancelled one have their own words", `
workflow "w" {
  provider = provider.primary
  step "llm" "bad" { prompt = "x" }
  step "llm" "slow" { prompt = "x" }
  step "llm" "after_bad" { prompt = step.bad.content }
  step "llm" "after_slow" { prompt = step.slow.content }
}
scenario "s" {
  run = workflow.w
  on "bad" {
    fault "http_error" { after = "1s" }
  }
  on "slow" {
    reply {
      content = "late"
      latency = "9s"
    }
  }
  expect "run" { status = "failed" }
  expect "after_bad" { skipped_reason = "upstream failure: bad" }
  expect "after_slow" { status = "skipped" }
}`},
	} {
		t.Run(c.name, func(t *testing.T) { mustPass(t, testWorld+c.src) })
	}
}

// What stands in for a failed step, and what its dependants see of it.
func TestFallback(t *testing.T) {
	for _, c := range []struct{ name, src string }{
		{"y runs in the place of x, reads its error, and dependants read y", `
workflow "w" {
  provider = provider.primary
  step "llm" "x" {
    prompt   = "x"
    fallback = step.y
  }
  step "llm" "y" { prompt = "instead of ${step.x.error.kind}" }
  step "value" "z" { value = step.x.content }
}
scenario "s" {
  run = workflow.w
  on "x" {
    fault "http_error" {}
  }
  on "y" {
    reply { content = "from y" }
  }
  expect "run" {
    status  = "success"
    partial = { completed_steps = ["x", "z"], completion_ratio = 1, data = { x = "from y" } }
  }
  expect "x" {
    status      = "failed"
    replaced_by = "y"
  }
  expect "z" { output = "from y" }
  assert "what it was told" {
    condition = step.y.attempts[0].request.json.messages[0].content == "instead of http_status"
  }
}`},
		{"an unused one is skipped and left out of the count", `
workflow "w" {
  provider = provider.primary
  step "llm" "x" {
    prompt   = "x"
    fallback = step.y
  }
  step "llm" "y" { prompt = "y" }
}
scenario "s" {
  run = workflow.w
  on "x" {
    reply { content = "fine" }
  }
  expect "run" {
    status  = "success"
    partial = { completed_steps = ["x"], skipped_steps = [], completion_ratio = 1 }
  }
  expect "y" { skipped_reason = "fallback not needed" }
}`},
		{"a step that depends on an unused one runs", `
workflow "w" {
  provider = provider.primary
  step "llm" "x" {
    prompt   = "x"
    fallback = step.y
  }
  step "llm" "y" { prompt = "y" }
  step "value" "z" { value = coalesce(step.y.content, step.x.content) }
}
scenario "s" {
  run = workflow.w
  on "x" {
    reply { content = "fine" }
  }
  expect "z" { output = "fine" }
}`},
		{"a failure that is not retryable gets none", `
workflow "w" {
  provider = provider.primary
  step "llm" "x" {
    prompt   = "x"
    fallback = step.y
  }
  step "llm" "y" { prompt = "y" }
}
scenario "s" {
  run = workflow.w
  on "x" {
    fault "http_error" { status_code = 400 }
  }
  expect "run" { status = "failed" }
  expect "x" { replaced_by = null }
  expect "y" { skipped_reason = "fallback not needed" }
}`},
		{"unless fallback_on = any", `
workflow "w" {
  provider = provider.primary
  step "llm" "x" {
    prompt      = "x"
    fallback    = step.y
    fallback_on = "any"
  }
  step "llm" "y" { prompt = "y" }
}
scenario "s" {
  run = workflow.w
  on "x" {
    fault "http_error" { status_code = 400 }
  }
  on "y" {
    reply { content = "from y" }
  }
  expect "run" { status = "success" }
}`},
		{"a chain goes on to its end, whose step reads the first error", `
workflow "w" {
  provider = provider.primary
  step "llm" "x" {
    prompt   = "x"
    fallback = step.y
  }
  step "llm" "y" {
    prompt   = "y"
    fallback = step.z
  }
  step "llm" "z" { prompt = "after ${step.x.error.status_code} and ${step.y.error.status_code}" }
  step "value" "end" { value = step.x.content }
}
scenario "s" {
  run = workflow.w
  on "x" {
    fault "http_error" { status_code = 502 }
  }
  on "y" {
    fault "http_error" { status_code = 503 }
  }
  on "z" {
    reply { content = "from z" }
  }
  expect "run" {
    status  = "success"
    partial = { completed_steps = ["x", "end"] }
  }
  expect "end" { output = "from z" }
  assert "what it was told" {
    condition = step.z.attempts[0].request.json.messages[0].content == "after 502 and 503"
  }
}`},
		{"a chain that fails fails with the first error", `
workflow "w" {
  provider = provider.primary
  step "llm" "x" {
    prompt   = "x"
    fallback = step.y
  }
  step "llm" "y" { prompt = "y" }
  step "value" "z" { value = step.x.content }
}
scenario "s" {
  run = workflow.w
  on "x" {
    fault "http_error" { status_code = 502 }
  }
  on "y" {
    fault "http_error" { status_code = 503 }
  }
  expect "run" {
    status = "failed"
    error  = { step = "x", status_code = 502 }
  }
  expect "z" { skipped_reason = "upstream failure: x" }
}`},
		{"it waits for what it depends on", `
workflow "w" {
  provider = provider.primary
  step "llm" "x" {
    prompt   = "x"
    fallback = step.y
  }
  step "wait" "slow" { for = "5s" }
  step "llm" "y" {
    prompt     = "y"
    depends_on = [step.slow]
  }
}
scenario "s" {
  run = workflow.w
  on "x" {
    fault "http_error" {}
  }
  on "y" {
    reply { content = "from y" }
  }
  expect "run" { status = "success" }
  expect "y" { started_ms = 5000 }
}`},
		{"one whose own condition is false replaces nothing", `
workflow "w" {
  provider = provider.primary
  step "llm" "x" {
    prompt   = "x"
    fallback = step.y
  }
  step "llm" "y" {
    prompt = "y"
    when   = step.x.error.status_code == 429
  }
}
scenario "s" {
  run = workflow.w
  on "x" {
    fault "http_error" {}
  }
  expect "run" { status = "failed" }
  expect "y" { skipped_reason = "when is false" }
}`},
		{"a step's own strategy of another value switches it off", `
workflow "w" {
  provider = provider.primary
  step "llm" "x" {
    prompt     = "x"
    fallback   = step.y
    on_failure = "fail_fast"
  }
  step "llm" "y" { prompt = "y" }
}
scenario "s" {
  run = workflow.w
  on "x" {
    fault "http_error" {}
  }
  expect "run" { status = "failed" }
  expect "y" { status = "skipped" }
}`},
		{"it is not begun once the run has stopped", `
workflow "w" {
  provider       = provider.primary
  max_concurrent = 1
  step "llm" "x" {
    prompt   = "x"
    fallback = step.y
  }
  step "llm" "bad" { prompt = "x" }
  step "llm" "y" { prompt = "y" }
}
scenario "s" {
  run = workflow.w
  on "*" {
    fault "http_error" { status_code = 400 }
  }
  on "x" {
    fault "http_error" {}
  }
  expect "run" { status = "failed" }
  expect "y" { status = "skipped" }
}`},
	} {
		t.Run(c.name, func(t *testing.T) { mustPass(t, testWorld+c.src) })
	}
}
