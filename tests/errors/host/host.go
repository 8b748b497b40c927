// Package host is imported by kernels of the package above.
package host

import "strings"

// Factor can be changed by anybody.
var Factor float32 = 2

// Half can be called from kernels.
func Half(x float32) float32 { return x / 2 }

// Shout cannot.
func Shout(x float32) float32 {
	return x + float32(len(strings.Repeat("!", 3))) // ERROR "strings.Repeat cannot be called"
}
