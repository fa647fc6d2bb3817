package compile

import (
	"errors"
	"fmt"
	"strconv"
)

// statusTest reads expect_status: a number, a class such as "2xx", a number in
// quotes, or a tuple of them. Nil means the default of 200 to 399.
func statusTest(v any) (func(int) bool, error) {
	switch x := v.(type) {
	case nil:
		return nil, nil
	case float64:
		if x != float64(int(x)) {
			return nil, fmt.Errorf("expect_status must be a whole number, not %v", x)
		}
		return exactly(int(x))
	case string:
		if len(x) == 3 && x[1:] == "xx" && x[0] >= '1' && x[0] <= '5' {
			low := int(x[0]-'0') * 100
			return func(code int) bool { return code >= low && code < low+100 }, nil
		}
		n, err := strconv.Atoi(x)
		if err != nil {
			return nil, fmt.Errorf(`expect_status is a status such as 404, a class such as "2xx", or a tuple of them, not %q`, x)
		}
		return exactly(n)
	case []any:
		var any []func(int) bool
		for _, e := range x {
			test, err := statusTest(e)
			if err == nil && test == nil {
				err = errors.New("expect_status has a null in its tuple; leave that element out")
			}
			if err != nil {
				return nil, err
			}
			any = append(any, test)
		}
		return func(code int) bool {
			for _, test := range any {
				if test(code) {
					return true
				}
			}
			return false
		}, nil
	}
	return nil, fmt.Errorf(`expect_status is a status such as 404, a class such as "2xx", or a tuple of them`)
}

func exactly(n int) (func(int) bool, error) {
	if n < 100 || n > 599 {
		return nil, fmt.Errorf("expect_status must be between 100 and 599, not %d", n)
	}
	return func(code int) bool { return code == n }, nil
}
