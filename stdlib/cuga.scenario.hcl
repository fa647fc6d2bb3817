# The default taxonomy: the modes of CUGA's failures. It extends the engine's of
# the same name, whose rules say which failure has which mode.
# This file is generated from the code by `go generate ./...`.
taxonomy "cuga" {
  extends = taxonomy.cuga

  mode "AGENT_VALIDATION" {
    category  = "agent"
    retryable = false
    terminal  = false
    partial   = false
    severity  = "low"
  }

  mode "AGENT_TIMEOUT" {
    category  = "agent"
    retryable = true
    terminal  = false
    partial   = true
    severity  = "medium"
  }

  mode "AGENT_LOGIC" {
    category  = "agent"
    retryable = false
    terminal  = false
    partial   = false
    severity  = "low"
  }

  mode "AGENT_CONTRACT" {
    category  = "agent"
    retryable = false
    terminal  = true
    partial   = false
    severity  = "critical"
  }

  mode "AGENT_STATE" {
    category  = "agent"
    retryable = false
    terminal  = false
    partial   = false
    severity  = "medium"
  }

  mode "SYSTEM_NETWORK" {
    category  = "system"
    retryable = true
    terminal  = false
    partial   = false
    severity  = "high"
  }

  mode "SYSTEM_TIMEOUT" {
    category  = "system"
    retryable = true
    terminal  = false
    partial   = true
    severity  = "high"
  }

  mode "SYSTEM_CRASH" {
    category  = "system"
    retryable = false
    terminal  = true
    partial   = false
    severity  = "critical"
  }

  mode "SYSTEM_OOM" {
    category  = "system"
    retryable = false
    terminal  = true
    partial   = false
    severity  = "critical"
  }

  mode "SYSTEM_DISK" {
    category  = "system"
    retryable = false
    terminal  = false
    partial   = false
    severity  = "high"
  }

  mode "RESOURCE_TOOL_UNAVAILABLE" {
    category  = "resource"
    retryable = true
    terminal  = false
    partial   = false
    severity  = "medium"
  }

  mode "RESOURCE_API_UNAVAILABLE" {
    category  = "resource"
    retryable = true
    terminal  = false
    partial   = false
    severity  = "medium"
  }

  mode "RESOURCE_MEMORY_FULL" {
    category  = "resource"
    retryable = false
    terminal  = false
    partial   = true
    severity  = "medium"
  }

  mode "RESOURCE_QUOTA" {
    category  = "resource"
    retryable = false
    terminal  = false
    partial   = true
    severity  = "medium"
  }

  mode "RESOURCE_CIRCUIT_OPEN" {
    category  = "resource"
    retryable = true
    terminal  = false
    partial   = false
    severity  = "medium"
  }

  mode "POLICY_SECURITY" {
    category  = "policy"
    retryable = false
    terminal  = true
    partial   = false
    severity  = "critical"
  }

  mode "POLICY_BUDGET" {
    category  = "policy"
    retryable = false
    terminal  = true
    partial   = false
    severity  = "critical"
  }

  mode "POLICY_ALLOWLIST" {
    category  = "policy"
    retryable = false
    terminal  = true
    partial   = false
    severity  = "critical"
  }

  mode "POLICY_RATE_LIMIT" {
    category  = "policy"
    retryable = true
    terminal  = false
    partial   = false
    severity  = "medium"
  }

  mode "USER_INVALID_INPUT" {
    category  = "user"
    retryable = false
    terminal  = false
    partial   = false
    severity  = "low"
  }

  mode "USER_CANCELLED" {
    category  = "user"
    retryable = false
    terminal  = true
    partial   = false
    severity  = "critical"
  }

  mode "USER_PERMISSION" {
    category  = "user"
    retryable = false
    terminal  = false
    partial   = false
    severity  = "medium"
  }

  mode "PARTIAL_TOOL_FAILURES" {
    category  = "agent"
    retryable = false
    terminal  = false
    partial   = true
    severity  = "medium"
  }

  mode "PARTIAL_STEP_FAILURES" {
    category  = "agent"
    retryable = false
    terminal  = false
    partial   = true
    severity  = "medium"
  }

  mode "PARTIAL_TIMEOUT" {
    category  = "agent"
    retryable = true
    terminal  = false
    partial   = true
    severity  = "medium"
  }
}

# One second, then twice as long each time up to a minute, each wait up to a tenth
# longer or shorter.
retry "exponential" "cuga" {
  base        = "1s"
  multiplier  = 2
  max_delay   = "60s"
  jitter      = 0.1
  max_retries = 3
}
