package qd

// The kernel_*.go files declare what kernels may use. They are compiled into this package like any other file, and the
// same files, embedded, are what the compiler of kernels type-checks against.

// Signed is any signed integer type.
type Signed interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64
}

// Unsigned is any unsigned integer type.
type Unsigned interface {
	~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64
}

// Integer is any integer type.
type Integer interface{ Signed | Unsigned }

// Float is any floating-point type with operators; for half precision see Float16.
type Float interface{ ~float32 | ~float64 }

// Number is any type that arithmetic works on.
type Number interface{ Integer | Float }
