# What a bench says of all its cases together: its cost, its lower bound, its
# gates, its trials.

bench "costly" {
  cost_cap_usd = 5
  concurrency  = 1
  lower_bound {
    min_cases = 1
  }
  gate "silver" {
    lower_bound = 0.80
  }
}

scenario "V90: the cost cap lets what runs end, and begins nothing more" {
  run = bench.costly
  dynamic "case" {
    for_each = ["a", "b", "c", "d", "e"]
    labels   = [case.value]
    content {
      sut {
        cost_usd = 2
      }
    }
  }
  assert "three ran, two are placeholders" {
    condition = [for c in report.cases : [c.id, c.passed, c.score, c.cost_usd, length(c.trials)]] == [
      ["a", true, 1, 2, 1], ["b", true, 1, 2, 1], ["c", true, 1, 2, 1], ["d", false, 0, 0, 0], ["e", false, 0, 0, 0],
    ]
  }
  assert "incomplete, and says why" {
    condition = !report.complete && report.partial_reason == "cost_cap" && startswith(report.run_id, "partial:") && report.cost_usd == 6
  }
  assert "no verdict" {
    condition = report.gate.silver.error == "incomplete_report" && report.gate.silver.passed == null && report.gate.silver.reasons == []
  }
  assert "the exit code of scenario bench" {
    condition = report.exit_code == 7
  }
  expect "run" {
    status = "partial"
  }
}

scenario "V92: one warning at four fifths of the cap" {
  run = bench.costly
  case "a" {
    sut {
      cost_usd = 3
    }
    rubric {
      cost_usd = 1
    }
  }
  assert "one warning" {
    condition = report.warnings == ["cost_usd=4 is 80% or more of cost_cap=5"] && report.complete
  }
}

scenario "V92: none below" {
  run = bench.costly
  case "a" {
    sut {
      cost_usd = 3.99
    }
  }
  assert "no warning" {
    condition = report.warnings == []
  }
}

scenario "what is spent above the cap in the last case keeps the gate shut" {
  run = bench.costly
  case "a" {
    sut {
      cost_usd = 5.5
    }
  }
  assert "complete, and too dear" {
    condition = report.complete && report.gate.silver.reasons == ["cost_usd=5.5 > cost_cap=5"] && report.exit_code == 1
  }
}

bench "bound" {
  gate "silver" {
    lower_bound = 0.80
  }
}

scenario "V93: too few cases have no bound" {
  run = bench.bound
  dynamic "case" {
    for_each = ["a", "b", "c", "d"]
    labels   = [case.value]
    content {
      rubric { passed = true }
    }
  }
  assert "0 and a warning" {
    condition = report.lower_bound_95 == 0 && report.warnings == ["cases=4 < min_cases=5: lower_bound_95 is 0"]
  }
  assert "and pass no gate" {
    condition = report.gate.silver.reasons == ["cases=4 < min_cases=5", "lower_bound_95=0.000 < threshold[silver]=0.800"]
  }
}

scenario "V93: scores without spread are their own bound" {
  run = bench.bound
  dynamic "case" {
    for_each = range(10)
    labels   = ["c${case.value}"]
    content {
      rubric {
        score = 0.7
      }
    }
  }
  assert "the mean" {
    condition = approx(report.lower_bound_95, 0.7, 0.000000001)
  }
}

scenario "V97: a bound of the threshold passes, and one below does not" {
  run = bench.bound
  for_each = {
    "0.8"  = { passed = true, reason = "all conditions met", exit_code = 0 }
    "0.79" = { passed = false, reason = "lower_bound_95=0.790 < threshold[silver]=0.800", exit_code = 1 }
  }
  dynamic "case" {
    for_each = range(5)
    labels   = ["c${case.value}"]
    content {
      rubric {
        score = tonumber(each.key)
      }
    }
  }
  assert "the verdict, and by how much" {
    condition = [report.gate.silver.passed, report.gate.silver.reasons, report.exit_code] == [each.value.passed, [each.value.reason], each.value.exit_code]
  }
}

taxonomy "vuln" {
  mode "build_failed" {
    severity = "block"
  }
  mode "unused_field" {
    severity = "warn"
  }
}

bench "vuln" {
  taxonomy = taxonomy.vuln
}

scenario "V87: the taxonomy says how severe a failure mode is" {
  run = bench.vuln
  case "a" {
    rubric {
      stdout = jsonencode({
        passed = true
        score  = 1
        failure_modes = [
          { code = "build_failed", severity = "warn" },
          { code = "typo", severity = "block" },
          { code = "unused_field", severity = "warn" },
        ]
      })
    }
  }
  expect "a" {
    passed = true
    failure_modes = [
      { code = "build_failed", severity = "block" },
      { code = "rubric.unknown_failure_mode", severity = "block", detail = "typo" },
      { code = "unused_field", severity = "warn" },
    ]
  }
}

bench "flaky" {
  trials      = 1
  concurrency = 4
}

scenario "CG14: four at once, whatever the machine" {
  run = bench.flaky
  dynamic "case" {
    for_each = range(9)
    labels   = ["c${case.value}"]
    content {
      sut {
        takes = "10s"
      }
    }
  }
  assert "nine cases of ten seconds take thirty" {
    condition = run.elapsed_ms == 30000
  }
}

scenario "CG3: what interrupts the system ends the run and is no failure" {
  run      = bench.flaky
  for_each = toset(["KeyboardInterrupt", "SystemExit", "CancelledError"])
  case "a" {
    sut {
      takes = "1s"
      fault "error" {
        type = each.value
      }
    }
  }
  case "b" {
    sut {
      takes = "5s"
    }
  }
  assert "cancelled" {
    condition = run.status == "cancelled" && run.elapsed_ms == 1000 && report.partial_reason == "cancelled"
  }
  assert "no failure mode" {
    condition = [for c in report.cases : c.failure_modes] == [[], []] && report.exit_code == 7
  }
}

