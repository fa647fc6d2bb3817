# What the programs of explore_test.go ask: a model, as a stream, and a shop.
provider "openai" "llm" {}

provider "http" "shop" {
  base_url = "https://shop.example"
}

scenario "an answer is ordered" {
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
  assert "there is one order" {
    condition = length(endpoint.shop.attempts) == 1
  }
}
