module github.com/scenario-lang/scenario/conformance

go 1.26.0

replace github.com/scenario-lang/scenario => ../
