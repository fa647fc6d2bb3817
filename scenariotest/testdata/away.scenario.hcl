provider "openai" "llm" {}

provider "http" "shop" {
  base_url = "http://shop.example"
}

scenario "nobody asks" {
  allow = ["unlisted_host"]

  on "shop" {
    reply { status_code = 418 }
  }
  expect "shop" { status = "failed" }
}
