# Trials with different outcomes: a case that passes once in three trials is none
# that one may rely on, and a gate on all trials says so where the mean does not.

bench "answers" {
  trials = 3
  lower_bound {
    min_cases = 1
  }
  gate "mean" { lower_bound = 0.5 }
  gate "every time" { pass_all = 0.9 }
}

scenario "a case that passes twice in three trials" {
  run = bench.answers
  case "steady" {
    rubric { passed = true }
  }
  case "flaky" {
    rubric { passed = true }
    rubric { passed = false }
    rubric { passed = true }
  }
  case "slow at first" {
    sut { takes = "20m" }
    sut { takes = "1s" }
    rubric { passed = true }
  }

  expect "flaky" {
    passed = false
  }
  assert "trial by trial" {
    condition = [for t in report.case["flaky"].trials : t.passed] == [true, false, true]
  }
  assert "the last block is for all further trials" {
    condition = [for t in report.case["slow at first"].trials : t.passed] == [false, true, true]
  }
  # Of the three cases one has three, two have two passing trials of three: one draw
  # passes in 7 of 9, two draws both in (1 + 1/3 + 1/3) / 3, all three in one case.
  assert "pass@k and pass^k" {
    condition = report.pass_at == 1 && abs(report.pass_k[0].all - 7 / 9) < 1e-9 && abs(report.pass_k[1].all - 5 / 9) < 1e-9 && abs(report.pass_all - 1 / 3) < 1e-9
  }
  assert "the gate on all trials" {
    condition = report.gate["every time"].reasons == ["pass_all=0.333 < pass_all[every time]=0.900", "block_severity_failure_modes=[sut.timeout]"]
  }
  assert "the gate on the mean is shut for the slow one alone" {
    condition = report.gate.mean.reasons == ["block_severity_failure_modes=[sut.timeout]"]
  }
}
