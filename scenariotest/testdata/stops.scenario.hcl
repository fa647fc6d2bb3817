provider "http" "web" { base_url = "http://web.test" }
provider "openai" "llm" { base_url = "http://api.openai.test/v1" }
provider "mcp" "notes" { command = ["notes-server"] }
provider "sql" "shop" { base_url = "postgres://app@db.test/shop" }

scenario "s" {
  allow = ["unused_reply"]
  on "web" {
    reply { body = "much" }
  }
  on "llm" {
    reply {
      content     = "Rayleigh scattering of light"
      chunk_delay = "10s"
    }
  }
  on "notes" {
    reply {
      content = "tea.md"
      times   = 3
    }
  }
  on "shop" {
    reply { rows = [{ item = "tea" }, { item = "milk" }] }
  }
}
