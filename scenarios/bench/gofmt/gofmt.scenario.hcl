# gofmt over sources that are tidy, untidy, or no Go at all. Some cases ask for
# more than it promises: an import block in order, a literal without what is
# obvious.
taxonomy "format" {
  mode "layout_missed" {
    severity = "warn"
  }
  mode "syntax_misjudged" {
    severity = "block"
  }
}

bench "gofmt" {
  taxonomy       = taxonomy.format
  breakdown_keys = ["verdict"]
  cases          = ["cases.jsonl"]
  case_timeout   = "20s"
  rubric_timeout = "20s"
  gate "silver" {
    lower_bound = 0.80
    min_passed  = 45
  }
  sut {
    command = ["gofmt", "-l"]
    stdin   = case.input.source
    output  = "process"
  }
  rubric {
    command = ["./score.sh"]
  }
}
