// Package qd compiles ordinary Go functions into data-parallel kernels and runs them.
//
// A kernel is a Go function over slices and scalars. NewKernel finds its source, checks that it stays within the kernel
// language and compiles it for the runtime's device; Launch runs it. The loops over a range at the kernel's top level are
// its parallel loops. The same function can be called directly, which is what the Go arch does.
//
//	rt, err := qd.Open(qd.Config{Arch: qd.Auto})
//	x := qd.MustNDArray[float32](rt, 1024)
//	k, err := qd.NewKernel(rt, scale) // func scale(x []float32, by float32)
//	err = k.Launch(x, float32(2))
//
// Launches on a Stream are queued and run beside those of other streams; an Event orders them.
//
// A Runtime and what is on it may be used from many goroutines. Each thing is closed by its Close method; closing the
// runtime closes what is still open.
package qd
