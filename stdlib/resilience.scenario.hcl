# What a program that copes with failures never does, whatever it meets. An import
# of this file holds every scenario of the importing one to it. A condition here
# reads events and steps of any name, so that it fits every workflow; run.ended_ms
# is null until the run ends, so that each is checked once, over all of the run.
# What is compared with the empty list are the offenders, so that the
# difference names them.

invariant "a retry waits at least as long as the server asked" {
  condition = run.ended_ms == null || flatten([
    for s in steps : [
      for i, a in s.attempts :
      "step ${s.name}: attempt ${a.n} at ${a.at_ms} ms, where the one before ended at ${s.attempts[i - 1].ended_ms} ms with a Retry-After of ${s.attempts[i - 1].retry_after_ms} ms"
      if i > 0 && try(
        a.round > s.attempts[i - 1].round
        && !anytrue([for r in s.rejections : r.round == s.attempts[i - 1].round])
        && a.at_ms < s.attempts[i - 1].ended_ms + s.attempts[i - 1].retry_after_ms,
        false
      )
    ]
    if s.attempts != null
  ]) == []
}

# Both operands of && and || are always evaluated, and what a loop leaves out by its if
# never is, so what is dear stands inside of what is cheap to rule out.

# A loop, or a retry of the workflow around a step, asks the same again in a new pass of
# the step. Two sessions of an actor are no passes of one another.
invariant "a repeated pass waits at least as long as the server asked" {
  condition = run.ended_ms == null || flatten([
    for starts in [{ for e in events({ type = "attempt_start" }) : "${lookup(e, "call", "")} ${lookup(e, "step", "")}" => e... }] : [
      for passes in [flatten([for key, list in starts : [
        for i, e in list : { key = key, i = i }
        if i > 0 && try(
          substr(e.step, 0, 6) != "actor."
          && (lookup(e, "iteration", 0) != lookup(list[i - 1], "iteration", 0) || e.attempt <= list[i - 1].attempt),
          false
        )
        ]])] : [
        for ends in [{ for e in events({ type = "attempt_end" }) : "${lookup(e, "call", "")} ${lookup(e, "step", "")}" => e... }] : [
          for turned in [[for r in events({ type = "rejection" }) : "${lookup(r, "call", "")} ${lookup(r, "step", "")} ${lookup(r, "iteration", 0)} ${lookup(r, "round", 0)}"]] : [
            for p in passes : [
              for e in [starts[p.key][p.i]] : [
                for before in [starts[p.key][p.i - 1]] :
                "step ${e.step}: asked the same again at ${e.at_ms} ms, where the attempt before ended at ${ends[p.key][p.i - 1].at_ms} ms with a Retry-After of ${ends[p.key][p.i - 1].retry_after_ns / 1000000} ms"
                if try(
                  ends[p.key][p.i - 1].seq < e.seq
                  && [for name in ["method", "url", "tool", "statement", "body", "headers"] : lookup(e, name, null)] == [for name in ["method", "url", "tool", "statement", "body", "headers"] : lookup(before, name, null)]
                  && !contains(turned, "${p.key} ${lookup(before, "iteration", 0)} ${lookup(before, "round", 0)}")
                  && e.at_ns < ends[p.key][p.i - 1].at_ns + ends[p.key][p.i - 1].retry_after_ns,
                  false
                )
              ]
            ]
          ]
        ]
      ]
      if length(passes) > 0
    ]
  ]) == []
}

# A gateway may still go to its next target in the same round.
invariant "a terminal failure is not retried" {
  condition = run.ended_ms == null || flatten([
    for s in steps : [
      for i, a in s.attempts :
      "step ${s.name}: attempt ${a.n} at ${a.at_ms} ms, after the terminal failure ${s.attempts[i - 1].error.mode}"
      if i > 0 && try(
        a.round > s.attempts[i - 1].round
        && !anytrue([for r in s.rejections : r.round == s.attempts[i - 1].round])
        && s.attempts[i - 1].error.terminal,
        false
      )
    ]
    if s.attempts != null
  ]) == []
}

