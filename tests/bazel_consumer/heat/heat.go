// Package heat has the kernels of a rod whose ends are kept cold.
package heat

import (
	"embed"

	"github.com/quadrants-go/quadrants/qd"
)

//go:embed *.go
var source embed.FS

var _ = qd.Embed(source)

// Step spreads the heat of src into dst.
func Step(dst, src []float64, share float64) {
	for i := range dst {
		if i == 0 || i == len(dst)-1 {
			dst[i] = 0
		} else {
			dst[i] = src[i] + share*(src[i-1]-2*src[i]+src[i+1])
		}
	}
}
