# The services of the shop and how its calls are retried.

provider "openai" "primary" { model = "gpt-4o-mini" }

retry "exponential" "std" {
  base        = "1s"
  max_retries = 3
}
