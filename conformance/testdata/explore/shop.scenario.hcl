# What agent.py does: it asks a model, as a stream, and orders what that says.
variable "wrong" { default = "" }
variable "seen" { default = "" }

provider "openai" "llm" {}

provider "http" "shop" {
  base_url = "https://shop.example"
}

invariant "what is ordered is a whole answer" {
  condition = alltrue([for a in endpoint.shop.attempts : strcontains(a.request.body, "most.")])
}

scenario "an answer is ordered" {
  sut {
    command = ["python3", "agent.py", var.wrong]
    env     = { SHOP_URL = provider.shop.url, SEEN = var.seen }
  }
  on "llm" {
    reply {
      content = "Blue light is scattered most."
    }
  }
  on "shop" {
    reply {
      json = { order = 7 }
    }
  }
  expect "run" { status = "success" }
}
