# An agent that does what a model asks for. The model decides what is called, and
# the program in which order and with what: each call is an endpoint of its own.

provider "openai" "model" {}

provider "http" "shop" {
  base_url = "https://shop.example/v1"
}

endpoint "order" {
  provider = provider.shop
  match {
    method = "GET"
    path   = "/orders/A-17"
  }
}

endpoint "refund" {
  provider = provider.shop
  match {
    method = "POST"
    path   = "/refunds"
    json   = { order = "A-17" }
  }
}

scenario "the order is looked up before its price is refunded" {
  sut {
    command = ["python3", "tools.py", "Order A-17 is broken."]
    env     = { SHOP = provider.shop.url }
  }

  on "model" {
    reply {
      match { turn = 1 }
      tool_calls = [
        { id = "call_1", name = "order", arguments = { id = "A-17" } },
        { id = "call_2", name = "refund", arguments = { order = "A-17" } },
      ]
    }
    reply {
      match {
        turn = 2
        json = { messages = [{ role = "user" }, { role = "assistant" }, { role = "tool" }, { role = "tool" }] }
      }
      content = "You have your 20 euros back."
    }
  }
  on "order" {
    fault "http_error" { status_code = 503 }
    reply { json = { id = "A-17", price = 20 } }
  }
  on "refund" {
    reply {
      status_code = 201
      json        = { refunded = 20 }
    }
  }

  expect "run" { status = "success" }
  # An answer has ended for the server a moment after the program has it.
  assert "nothing is refunded before it is known" {
    condition = endpoint.refund.started_ms > endpoint.order.ended_ms - 20
  }
  assert "the model hears what became of each call" {
    condition = [
      for m in slice(jsondecode(endpoint.model.attempts[1].request.body).messages, 2, 4) : [m.tool_call_id, jsondecode(m.content)]
      ] == [
      ["call_1", { id = "A-17", price = 20 }],
      ["call_2", { refunded = 20 }],
    ]
  }
  assert "so does the user" {
    condition = sut.stdout == "You have your 20 euros back.\n"
  }
}
