package qd

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// flush writes what kernels printed. Go's println goes to standard error, as it does in Go.
func (rt *Runtime) flush() error {
	rt.outputMu.Lock()
	defer rt.outputMu.Unlock()
	err := errors.Join(rt.drain(cgo.Stdout, rt.config.output()), rt.drain(cgo.Stderr, os.Stderr))
	if err != nil {
		return fmt.Errorf("write what the kernel printed: %w", err)
	}
	return nil
}

// write writes what qd.StaticPrint prints while a kernel is compiled.
func (rt *Runtime) write(lines []string) error {
	rt.outputMu.Lock()
	defer rt.outputMu.Unlock()
	for _, line := range lines {
		if _, err := fmt.Fprintln(rt.config.output(), line); err != nil {
			return fmt.Errorf("write what the kernel prints: %w", err)
		}
	}
	return nil
}

// drain empties one stream, even where the writer fails.
func (rt *Runtime) drain(stream int, w io.Writer) error {
	buffer := rt.outputBuffer[:]
	var failed error
	for {
		n := rt.program.TakeOutput(stream, buffer)
		if n <= 0 {
			return failed
		}
		if failed == nil {
			_, failed = w.Write(buffer[:n])
		}
	}
}
