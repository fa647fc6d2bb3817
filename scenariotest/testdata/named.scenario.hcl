provider "http" "shop" { base_url = "https://shop.test" }

endpoint "first" {
  provider = provider.shop
  match { path = "/a" }
}

endpoint "second" {
  provider = provider.shop
  match { path = "/b" }
}

scenario "s" {
  on "first" {
    reply { body = "1" }
    reply { body = "2" }
  }
  on "second" {
    reply { body = "3" }
  }
  assert "lanes" { condition = [for l in endpoint.first.lanes : l.name] == ["", "x"] }
}
