# Problem: a service renames a field, or sends "12.00" where there was a number. Nothing
# fails: the program reads null, and sells for nothing.
# Checked: such an answer is an error, at once; an additional field does no harm.
# Without the schema: the price is null, and the run a success.

provider "http" "prices" { base_url = "https://prices.example.com" }

locals {
  price = {
    type       = "object"
    required   = ["cents"]
    properties = { cents = { type = "integer", minimum = 1 } }
  }
}

workflow "price" {
  provider = provider.prices

  step "http" "get" {
    path   = "/items/7"
    output = lookup(self.json, "cents")

    validate "the schema" { condition = schemaerror(self.json, local.price) == null }
  }
}

scenario "a changed answer is noticed" {
  for_each = {
    "renamed"          = { price_cents = 1200 }
    "another type"     = { cents = "12.00" }
    "another currency" = { cents = 0 }
  }
  run = workflow.price

  on "get" {
    reply { json = each.value }
  }

  expect "run" { status = "failed" }
  expect "get" { error = { kind = "contract" } }
}

scenario "more than was promised is fine" {
  run = workflow.price

  on "get" {
    reply { json = { cents = 1200, tax = 0.2 } }
  }

  expect "get" { output = 1200 }
}
