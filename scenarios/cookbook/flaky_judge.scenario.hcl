# Problem: a model judges the answers of another model. Ask it twice and it says two
# things; sometimes it tells a story. One opinion is no verdict.
# Checked: three opinions, of which two must agree. If no two do, a human decides.
# With one judge: the verdict is whatever the first one says.

provider "openai" "judge" { model = "gpt-4o-mini" }

workflow "judge" {
  provider = provider.judge
  output   = step.opinion.output

  step "llm" "opinion" {
    prompt = "Is this answer correct? Say yes or no, nothing else."
    output = lower(trim(self.content, ".!"))
  }
}

workflow "verdict" {
  output = step.verdict.output

  step "fanout" "ask" {
    sub "one" { target = workflow.judge }
    sub "two" { target = workflow.judge }
    sub "three" { target = workflow.judge }
  }
  step "value" "verdict" {
    value = (length([for s in step.ask.subs : s if s.output == "yes"]) >= 2 ? "pass" :
    length([for s in step.ask.subs : s if s.output == "no"]) >= 2 ? "fail" : "ask a human")
  }
}

scenario "the majority decides" {
  for_each = {
    "one says no"         = { opinions = ["No.", "yes", "Yes!"], verdict = "pass" }
    "one tells a story"   = { opinions = ["It depends on what you mean.", "no", "No."], verdict = "fail" }
    "one is left of each" = { opinions = ["yes", "It depends.", "no"], verdict = "ask a human" }
  }
  run = workflow.verdict

  on "ask.one.opinion" {
    reply { content = each.value.opinions[0] }
  }
  on "ask.two.opinion" {
    reply { content = each.value.opinions[1] }
  }
  on "ask.three.opinion" {
    reply { content = each.value.opinions[2] }
  }

  expect "run" { output = each.value.verdict }
}
