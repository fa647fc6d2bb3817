# Retries as CUGA's failure modes describe them: one second, then twice as long
# each time up to a minute, each wait up to a tenth longer or shorter.
retry "exponential" "cuga" {
  base        = "1s"
  multiplier  = 2
  max_delay   = "60s"
  jitter      = 0.1
  max_retries = 3
}
