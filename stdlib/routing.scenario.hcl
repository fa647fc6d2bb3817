# The classes of a failure in routing: five, by which a caller decides where to go
# next. It extends the engine's taxonomy of the same name, whose rules say which
# failure has which class.
# This file is generated from the code by `go generate ./...`.
taxonomy "routing" {
  extends = taxonomy.routing

  mode "timeout" {
    category  = "routing"
    retryable = true
    terminal  = false
    partial   = false
    severity  = "high"
  }

  mode "target_unavailable" {
    category  = "routing"
    retryable = true
    terminal  = false
    partial   = false
    severity  = "high"
  }

  mode "validation_error" {
    category  = "routing"
    retryable = false
    terminal  = false
    partial   = false
    severity  = "low"
  }

  mode "overload_rejected" {
    category  = "routing"
    retryable = true
    terminal  = false
    partial   = false
    severity  = "medium"
  }

  mode "internal_error" {
    category  = "routing"
    retryable = false
    terminal  = false
    partial   = false
    severity  = "medium"
  }
}
