package dsl

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/schema"
)

// Shows that a file with thousands of mistakes beside thousands of names is told of
// all of them, and of the first ones what was probably meant: the names that are
// compared for all of them together have a bound.
func TestHintsHaveABound(t *testing.T) {
	const names, mistakes = 5000, 2000
	locals := &schema.Shape{Kind: schema.ShapeObject, Name: "local", Within: "in this file", Attrs: map[string]*schema.Shape{}}
	for i := range names {
		locals.Attrs[fmt.Sprintf("name%d", i)] = schema.NumberShape
	}
	env := &Env{Roots: map[string]*schema.Shape{"local": locals}, Hints: &Hints{}}
	hints := 0
	for i := range mistakes {
		_, diags := Infer(parseExpr(t, fmt.Sprintf("local.nme%d", i)), env)
		if len(diags) != 1 || diags[0].Summary != "Unknown name" {
			t.Fatalf("mistake %d: %v", i, diags)
		}
		if strings.Contains(diags[0].Detail, "Did you mean") {
			if hints++; hints != i+1 {
				t.Fatalf("the hint of mistake %d comes after one without", i)
			}
		}
	}
	if most := mostCompared / names; hints != most {
		t.Errorf("%d mistakes have a hint, want the first %d", hints, most)
	}
}
