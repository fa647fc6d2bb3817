# A workflow as the system under test: every case is a run of its own, answered
# by the recording, so that scoring costs nothing and gives the same report every
# time. The rubric is made of conditions.

provider "http" "triage" { base_url = "https://triage.test" }

taxonomy "triage" {
  mode "wrong_label" {
    severity = "warn"
  }
  mode "sure_and_wrong" {
    severity = "block"
  }
}

workflow "triage" {
  provider = provider.triage
  inputs   = { text = null }

  step "http" "classify" {
    path  = "/classify"
    query = { text = input.text }
  }

  output = { label = step.classify.json.label, certainty = step.classify.json.certainty }
}

bench "triage" {
  taxonomy       = taxonomy.triage
  breakdown_keys = ["label", "calibration"]
  cases          = ["triage.jsonl"]

  sut {
    run    = workflow.triage
    inputs = { text = case.input.text }
    cassette {
      path  = "triage.yaml"
      match = "semantic"
    }
  }
  rubric {
    passed = output.label == case.input.want
    score  = output.label == case.input.want ? 1 : 1 - output.certainty
    breakdown = {
      label       = output.label == case.input.want ? 1 : 0
      calibration = output.label == case.input.want ? output.certainty : 1 - output.certainty
    }
    failure_mode "wrong_label" {
      when   = output.label != case.input.want
      detail = "${output.label} for ${case.input.want}"
    }
    failure_mode "sure_and_wrong" {
      when = output.label != case.input.want && output.certainty > 0.85
    }
  }
  gate "silver" {
    lower_bound = 0.5
    min_passed  = 6
  }
}

scenario "six of eight labels are right, and one wrong one is sure of itself" {
  run = bench.triage

  assert "the report" {
    condition = report.complete && report.passed == 6 && report.block_severity_failure_modes == ["sure_and_wrong"]
  }
  assert "the gate stays shut for the one that blocks" {
    condition = report.gate.silver.reasons == ["block_severity_failure_modes=[sure_and_wrong]"]
  }
  assert "Wilson's interval of six in eight" {
    condition = approx(report.pass_rate.low, 0.4093, 0.0001) && approx(report.pass_rate.high, 0.9285, 0.0001)
  }
  assert "which modes are found, and in which cases" {
    condition = { for c in report.cases : c.id => [for m in c.failure_modes : m.code] if length(c.failure_modes) > 0 } == { angry = ["wrong_label"], delete = ["wrong_label", "sure_and_wrong"] }
  }
  assert "a wrong label scores by how sure it is, and calibration by how sure it may be" {
    condition = alltrue([
      for c in report.cases : approx(c.score, lookup({ angry = 0.45, delete = 0.1 }, c.id, 1), 1e-9) && c.breakdown.label == (contains(["angry", "delete"], c.id) ? 0 : 1)
      && approx(c.breakdown.calibration, { angry = 0.45, crash = 0.97, delete = 0.1, greeting = 0.8, invoice = 0.95, login = 0.88, refund = 0.93, slow = 0.71 }[c.id], 1e-9)
    ])
  }
  expect "delete" {
    passed        = false
    failure_modes = [{ code = "wrong_label", detail = "account for privacy" }, { code = "sure_and_wrong" }]
  }
}

scenario "an answer that is not recorded is a finding of its case, and a broken gate" {
  run = bench.triage
  case "known" {
    input = { text = "Hello there", want = "other" }
  }
  case "new" {
    input = { text = "What is new?", want = "other" }
  }
  allow = ["unmatched_call", "unused_interaction"]

  expect "known" {
    passed = true
  }
  expect "new" {
    passed = false
  }
  assert "and why the gate is shut" {
    condition = report.gate.silver.reasons == ["cases=2 < min_cases=5", "lower_bound_95=0.000 < threshold[silver]=0.500", "passed=1 < min_passed[silver]=6", "block_severity_failure_modes=[sut.exception]"]
  }
  assert "by its type" {
    condition = report.case.new.failure_modes[0].code == "sut.exception"
  }
}

scenario "a script in the place of the recording" {
  run = bench.triage
  on "classify" {
    fault "http_error" {
      status_code = 503
    }
  }
  assert "every case is an exception, by the mode of its failure" {
    condition = alltrue([for c in report.cases : startswith(c.failure_modes[0].detail, "RESOURCE_API_UNAVAILABLE: step \"classify\"")]) && length(report.cases) == 8
  }
}
