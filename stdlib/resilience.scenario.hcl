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

invariant "an answer that was cut is no success" {
  condition = run.ended_ms == null || flatten([
    for s in steps : [for a in s.attempts : "step ${s.name}: attempt ${a.n} at ${a.at_ms} ms" if a.outcome == "success" && !a.response.complete]
    if s.attempts != null
  ]) == []
}

invariant "a deadline ends what it is for, at its instant" {
  condition = run.ended_ms == null || flatten([
    for ends in [concat(events({ type = "attempt_end" }), events({ type = "step_end" }), events({ type = "run_end" }))] : [
      for t in events({ type = "timeout" }) : "${t.layer} timeout at ${t.at_ms} ms, step ${coalesce(lookup(t, "step", ""), "-")}"
      if !try([
        for e in ends : e.at_ns == t.at_ns
        if e.seq > t.seq && e.type == { attempt = "attempt_end", step = "step_end", workflow = "run_end" }[t.layer] && lookup(e, "step", "") == lookup(t, "step", "")
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

invariant "every attempt that began has ended when the run has" {
  condition = run.ended_ms == null || length(events({ type = "attempt_start" })) == length(events({ type = "attempt_end" }))
}
