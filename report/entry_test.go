package report

import (
	"reflect"
	"testing"
)

// Shows that each text of an entry is hidden, also one that is added to the type later.
func TestEntryHidden(t *testing.T) {
	const planted = "planted"
	var e Entry
	v := reflect.ValueOf(&e).Elem()
	for i := range v.NumField() {
		if v.Field(i).Kind() == reflect.String {
			v.Field(i).SetString(planted)
		}
	}
	hidden := reflect.ValueOf(e.Hidden(func(string) string { return "hidden" }))
	texts := 0
	for i := range v.NumField() {
		if v.Field(i).Kind() != reflect.String {
			continue
		}
		texts++
		if hidden.Field(i).String() != "hidden" {
			t.Errorf("%s is shown: Entry.Hidden has to hide it", v.Type().Field(i).Name)
		}
	}
	if texts < 2 {
		t.Errorf("an entry has %d texts", texts)
	}
}
