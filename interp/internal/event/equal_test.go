package event

import (
	"math/rand/v2"
	"reflect"
	"testing"
)

// Two payloads are equal where each of their attributes is: another value of any one,
// that of an embedded part included, makes them differ.
func TestEqualLooksAtEveryAttribute(t *testing.T) {
	differs(t, (*Request).Equal)
	differs(t, (*Failed).Equal)
}

// differs changes one field of a T after the other.
func differs[T any](t *testing.T, equal func(a, b *T) bool) {
	t.Helper()
	fill := func() *T {
		v := new(T)
		drawing{Rand: rand.New(rand.NewPCG(1, 2)), all: true}.fill(t, reflect.ValueOf(v).Elem())
		return v
	}
	if !equal(fill(), fill()) {
		t.Fatalf("%T: one that is drawn twice is not equal to itself", fill())
	}
	var each func(at func(*T) reflect.Value)
	each = func(at func(*T) reflect.Value) {
		if at(fill()).Kind() == reflect.Pointer && at(fill()).Elem().Kind() == reflect.Struct {
			pointer := at
			at = func(v *T) reflect.Value { return pointer(v).Elem() }
		}
		typ := at(fill()).Type()
		if typ.Kind() != reflect.Struct {
			a := fill()
			if at(a).SetZero(); equal(a, fill()) || equal(fill(), a) {
				t.Errorf("%T: no difference is seen where one attribute is another", a)
			}
			return
		}
		for i := range typ.NumField() {
			each(func(v *T) reflect.Value { return at(v).Field(i) })
		}
	}
	each(func(v *T) reflect.Value { return reflect.ValueOf(v).Elem() })
}
