package incident

import (
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
	"github.com/scenario-lang/scenario/telemetry"
	tracelog "github.com/scenario-lang/scenario/trace"
)

// spansOf are the spans of a run as `--trace-out otlp=FILE` writes them.
func spansOf(r *interp.Result) []byte {
	return telemetry.AppendOTLP(nil, telemetry.Spans(r.Header(), r.Events))
}

// A scenario that fails, whose spans are imported, fails alike: with the same
// error, after the same attempts at the same times.
func TestRoundTrip(t *testing.T) {
	for name, source := range map[string]string{
		"retries that are used up": `
retry "exponential" "std" { max_retries = 2 }
workflow "w" {
  step "llm" "ask" {
    provider = provider.llm
    prompt   = "Why is the sky blue?"
    retry    = retry.std
  }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    fault "http_error" {
      status_code = 503
      after       = "40ms"
    }
    fault "connection_reset" { after = "70ms" }
    fault "http_error" { status_code = 429 }
  }
}`,
		"a deadline in a wait": `
retry "exponential" "std" {}
workflow "w" {
  step "llm" "ask" {
    provider = provider.llm
    prompt   = "Why is the sky blue?"
    retry    = retry.std
    timeout  = "5s"
  }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    fault "http_error" {
      status_code = 503
      times       = 3
    }
  }
}`,
		"a deadline in an attempt": `
workflow "w" {
  step "llm" "ask" {
    provider = provider.llm
    prompt   = "Why is the sky blue?"
    timeout  = "5s"
  }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    fault "timeout" {}
  }
}`,
		"steps one after another and beside each other": `
workflow "w" {
  step "http" "look" {
    provider = provider.shop
    path     = "/orders/7"
  }
  step "sql" "count" {
    provider   = provider.db
    query      = "SELECT 1"
    depends_on = [step.look]
  }
  step "llm" "ask" {
    provider   = provider.llm
    prompt     = "Why is the sky blue?"
    depends_on = [step.look]
    timeout    = "20s"
  }
  step "http" "send" {
    provider   = provider.shop
    method     = "POST"
    path       = "/mails"
    depends_on = [step.ask, step.count]
  }
}
scenario "s" {
  run = workflow.w
  on "look" {
    reply { latency = "30ms" }
  }
  on "count" {
    reply { latency = "250ms" }
  }
  on "ask" {
    reply {
      content = "Scattering."
      latency = "1s"
    }
  }
  on "send" {
    fault "http_error" {
      status_code = 502
      after       = "90ms"
    }
  }
}`,
		"a fallback that fails, too": `
workflow "w" {
  step "llm" "ask" {
    provider = provider.llm
    prompt   = "Why is the sky blue?"
    fallback = step.other
  }
  step "llm" "other" {
    provider = provider.llm
    prompt   = "Sky?"
  }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    fault "http_error" { status_code = 500 }
  }
  on "other" {
    fault "connection_refused" { after = "10ms" }
  }
}`,
		"a database that refuses": `
workflow "w" {
  step "sql" "count" {
    provider = provider.db
    query    = "SELECT 1"
  }
}
scenario "s" {
  run = workflow.w
  on "count" {
    fault "db_error" {
      sqlstate = "40P01"
      after    = "5ms"
    }
  }
}`,
		"a tool that fails": `
workflow "w" {
  step "mcp" "search" {
    provider = provider.tools
    tool     = "search"
  }
}
scenario "s" {
  run = workflow.w
  on "search" {
    fault "tool_error" { after = "5ms" }
  }
}`,
		"a stream that is cut": `
workflow "w" {
  step "llm" "ask" {
    provider = provider.llm
    prompt   = "Why is the sky blue?"
    stream   = true
  }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    fault "stream_truncate" { end = "clean" }
  }
}`,
	} {
		const providers = `
provider "openai" "llm" { model = "gpt-4o-mini" }
provider "http" "shop" { base_url = "https://shop.example" }
provider "sql" "db" {}
provider "mcp" "tools" { base_url = "https://tools.example/mcp" }
`
		first := ran(t, providers+source)
		if tracelog.Status(first.Events) != "failed" {
			t.Fatalf("%s: the run is %s", name, tracelog.Status(first.Events))
		}
		text, _ := drafted(t, spansOf(first), Options{})
		again := ran(t, text)
		if diff := cmp.Diff(endOf(first), endOf(again)); diff != "" {
			t.Errorf("%s: %s\n%s", name, diff, text)
		}
		if diff := cmp.Diff(outcomes(first.Events), outcomes(again.Events), cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("%s: %s\n%s", name, diff, text)
		}
		if again.Verdict != interp.Fail {
			t.Errorf("%s: the verdict is %s", name, again.Verdict)
		}
	}
}

// endOf is how a run ended, without what names its steps' messages.
func endOf(r *interp.Result) string {
	for _, e := range slices.Backward(r.Events) {
		if e.Type == tracelog.RunEnd {
			return strings.Join([]string{e.Text("status"), e.Text("kind"), e.Text("cause"), e.Text("failed_step"), e.Text("message")}, " | ")
		}
	}
	return ""
}

// Every scenario of the suite whose run is one workflow is a trace, too. All of
// them become valid files, and nine in ten end as they did, in status and kind of
// failure. The others have what no span says: a breaker, a budget, a gateway that
// chose among targets, a step that calls nobody.
func TestSuiteRoundTrip(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of scenarios")
	}
	root, err := filepath.Abs("../../scenarios")
	if err != nil {
		t.Fatal(err)
	}
	loader := suite.Loader{Source: suite.Disk(), Env: func(string) (string, bool) { return "", false }}
	defer loader.Close()
	all, alike := 0, 0
	err = filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !suite.IsScenario(path) {
			return err
		}
		file := loader.Load(path)
		for _, p := range file.Plans {
			r := interp.Run(p, interp.RunOptions{})
			want, ok := endOfOne(r)
			if !ok {
				continue
			}
			d, err := Import(path, spansOf(r), Options{})
			if err != nil {
				if len(outcomes(r.Events)) > 0 && !strings.Contains(err.Error(), "is a call that a scenario can answer") {
					t.Errorf("%s: %v", p.Name, err)
				}
				continue
			}
			text := string(recordingDraft(d))
			got, _ := endOfOne(ran(t, text))
			if all++; got == want {
				alike++
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d of %d end alike", alike, all)
	if all < 500 || alike*100 < all*88 {
		t.Errorf("%d of %d end alike", alike, all)
	}
}

// endOfOne is the status of a run and the kind of its failure, where one workflow
// ran.
func endOfOne(r *interp.Result) (string, bool) {
	runs, end := 0, ""
	for _, e := range r.Events {
		switch e.Type {
		case tracelog.RunStart:
			runs++
		case tracelog.RunEnd:
			end = e.Text("status") + " " + e.Text("kind")
		}
	}
	return end, runs == 1
}
