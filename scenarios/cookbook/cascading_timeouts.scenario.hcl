# Problem: the page may take five seconds, and so may the call in it. When the service
# hangs, both end in the same instant, and plan B never gets its turn.
# Checked: the inner limit leaves time for the fallback, and the page is there in time.
# With five seconds for the call as well: the page fails, plan B or not.

provider "http" "shop" { base_url = "https://shop.example.com" }

workflow "page" {
  provider = provider.shop
  timeout  = "5s"
  output   = step.offers.output

  step "http" "offers" {
    path        = "/offers"
    timeout     = "3s"
    fallback    = step.bestsellers
    fallback_on = "any"
    output      = self.json
  }
  step "http" "bestsellers" {
    path   = "/bestsellers"
    output = self.json
  }
}

scenario "plan B gets its turn" {
  run = workflow.page

  on "offers" {
    fault "hang" {}
  }
  on "bestsellers" {
    reply {
      json    = { books = 3 }
      latency = "1s"
    }
  }

  expect "run" {
    output     = { books = 3 }
    elapsed_ms = 4000
  }
}
