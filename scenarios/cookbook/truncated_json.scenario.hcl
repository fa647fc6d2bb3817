# Problem: the model reaches max_tokens in the middle of its JSON. The status is 200, and
# a lenient parser makes half an order of it. Or the cut hits a spot where it still parses.
# Checked: an answer that was cut, or is not JSON, is asked for again.
# Without the check: half an order, or none.

provider "openai" "model" { model = "gpt-4o-mini" }

retry "linear" "again" {
  delay       = "1s"
  max_retries = 1
}

workflow "extract" {
  provider = provider.model
  output   = jsondecode(step.items.content)

  step "llm" "items" {
    prompt = "The order as JSON, please."
    retry  = retry.again

    validate "whole" {
      condition = self.finish_reason == "stop" && can(jsondecode(self.content))
      retry     = true
    }
  }
}

scenario "half an order is no order" {
  for_each = {
    "cut in the middle"  = { content = "{\"items\": [\"pen\"", reason = "length" }
    "cut after an item"  = { content = "{\"items\": [\"pen\"]}", reason = "length" }
    "an answer in prose" = { content = "Sure! Here it is:", reason = "stop" }
  }
  run = workflow.extract

  on "items" {
    reply {
      content       = each.value.content
      finish_reason = each.value.reason
    }
    reply { content = "{\"items\": [\"pen\", \"ink\"]}" }
  }

  expect "run" { output = { items = ["pen", "ink"] } }
}