invariant "a terminal failure is not repeated in a new pass" {
  condition = run.ended_ms == null || flatten([
    for starts in [{ for e in events({ type = "attempt_start" }) : "${lookup(e, "call", "")} ${lookup(e, "step", "")}" => e... }] : [
      for passes in [flatten([for key, list in starts : [
        for i, e in list : { key = key, i = i }
        if i > 0 && try(
          substr(e.step, 0, 6) != "actor."
          && (lookup(e, "iteration", 0) != lookup(list[i - 1], "iteration", 0) || e.attempt <= list[i - 1].attempt),
          false
        )
        ]])] : [
        for ends in [{ for e in events({ type = "attempt_end" }) : "${lookup(e, "call", "")} ${lookup(e, "step", "")}" => e... }] : [
          for turned in [[for r in events({ type = "rejection" }) : "${lookup(r, "call", "")} ${lookup(r, "step", "")} ${lookup(r, "iteration", 0)} ${lookup(r, "round", 0)}"]] : [
            for p in passes : [
              for e in [starts[p.key][p.i]] : [
                for before in [starts[p.key][p.i - 1]] :
                "step ${e.step}: asked the same again at ${e.at_ms} ms, after the terminal failure ${ends[p.key][p.i - 1].mode}"
                if try(
                  ends[p.key][p.i - 1].seq < e.seq
                  && [for name in ["method", "url", "tool", "statement", "body", "headers"] : lookup(e, name, null)] == [for name in ["method", "url", "tool", "statement", "body", "headers"] : lookup(before, name, null)]
                  && !contains(turned, "${p.key} ${lookup(before, "iteration", 0)} ${lookup(before, "round", 0)}")
                  && ends[p.key][p.i - 1].terminal,
                  false
                )
              ]
            ]
          ]
        ]
      ]
      if length(passes) > 0
    ]
  ]) == []
}

invariant "an answer that was cut is no success" {
  condition = run.ended_ms == null || flatten([
    for s in steps : [for a in s.attempts : "step ${s.name}: attempt ${a.n} at ${a.at_ms} ms" if a.outcome == "success" && !a.response.complete]
    if s.attempts != null
  ]) == []
}

invariant "a deadline ends what it is for, at its instant" {
  condition = run.ended_ms == null || flatten([
    for ends in [{ attempt = events({ type = "attempt_end" }), step = events({ type = "step_end" }), workflow = events({ type = "run_end" }) }] : [
      for t in events({ type = "timeout" }) : "${t.layer} timeout at ${t.at_ms} ms, step ${coalesce(lookup(t, "step", ""), "-")}"
      if !try([
        for e in [for e in ends[t.layer] : e if e.seq > t.seq] : e.at_ns == t.at_ns
        if lookup(e, "step", "") == lookup(t, "step", "")
      ][0], true)
    ]
  ]) == []
}

# The state after the last change before the dial decides.
invariant "an open breaker keeps calls from its target" {
  condition = run.ended_ms == null || flatten([
    for changes in [events({ type = "breaker" })] : [
      for a in events({ type = "attempt_start" }) : "target ${a.target}: dialled at ${a.at_ms} ms by step ${a.step}"
      if try(reverse([for b in changes : b.to if b.target == a.target && b.seq < a.seq])[0] == "open", false)
    ]
  ]) == []
}

# Calls of the scenario may go on when the workflow has ended, and sessions of theirs
# that have a workflow of their own.
invariant "every attempt that began has ended when the run has" {
  condition = (
    run.ended_ms == null
    || length(events({ type = "run_start" })) > length(events({ type = "run_end" }))
    || length(events({ type = "attempt_start" })) == length(events({ type = "attempt_end" }))
  )
}

# None of its calls goes on before a deadline or an event ends one of the others: the
# wait that closes it says who waits for what.
invariant "no calls wait for each other in a circle" {
  condition = run.ended_ms == null || flatten([
    for waits in [concat(events({ type = "lock_wait" }), events({ type = "pool" }))] : [
      for w in waits : "at ${w.at_ms} ms ${join(", ", w.circle)}" if lookup(w, "circle", null) != null
    ]
  ]) == []
}

# Nobody would give it back. What is forwarded ends within the call that forwards it.
invariant "a call that has ended holds no lock and no connection" {
  condition = run.ended_ms == null || flatten([
    for pools in [events({ type = "pool" })] : [
      for taken in [{
        for e in concat(events({ type = "lock" }), [for p in pools : p if p.action == "acquire"]) :
        "${lookup(e, "call", "")} ${lookup(e, "step", "")} ${lookup(e, "iteration", 0)}" => e.seq...
        }] : [
        for given in [{
          for e in concat(events({ type = "unlock" }), [for p in pools : p if p.action == "release"]) :
          "${lookup(e, "call", "")} ${lookup(e, "step", "")} ${lookup(e, "iteration", 0)}" => e.seq...
          }] : [
          for r in events({ type = "route" }) : "${lookup(r, "call", lookup(r, "step", ""))} ended at ${r.at_ms} ms"
          if !lookup(r, "forwarded", false) && length([for seq in lookup(taken, "${lookup(r, "call", "")} ${lookup(r, "step", "")} ${lookup(r, "iteration", 0)}", []) : seq if seq < r.seq]) != length([for seq in lookup(given, "${lookup(r, "call", "")} ${lookup(r, "step", "")} ${lookup(r, "iteration", 0)}", []) : seq if seq < r.seq])
        ]
      ]
    ]
  ]) == []
}

