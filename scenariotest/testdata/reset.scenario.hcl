provider "sql" "shop" {
  base_url = "postgres://app@db.example/shop"
}

provider "mcp" "notes" {
  command = ["notes-server"]
}

scenario "connections that are cut" {
  on "shop" {
    fault "connection_reset" {}
    fault "connection_reset" {
      after_bytes = 20
      reply { rows = [{ price = "12.50" }] }
    }
  }
  on "notes" {
    fault "connection_reset" {}
  }
  expect "run" { status = "success" }
}
