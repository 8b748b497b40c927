package qd

import "math"

// Sqrt is the square root.
func Sqrt[T Float](x T) T { return T(math.Sqrt(float64(x))) }

// Rsqrt is 1/Sqrt(x).
func Rsqrt[T Float](x T) T { return T(1 / math.Sqrt(float64(x))) }

// Cbrt is the cube root.
func Cbrt[T Float](x T) T { return T(math.Cbrt(float64(x))) }

// Hypot is Sqrt(x*x + y*y) without needless overflow.
func Hypot[T Float](x, y T) T { return T(math.Hypot(float64(x), float64(y))) }

// Sin is the sine of x radians.
func Sin[T Float](x T) T { return T(math.Sin(float64(x))) }

// Cos is the cosine of x radians.
func Cos[T Float](x T) T { return T(math.Cos(float64(x))) }

// Tan is the tangent of x radians.
func Tan[T Float](x T) T { return T(math.Tan(float64(x))) }

// Asin is the arcsine in radians.
func Asin[T Float](x T) T { return T(math.Asin(float64(x))) }

// Acos is the arccosine in radians.
func Acos[T Float](x T) T { return T(math.Acos(float64(x))) }

// Atan is the arctangent in radians.
func Atan[T Float](x T) T { return T(math.Atan(float64(x))) }

// Atan2 is the angle of the point (x, y) in radians.
func Atan2[T Float](y, x T) T { return T(math.Atan2(float64(y), float64(x))) }

// Sinh is the hyperbolic sine.
func Sinh[T Float](x T) T { return T(math.Sinh(float64(x))) }

// Cosh is the hyperbolic cosine.
func Cosh[T Float](x T) T { return T(math.Cosh(float64(x))) }

// Tanh is the hyperbolic tangent.
func Tanh[T Float](x T) T { return T(math.Tanh(float64(x))) }

// Exp is e to the x.
func Exp[T Float](x T) T { return T(math.Exp(float64(x))) }

// Exp2 is 2 to the x.
func Exp2[T Float](x T) T { return T(math.Exp2(float64(x))) }

// Log is the natural logarithm.
func Log[T Float](x T) T { return T(math.Log(float64(x))) }

// Log2 is the logarithm to base 2.
func Log2[T Float](x T) T { return T(math.Log2(float64(x))) }

// Log10 is the logarithm to base 10.
func Log10[T Float](x T) T { return T(math.Log10(float64(x))) }

// Pow is x to the y.
func Pow[T Float](x, y T) T { return T(math.Pow(float64(x), float64(y))) }

// Floor is the largest whole number not above x.
func Floor[T Float](x T) T { return T(math.Floor(float64(x))) }

// Ceil is the smallest whole number not below x.
func Ceil[T Float](x T) T { return T(math.Ceil(float64(x))) }

// Trunc drops the fraction.
func Trunc[T Float](x T) T { return T(math.Trunc(float64(x))) }

// Round is the nearest whole number, halves away from zero.
func Round[T Float](x T) T { return T(math.Round(float64(x))) }

// IsNaN reports whether x is not a number.
func IsNaN[T Float](x T) bool { return x != x }

// IsInf reports whether x is an infinity, of either sign.
func IsInf[T Float](x T) bool { return math.IsInf(float64(x), 0) }

// Abs is the absolute value; the most negative integer is its own.
func Abs[T Signed | Float](x T) T {
	if x < 0 {
		return -x
	}
	return x + 0 // a float's -0 becomes +0
}

// Sign is -1, 0 or 1; a zero or NaN is itself.
func Sign[T Signed | Float](x T) T {
	switch {
	case x > 0:
		return 1
	case x < 0:
		return -1
	}
	return x
}

// Clamp is x held between low and high.
func Clamp[T Number](x, low, high T) T { return min(max(x, low), high) }

// Mix is x where t is 0, y where t is 1, and linear in t.
func Mix[T Float](x, y, t T) T { return x*(1-t) + y*t }

// FloorDiv is the quotient rounded down; Go's / rounds toward zero.
func FloorDiv[T Number](x, y T) T {
	q := x / y
	if half := T(1) / T(2); half != 0 { // floats
		return T(math.Floor(float64(q)))
	}
	if q*y != x && (x < 0) != (y < 0) {
		q--
	}
	return q
}

// FloorMod is x - y*FloorDiv(x, y): it has the sign of y.
func FloorMod[T Number](x, y T) T {
	if half := T(1) / T(2); half != 0 { // floats
		r := T(math.Mod(float64(x), float64(y)))
		if r != 0 && (r < 0) != (y < 0) {
			r += y
		}
		return r
	}
	return x - y*FloorDiv(x, y)
}
