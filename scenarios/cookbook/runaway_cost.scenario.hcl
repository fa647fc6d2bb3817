# Problem: an agent improves its own draft, and never finds it good enough. Each round
# costs ten cents, and nobody looks until the bill comes.
# Checked: the run ends when it has cost 50 cents, and the last draft is still there.
# Without the budget: forty rounds, four dollars.

provider "openai" "model" { model = "gpt-4o" }

workflow "write" {
  provider = provider.model

  budget { usd = 0.50 }

  step "loop" "polish" {
    while          = loop.index == 0 || step.draft.content != "perfect"
    max_iterations = 40

    step "llm" "draft" { prompt = "Better, please: ${loop.index}" }
  }
}

scenario "never good enough" {
  run = workflow.write

  on "polish.draft" {
    reply {
      content  = "nearly"
      cost_usd = 0.10
    }
  }

  expect "run" {
    status = "failed"
    error  = { kind = "budget_exceeded" }
  }
  assert "five drafts are paid for, and the last of them is there" {
    condition = approx(run.cost_usd, 0.50, 0.001) && step.polish.runs[4].draft.content == "nearly"
  }
}