# What follows is about programs under test: about what their requests show. Times
# are real there, so that each has some room.

# A tenth of the wait, and 50 ms, is what two clocks may differ by. A new
# Idempotency-Key begins a new call but does not end the wait, so what is asked
# again in the same words counts as well.
invariant "a program asks again no sooner than the answer allows" {
  condition = run.ended_ms == null || distinct(flatten([
    for e in endpoints : [
      for l in e.lanes : [
        for list in concat([for c in l.calls : c.attempts], values({ for a in l.attempts : try("${a.request.method} ${a.request.url} ${coalesce(a.request.body, "-")}", "") => a... if try(a.request.method, null) != null })) : [
          for i, a in list :
          "endpoint ${e.name}: attempt ${a.n} came ${max(0, a.started_at_ms - list[i - 1].ended_at_ms)} ms after an answer with a Retry-After of ${list[i - 1].retry_after_ms} ms"
          if i > 0 && try(
            list[i - 1].outcome != "success" && a.started_at_ms >= list[i - 1].ended_at_ms - 50
            && a.started_at_ms - list[i - 1].ended_at_ms < list[i - 1].retry_after_ms * 0.9 - 50,
            false
          )
        ]
      ]
    ]
  ])) == []
}

# As many requests after successes are a program's work, and not its impatience.
invariant "a program asks for one thing at most ten times a second" {
  condition = run.ended_ms == null || distinct(flatten([
    for e in endpoints : [
      for l in e.lanes : [
        for list in concat([for c in l.calls : c.attempts], values({ for a in l.attempts : try("${a.request.method} ${a.request.url} ${coalesce(a.request.body, "-")}", "") => a... if try(a.request.method, null) != null })) : [
          for i, a in list : "endpoint ${e.name}: attempt ${a.n} asks for the same as ten others within ${a.started_at_ms - list[i - 10].started_at_ms} ms"
          if i >= 10 && try(
            a.started_at_ms - list[i - 10].started_at_ms < 1000
            && alltrue([for back in range(1, 11) : list[i - back].outcome != "success"]),
            false
          )
        ]
      ]
    ]
  ])) == []
}

# Of a request whose answer broke off nobody knows what it did, nor after an error of
# a gateway. One that found no connection did nothing.
invariant "a program repeats what may have had an effect under a key" {
  condition = run.ended_ms == null || flatten([
    for e in endpoints : [
      for c in e.calls : [
        for i, a in c.attempts : "endpoint ${e.name}: attempt ${a.n} repeats a ${a.request.method} without an Idempotency-Key, after ${coalesce(c.attempts[i - 1].fault, c.attempts[i - 1].status_code)}"
        if i > 0 && try(
          contains(["POST", "PATCH"], a.request.method) && a.idempotency_key == null
          && !contains(["refused", "dns", "tls"], try(c.attempts[i - 1].error.cause, ""))
          && (c.attempts[i - 1].status_code == null || contains([500, 502, 504], c.attempts[i - 1].status_code) || c.attempts[i - 1].status_code < 300),
          false
        )
      ]
    ]
    if e.kind == "http"
  ]) == []
}

# A service that knows the first key takes the second for another order.
invariant "a program does not repeat what may have had an effect under a new key" {
  condition = run.ended_ms == null || flatten([
    for e in endpoints : [
      for l in e.lanes : [
        for asked, list in { for a in l.attempts : try("${a.request.method} ${a.request.url} ${coalesce(a.request.body, "-")}", "") => a... if try(contains(["POST", "PATCH"], a.request.method), false) } : [
          for i, a in list :
          "endpoint ${e.name}: attempt ${a.n} repeats the ${a.request.method} of attempt ${list[i - 1].n} under another Idempotency-Key, after ${coalesce(list[i - 1].fault, list[i - 1].status_code)}"
          if i > 0 && try(
            list[i - 1].idempotency_key != null && list[i - 1].idempotency_key != a.idempotency_key
            && list[i - 1].outcome != "success" && a.started_at_ms >= list[i - 1].ended_at_ms - 50
            && !contains(["refused", "dns", "tls"], try(list[i - 1].error.cause, ""))
            && (list[i - 1].status_code == null || contains([500, 502, 504], list[i - 1].status_code) || list[i - 1].status_code < 300),
            false
          )
        ]
      ]
    ]
    if e.kind == "http"
  ]) == []
}