scenario "CG7 CG9: rubrics that give no score, and one that hangs" {
  run = bench.flaky
  case "exits" {
    rubric {
      exit   = 1
      stderr = "Traceback: no such key"
    }
  }
  case "garbled" {
    rubric {
      stdout = "{\"passed\": true, \"score\": NaN}"
      stderr = "warning: numpy"
    }
  }
  case "text" {
    sut {
      output = "no object"
    }
  }
  case "slow" {
    rubric {
      takes = "61s"
    }
  }
  case "dies" {
    sut {
      fault "crash" {}
    }
  }
  case "hangs" {
    sut {
      fault "hang" {}
    }
  }
  assert "each its typed failure" {
    condition = { for c in report.cases : c.id => [c.failure_modes[0].code, c.failure_modes[0].detail] } == {
      dies    = ["sut.exception", "SignalError: the process died"]
      exits   = ["rubric.malformed_output", "Traceback: no such key"]
      garbled = ["rubric.malformed_output", "warning: numpy"]
      hangs   = ["sut.timeout", ""]
      slow    = ["rubric.timeout", ""]
      text    = ["sut.exception", "TypeError: the answer is no JSON object: \"no object\""]
    }
  }
}

scenario "a system that dies after a while has worked until then" {
  run = bench.flaky
  case "dies" {
    sut {
      fault "crash" { after = "1500ms" }
    }
  }
  case "dies at once" {
    sut {
      fault "crash" { after = "0s" }
    }
  }
  assert "the work took time" {
    condition = { for c in report.cases : c.id => c.elapsed_ms } == { dies = 1500, "dies at once" = 0 }
  }
}

bench "cents" {
  cost_cap_usd = 0.3
  concurrency  = 1
}

scenario "ten cents three times are thirty cents" {
  run = bench.cents
  dynamic "case" {
    for_each = ["a", "b", "c"]
    labels   = [case.value]
    content {
      sut {
        cost_usd = 0.1
      }
    }
  }
  assert "the cap is met and not exceeded" {
    condition = report.complete && report.cost_usd == 0.3 && contains(report.warnings, "cost_usd=0.3 is 80% or more of cost_cap=0.3")
  }
}

bench "pair" {
  cost_cap_usd = 5
  concurrency  = 2
}

scenario "what ends at an instant counts before the next case begins" {
  run = bench.pair
  dynamic "case" {
    for_each = ["a", "b", "c"]
    labels   = [case.value]
    content {
      sut {
        takes    = "1s"
        cost_usd = 3
      }
    }
  }
  assert "two cases spent six dollars, and the third did not begin" {
    condition = report.cost_usd == 6 && !report.complete && [for c in report.cases : length(c.trials)] == [1, 1, 0]
  }
  expect "run" {
    status = "partial"
  }
}

scenario "an event cancels a bench, and what did not run is said" {
  run = bench.pair
  dynamic "case" {
    for_each = ["a", "b", "c"]
    labels   = [case.value]
    content {
      sut { takes = "2s" }
    }
  }
  event "enough" {
    at     = "3s"
    cancel = "run"
  }
  expect "run" {
    status   = "cancelled"
    ended_ms = 3000
  }
  assert "two cases ran, and the report is incomplete" {
    condition = !report.complete && report.partial_reason == "cancelled" && [for c in report.cases : length(c.trials)] == [1, 1, 0]
  }
}

bench "twice" {
  taxonomy       = taxonomy.vuln
  trials         = 2
  breakdown_keys = ["label"]
}

# Of two cases one passes in both trials and one in none. A trial of "bad" takes
# 2 s for the system and 1 s for its rubric, and costs $0.10 and $0.05.
scenario "two trials of each case, and what they add up to" {
  run = bench.twice
  case "bad" {
    sut {
      takes    = "2s"
      cost_usd = 0.10
    }
    rubric {
      takes     = "1s"
      cost_usd  = 0.05
      passed    = false
      score     = 0.25
      breakdown = { label = 0.5 }
      failure_mode "unused_field" { detail = "a note" }
    }
  }
  case "good" {
    rubric { breakdown = { label = 1 } }
  }

  assert "both trials of a case" {
    condition = [for t in report.case.bad.trials : [t.passed, t.score, t.breakdown, t.failure_modes, t.cost_usd, t.elapsed_ms]] == [
      for n in range(2) : [false, 0.25, { label = 0.5 }, [{ code = "unused_field", severity = "warn", detail = "a note" }], 0.15, 3000]
    ]
  }
  expect "bad" {
    passed        = false
    score         = 0.25
    breakdown     = { label = 0.5 }
    failure_modes = [{ code = "unused_field", severity = "warn", detail = "a note" }]
    cost_usd      = 0.30
    elapsed_ms    = 6000
  }
  assert "half of the cases pass, and a second trial helps none" {
    condition = (report.pass_rate.value == 0.5 && report.pass_at == 0.5 && report.pass_all == 0.5
    && report.pass_k == [{ k = 1, at = 0.5, all = 0.5 }, { k = 2, at = 0.5, all = 0.5 }])
  }
  assert "the mean of 0.25 and 1" {
    condition = report.mean_score == 0.625
  }
  assert "the id of the run is a digest" {
    condition = can(regex("^[0-9a-f]{32}$", report.run_id))
  }
}
