# What the programs of explore_test.go ask.
provider "openai" "llm" {}

provider "http" "shop" {
  base_url = "https://shop.example"
}

scenario "an answer" {
  on "llm" {
    reply {
      content = "Blue light is scattered most."
    }
  }
  on "shop" {
    reply {
      json     = { order = 7 }
      optional = true
    }
  }
}
