provider "http" "web" { base_url = "http://web.test" }

scenario "s" {
  on "web" {
    reply {
      chunks      = ["one", "two"]
      chunk_delay = "10ms"
    }
  }
}
