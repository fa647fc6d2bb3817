# A program that polls asks more often in one run than in another. The last
# recorded answer stands for those that were not recorded.

provider "http" "jobs" { base_url = "https://jobs.example" }

workflow "watch" {
  provider = provider.jobs

  step "loop" "poll" {
    max_iterations = 4

    step "http" "ask" { path = "/jobs/7" }
  }
}

scenario "the last answer of a recording is repeated" {
  run = workflow.watch

  cassette {
    path      = "poll.yaml"
    exhausted = "repeat_last"
  }

  expect "poll.ask" { json = { state = "done" } }
  assert "it was asked four times, twice more than recorded" {
    condition = run.elapsed_ms == 40 + 3 * 60
  }
}

# Without that, a call too many is one that nothing answers.
scenario "a call past the end of a recording" {
  run   = workflow.watch
  allow = ["over_consumed"]

  cassette { path = "poll.yaml" }

  expect "run" { status = "failed" }
  expect "poll.ask" { status = "failed" }
}
