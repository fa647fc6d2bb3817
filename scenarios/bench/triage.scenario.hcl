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
