// Package uncompared finds what a cassette block says about comparing that
// compares nothing: a header field that no recorded request has, and rules behind
// which all requests are the same.
//
//	for _, f := range uncompared.Find(recording, scenario, hide) {
//		fmt.Println(f.Detail)
//	}
package uncompared
