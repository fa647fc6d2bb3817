taxonomy "vuln" {
  mode "build_failed" {
    severity = "block"
  }
  mode "unused_field" {
    severity = "warn"
  }
}

bench "vuln" {
  taxonomy       = taxonomy.vuln
  breakdown_keys = ["correctness"]
  case_timeout   = "10s"
  lower_bound {
    min_cases = 1
  }
  gate "silver" {
    lower_bound = 0.8
    min_passed  = 2
  }
}

scenario "V85: three ways to fail are three entries of a complete report" {
  run = bench.vuln
  case "c" {
    rubric {
      breakdown = { llm_confidence = 0.9 }
    }
  }
  case "a" {
    sut {
      fault "error" {
        type    = "RuntimeError"
        message = "nope, broken"
      }
    }
  }
  case "b" {
    sut {
      takes = "11s"
    }
  }
  assert "complete, and nothing passed" {
    condition = report.complete && report.passed == 0 && [for c in report.cases : c.id] == ["a", "b", "c"]
  }
  assert "one typed failure each" {
    condition = [for c in report.cases : c.failure_modes] == [
      [{ code = "sut.exception", severity = "block", detail = "RuntimeError: nope, broken" }],
      [{ code = "sut.timeout", severity = "block", detail = "" }],
      [{ code = "rubric.unknown_breakdown_key", severity = "block", detail = "llm_confidence" }],
    ]
  }
  assert "what blocks, sorted" {
    condition = report.block_severity_failure_modes == ["rubric.unknown_breakdown_key", "sut.exception", "sut.timeout"]
  }
  assert "the reasons in their order" {
    condition = report.gate.silver.reasons == [
      "lower_bound_95=0.000 < threshold[silver]=0.800",
      "passed=0 < min_passed[silver]=2",
      "block_severity_failure_modes=[rubric.unknown_breakdown_key, sut.exception, sut.timeout]",
    ]
  }
  expect "b" {
    passed     = false
    score      = 0
    elapsed_ms = 10000
  }
  expect "run" {
    status = "success"
  }
}
