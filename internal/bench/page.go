package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/scenario-lang/scenario/internal/bench/paired"
)

// pageMost is how long Chromium may take from its start until the page of the largest suite
// has been loaded and painted, in ms.
const pageMost = 3000.0

// browsers are the names of Chromium.
var browsers = []string{"chromium", "chromium-browser", "google-chrome"}

// opening prints how long Chromium takes to open a page, and an empty one, by the clock. A
// note says why not where there is no Chromium.
func (l *lab) opening(page string, out io.Writer) error {
	browser := ""
	for _, name := range browsers {
		if path, err := exec.LookPath(name); err == nil {
			browser = path
			break
		}
	}
	if browser == "" {
		fmt.Fprintf(out, "\nthere is no Chromium, so %s was not opened\n", filepath.Base(page))
		return nil
	}
	empty := filepath.Join(l.dir, "empty.html")
	if err := os.WriteFile(empty, []byte("<!doctype html><title>empty</title>"), 0o666); err != nil {
		return err
	}
	painted := filepath.Join(l.dir, "page.png")
	var took [2][]float64
	for range growthRounds {
		for i, path := range []string{page, empty} {
			if err := os.RemoveAll(painted); err != nil {
				return err
			}
			began := time.Now()
			cmd := exec.Command(browser, "--headless=new", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
				"--user-data-dir="+filepath.Join(l.dir, "profile"), "--screenshot="+painted, "file://"+path)
			if _, err := cmd.Output(); err != nil { // once it was loaded and painted
				return fmt.Errorf("%s: %w", browser, err)
			}
			if !exists(painted) {
				return fmt.Errorf("%s painted nothing of %s", browser, path)
			}
			took[i] = append(took[i], millis(time.Since(began)))
		}
	}
	f := valueOf("", "ms", took[0], atMost(pageMost))
	fmt.Fprintf(out, "\n%s opens in Chromium after %s, goal %s, %s; an empty page after %s\n",
		filepath.Base(page), number(f.Of.Median, "ms"), f.Goal, f.verdict(), number(paired.Of(took[1]).Median, "ms"))
	return nil
}
