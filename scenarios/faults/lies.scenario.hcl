# Answers that are well-formed and false: the status is right, the body can be read,
# and what it says is not so. Nothing in the protocol tells the program, so no retry
# helps. What helps is a check of its own, and each scenario shows what such a check
# has to look at.

provider "http" "shop" { base_url = "https://shop.example" }
provider "mcp" "tools" { base_url = "https://tools.example/mcp" }
provider "openai" "model" { model = "gpt-4o-mini" }
provider "sql" "db" { base_url = "postgres://db.example/shop" }

# A stock that is read before and after an order.
workflow "order" {
  provider = provider.shop

  step "loop" "watch" {
    max_iterations = 2
    step "http" "stock" { path = "/stock/41" }
  }
}

workflow "two" {
  provider = provider.shop

  step "http" "ann" { path = "/customers/7" }
  step "http" "bo" { path = "/customers/8" }
}

workflow "orders" {
  provider = provider.db

  step "sql" "open" { query = "select id, total_cents from orders where customer = 'ann'" }
}

workflow "weather" {
  provider = provider.tools

  step "mcp" "ask" {
    tool      = "weather"
    arguments = { city = "Paris", days = 3 }
  }
}

workflow "invoice" {
  provider = provider.model

  step "llm" "read" { prompt = "What does the invoice say?" }
}

scenario "stale_response: the second look at the stock has the first answer" {
  run = workflow.order

  on "watch.stock" {
    reply { json = { item = 41, left = 3 } }
    fault "stale_response" {
      reply { json = { item = 41, left = 2 } }
    }
  }

  assert "the count has not gone down" {
    condition = step.watch.stock.output.left == 3
  }
}

scenario "swapped_response: the answer for Ann comes to the question about Bo" {
  run = workflow.two

  on "ann" {
    reply { json = { id = 7, name = "Ann" } }
  }
  on "bo" {
    fault "swapped_response" {
      of = "ann"
      reply { json = { id = 8, name = "Bo" } }
    }
  }

  expect "bo" { status = "success" }
  assert "only the id tells" {
    condition = step.bo.output.id == 7
  }
}

scenario "truncated_list: a third of the rows" {
  run = workflow.orders

  on "open" {
    fault "truncated_list" {
      keep = 1
      reply { rows = [{ id = 1, total_cents = 1250 }, { id = 2, total_cents = 300 }, { id = 3, total_cents = 99 }] }
    }
  }

  assert "the server counts what it sends" {
    condition = length(step.open.rows) == 1 && step.open.affected == 1
  }
}

scenario "truncated_list: an empty result is a success, too" {
  run = workflow.orders

  on "open" {
    fault "truncated_list" {
      keep = 0
      reply { rows = [{ id = 1, total_cents = 1250 }] }
    }
  }

  expect "open" {
    status = "success"
    rows   = []
  }
}

scenario "wrong_numbers: cents are taken for dollars, and ids are not" {
  run = workflow.orders

  on "open" {
    fault "wrong_numbers" {
      factor = 0.01
      reply { rows = [{ id = 1, total_cents = 1250 }] }
    }
  }

  expect "open" { rows = [{ id = 1, total_cents = 12 }] }
}

scenario "wrong_numbers: in words, where dates and numbers of documents stay" {
  run = workflow.invoice

  on "read" {
    fault "wrong_numbers" {
      factor = 10
      reply { content = "Invoice INV-1041 of 2026-03-01: 3 lines, $1,234.50 in all." }
    }
  }

  expect "read" { content = "Invoice INV-1041 of 2026-03-01: 30 lines, $12,345 in all." }
}

scenario "wrong_record: somebody else's, with the balance of the right one" {
  run = workflow.two

  on "ann" {
    fault "wrong_record" {
      reply { json = { id = 7, name = "Ann", balance = 1250 } }
    }
  }
  on "bo" {
    fault "wrong_record" {
      fields = ["name"]
      reply { json = { id = 8, name = "Bo" } }
    }
  }

  assert "it is about another customer" {
    condition = step.ann.output.id == 8 && step.ann.output.name != "Ann" && step.ann.output.balance == 1250
  }
  assert "only what is named is false" {
    condition = step.bo.output.id == 8 && step.bo.output.name != "Bo"
  }
}

scenario "contradiction: the tool was asked about Paris and answers about another city" {
  run = workflow.weather

  on "ask" {
    fault "contradiction" {
      reply { structured = { city = "Paris", days = 3, degrees = [14, 15, 17] } }
    }
  }

  assert "what it repeats is not what was asked" {
    condition = step.ask.output.city != "Paris" && step.ask.output.days == 4
  }
  assert "the rest is as it was" {
    condition = step.ask.output.degrees == [14, 15, 17]
  }
}

scenario "refusal: a model that will not is a success by every check of the protocol" {
  run = workflow.invoice

  on "read" {
    fault "refusal" {}
  }

  expect "read" {
    status        = "success"
    finish_reason = "stop"
  }
  assert "there is no invoice in it" {
    condition = strcontains(step.read.content, "can't help")
  }
}
