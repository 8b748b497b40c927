package qd

import (
	"fmt"
	"io"
	"log/slog"
	"os"
)

// Config says how to open a runtime. The zero value opens the CPU with every check on.
type Config struct {
	Arch Arch

	// Threads is the number of CPU threads that run a kernel, the launching one included; 0 means one a core.
	Threads int

	// Unchecked drops the checks of indices, slices and assertions. An index out of range is then undefined behaviour, as in
	// C, and an integer division by zero gives 0. The Go arch always checks.
	Unchecked bool

	// FastMath lets floating-point arithmetic be reassociated and assume finite numbers. Results then differ from Go's.
	FastMath bool

	// Seed is what the random numbers of kernels follow from.
	Seed uint64

	// Logger hears of what was not closed. Nil logs nothing.
	Logger *slog.Logger

	// Output is what Print and Println of launched kernels write to, after the launch, one writer at a time; nil is standard
	// output. It must not launch kernels itself.
	Output io.Writer
}

// validate refuses what no runtime can be opened with.
func (c *Config) validate() error {
	if c.Threads < 0 {
		return fmt.Errorf("%d threads", c.Threads)
	}
	return nil
}

func (c *Config) output() io.Writer {
	if c.Output != nil {
		return c.Output
	}
	return os.Stdout
}
