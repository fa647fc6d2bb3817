package recording

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
)

// TestWithoutSecrets shows that a draft has placeholders for what a sut block gives the program
// under the name of a credential, and the rest as it stands.
func TestWithoutSecrets(t *testing.T) {
	file, diags := hclwrite.ParseConfig([]byte(`sut {
  command = ["app", "--token", "Ka3bMc5dPe71FgHj", "--level=debug1"]
  # why it is so
  env = merge({ DB_PASSWORD = "Lr4sTu6vWx82YzAb", "API_KEY" = "Gs6zAw1vHd38KqTy" }, { LEVEL = "debug2", URL = "http://h/${var.x}?token=abcd1234" })
}
`), "f", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	shown := string(withoutSecrets(file.Body().Blocks()[0]).BuildTokens(nil).Bytes())
	for _, secret := range []string{"Ka3bMc5dPe71FgHj", "Lr4sTu6vWx82YzAb", "Gs6zAw1vHd38KqTy"} {
		if strings.Contains(shown, secret) {
			t.Errorf("%s is shown:\n%s", secret, shown)
		}
	}
	for _, kept := range []string{"debug1", "debug2", "# why it is so", "${var.x}", `"--token"`} {
		if !strings.Contains(shown, kept) {
			t.Errorf("%s is lost:\n%s", kept, shown)
		}
	}
	if strings.Count(shown, "<REDACTED:sha256=") < 3 {
		t.Error(shown)
	}
}
