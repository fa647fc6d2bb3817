# Two calls that take two locks in different orders.
import = ["std/resilience"]

lock "order" { acquire_timeout = "20s" }
lock "stock" { acquire_timeout = "20s" }
actor "shop" {
  handler "order" {
    lock     = ["order"]
    workflow = workflow.ordering
  }
}
actor "store" {
  handler "count" {
    lock     = ["stock"]
    workflow = workflow.counting
  }
}
actor "desk" {
  pool "db" { size = 1 }
  handler "take" {
    lock  = ["stock"]
    uses  = ["db"]
    takes = "1s"
  }
  handler "close" { forward_to = actor.till.shut }
}
actor "till" {
  handler "shut" { lock = ["order"] }
}
workflow "ordering" {
  step "wait" "first" { for = "6s" }
  step "call" "take" {
    target     = actor.desk.take
    depends_on = [step.first]
  }
}
workflow "counting" {
  step "call" "close" { target = actor.desk.close }
}
scenario "s" {
  call "buyer" { target = actor.shop.order }
  call "clerk" {
    target = actor.store.count
    at     = "5s"
  }
  expect "buyer" { status = "success" }
}