# What it quotes as a whole string of its next request, it has taken for whole.
invariant "a program builds nothing on an answer that was cut" {
  condition = run.ended_ms == null || flatten([
    for e in endpoints : [
      for l in e.lanes : [
        for i, a in l.attempts : "endpoint ${e.name}: attempt ${a.n} has the answer of attempt ${l.attempts[i - 1].n} in its conversation, which had been cut"
        if i > 0 && try(
          !l.attempts[i - 1].response.complete && trimspace(l.attempts[i - 1].response.content) != ""
          && anytrue([for text in [l.attempts[i - 1].response.content, trimspace(l.attempts[i - 1].response.content)] : strcontains(a.request.body, jsonencode(text))]),
          false
        )
      ]
    ]
  ]) == []
}

# An answer that came later, from whomever, makes up for it.
invariant "a program does not end well with an answer that was cut" {
  condition = run.ended_ms == null || flatten([
    for all in [flatten([for e in endpoints : e.attempts])] : [
      for e in endpoints : [
        for l in e.lanes : [
          for a in slice(l.attempts, max(length(l.attempts) - 1, 0), length(l.attempts)) : "endpoint ${e.name}: attempt ${a.n} was cut, nothing came after it, and the program ended with status 0"
          if try(sut.exit_code == 0 && a.status_code < 300 && !a.response.complete, false) && !anytrue([for o in all : o.outcome == "success" && o.started_at_ms > a.started_at_ms])
        ]
      ]
    ]
  ]) == []
}

# A 401 may be repeated with a new token, and a 404 may be there the next time.
invariant "a program does not repeat what cannot succeed" {
  condition = run.ended_ms == null || distinct(flatten([
    for e in endpoints : [
      for l in e.lanes : [
        for list in concat([for c in l.calls : c.attempts], values({ for a in l.attempts : try("${a.request.method} ${a.request.url} ${coalesce(a.request.body, "-")}", "") => a... if try(a.request.method, null) != null })) : [
          for i, a in list : "endpoint ${e.name}: attempt ${a.n} asks the same again after ${list[i - 1].status_code}"
          if i > 0 && try(
            list[i - 1].outcome != "success" && a.started_at_ms >= list[i - 1].ended_at_ms - 50
            && contains([400, 402, 403, 405, 406, 410, 411, 413, 414, 415, 422, 501, 505], list[i - 1].status_code),
            false
          )
        ]
      ]
    ]
  ])) == []
}

# Lanes that meet the same failure would all come back at one instant. Where the
# answer says when to come back, they do as they are told.
invariant "the retries of a program's lanes are spread" {
  condition = run.ended_ms == null || flatten([
    for e in endpoints : [
      for gaps in [[for l in e.lanes : l.calls[0].gaps_ms[0] if try(l.calls[0].gaps_ms[0] >= 100 && l.calls[0].attempts[0].retry_after_ms == null, false)]] :
      "endpoint ${e.name}: the first retries of ${length(gaps)} lanes come ${min(gaps...)} to ${max(gaps...)} ms after their failures"
      if try(length(gaps) >= 3 && max(gaps...) - min(gaps...) < max(gaps...) * 0.03, false)
    ]
  ]) == []
}

invariant "a program gives up within two minutes" {
  condition = run.ended_ms == null || flatten([
    for e in endpoints : [
      concat(
        [for a in e.attempts : "endpoint ${e.name}: attempt ${a.n} waited ${a.elapsed_ms} ms for an answer that did not come" if a.outcome == "failure" && a.elapsed_ms > 120000],
        [for c in e.calls : "endpoint ${e.name}: call ${c.n} failed after ${c.elapsed_ms} ms and ${c.retries} retries" if c.status == "failed" && c.elapsed_ms > 120000],
      )
    ]
  ]) == []
}

invariant "a program has somebody else to ask" {
  condition = run.ended_ms == null || flatten([
    for e in endpoints : [
      for o in endpoints : "endpoint ${e.name} failed, and endpoint ${o.name} was not asked"
      if e.status == "failed" && o.status == "unused" && o.kind == e.kind && e.kind == "llm"
    ]
  ]) == []
}
