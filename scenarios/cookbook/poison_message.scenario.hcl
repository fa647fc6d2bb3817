# Problem: one message of a queue cannot be handled. The worker fails, takes it again,
# fails again, and all messages behind it wait.
# Checked: after three tries it goes to the dead letters, and the next message is handled.
# Without the dead letters: the first message stops the worker.

provider "http" "shop" { base_url = "https://shop.example.com" }
provider "http" "queue" { base_url = "http://queue.internal" }

retry "linear" "three" {
  delay       = "1s"
  max_retries = 2
}

workflow "worker" {
  inputs     = { messages = ["broken", "good"] }
  on_failure = "continue"

  step "loop" "message" {
    while          = loop.index < length(input.messages)
    max_iterations = 2

    step "http" "handle" {
      provider    = provider.shop
      method      = "PUT"
      path        = "/orders/${input.messages[loop.index]}"
      retry       = retry.three
      fallback    = step.bury
      fallback_on = "any"
    }
    step "http" "bury" {
      provider = provider.queue
      method   = "POST"
      path     = "/dead-letters"
      json     = { message = input.messages[loop.index] }
    }
  }
}

scenario "a message that nobody can handle is put aside" {
  run = workflow.worker

  on "message.handle" {
    fault "http_error" {
      status_code = 500
      times       = 3
    }
    reply { status_code = 204 }
  }
  on "message.bury" {
    reply { status_code = 201 }
  }

  assert "the first is buried, after three tries" {
    condition = step.message.runs[0].bury.attempts[0].request.json == { message = "broken" } && length(step.message.runs[0].handle.attempts) == 3
  }
  assert "the second is handled" {
    condition = step.message.runs[1].handle.status == "success" && step.message.runs[1].handle.attempts[0].request.url == "https://shop.example.com/orders/good"
  }
}
