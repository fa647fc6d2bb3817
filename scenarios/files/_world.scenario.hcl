# The world of import.scenario.hcl. Its name begins with _ because there is
# nothing in it to test.
import = ["std/cuga"]

variable "model" { default = "gpt-4o-mini" }

provider "openai" "primary" { model = var.model }

workflow "support" {
  provider = provider.primary
  inputs   = { question = null }

  step "llm" "answer" {
    prompt = "${trimspace(file("instruction.txt"))} ${input.question}"
    retry  = retry.cuga
  }
}
