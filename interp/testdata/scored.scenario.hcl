taxonomy "answers" {
  mode "wrong_total" { severity = "warn" }
}

bench "support" {
  taxonomy = taxonomy.answers
  cases    = [{ id = "one", total = 1 }, { id = "two", total = 2 }]
  sut { command = ["./total", case.id] }
  rubric {
    passed = approx(output.total, case.input.total, 0.005)
    failure_mode "wrong_total" {
      when   = !approx(output.total, case.input.total, 0.005)
      detail = "${output.total} for ${case.input.total}"
    }
  }
  gate "ship it" {
    lower_bound = 0.85
    pass_all    = 0.95
  }
}
