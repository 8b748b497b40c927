//go:build !unix

package qd

import "fmt"

// probeMemory refuses what no process can have; smaller sizes are tried.
func probeMemory(size int64) error {
	if size > 1<<40 {
		return fmt.Errorf("%w: %d bytes", ErrOutOfMemory, size)
	}
	return nil
}
