// Package cookbook holds the recipes of scenarios/cookbook to what they say: each
// has versions without its policy in testdata/wrong.txtar, and each of these must
// turn the recipe red, where it says so.
//
//	-- cut_stream: nobody looks for the end marker --
//	red expect "answer"
//	-    validate "it ends with the marker" {
//	…
package cookbook
