# Problem: when the price service is down, the program takes the price from its cache.
# After a day of outage it still sells at yesterday's price.
# Checked: a price is used if it is at most five minutes old; an older one is an error.
# Without the check of the age: the old price is used.

provider "http" "prices" { base_url = "https://prices.example.com" }
provider "http" "cache" { base_url = "http://cache.internal" }

workflow "price" {
  on_failure = "continue"
  output     = { cents = step.live.json.cents, age_s = lookup(step.live.json, "age_s", 0) }

  step "http" "live" {
    provider        = provider.prices
    path            = "/items/7"
    attempt_timeout = "2s"
    fallback        = step.cached
    fallback_on     = "any"
  }
  step "http" "cached" {
    provider = provider.cache
    path     = "/prices/7"

    validate "young enough" { condition = self.json.age_s <= 300 }
  }
}

scenario "a young price is used, and its age is told" {
  run = workflow.price

  on "live" {
    fault "http_error" { status_code = 503 }
  }
  on "cached" {
    reply { json = { cents = 1200, age_s = 300 } }
  }

  expect "run" { output = { cents = 1200, age_s = 300 } }
}

scenario "yesterday's price is not sold" {
  run = workflow.price

  on "live" {
    fault "timeout" {}
  }
  on "cached" {
    reply { json = { cents = 900, age_s = 86400 } }
  }

  expect "run" { status = "failed" }
  expect "live" { elapsed_ms = 2000 }
  expect "cached" { error = { kind = "contract" } }
}
