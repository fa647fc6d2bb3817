package cassette

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/pages"
)

// Shows that the sums on the page about the format are what it says they are,
// and that the file on it is read and written again byte by byte.
func TestVectorsOfThePage(t *testing.T) {
	page, err := os.ReadFile(filepath.Join(root(t), "docs", "cassette-format.md"))
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := pages.Blocks(string(page))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, b := range blocks {
		files[b.Argument] = b.Text
	}
	file := files["capital.yaml"]
	before, end, _ := strings.Cut(file, "x-scenario-end:")
	for what, pair := range map[string][2]string{
		"the file":        {end, "sha256: " + hexSum(before) + "}"},
		"the interaction": {before, "    sha256: " + hexSum(strings.TrimSuffix(files["canonical.json"], "\n")) + "\n"},
		"the key":         {before, "    key: sha256:" + hexSum(strings.TrimSuffix(files["key.json"], "\n")) + "\n"},
	} {
		if !strings.Contains(pair[0], pair[1]) {
			t.Errorf("%s: %q is not in\n%s", what, pair[1], pair[0])
		}
	}
	c := parsed(t, []byte(file))
	if body := string(c.Interactions[0].Response.Body()); !strings.HasPrefix(body, `{"choices":[{"index":0,`) || !strings.Contains(body, "Paris. \U0001f5fc\"") {
		t.Errorf("the body is %s", body)
	}
	var again strings.Builder
	if err := Write(&again, c); err != nil || again.String() != file {
		t.Errorf("%v\n%s", err, again.String())
	}
}
