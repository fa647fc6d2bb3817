// Package veiled puts what may have been sent in the place of what is hidden in the
// values that conditions read.
//
// A placeholder stands for a secret that is hidden by its name, such as the value of
// the header field Authorization. It is made of the secret's sum, so that one which a
// condition writes out is recognised:
//
//	for _, world := range veiled.Worlds([]string{"hunter2"}, veiled.Written(source)) {
//		v := world.Value(operand)
//	}
package veiled
