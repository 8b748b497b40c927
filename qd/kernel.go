package qd

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
	"github.com/quadrants-go/quadrants/qd/internal/frontend"
)

// Kernel is a Go function made ready for a runtime's device. Its methods may be called from any goroutine.
type Kernel struct {
	rt       *Runtime
	lease    lease
	name     string
	fn       reflect.Value
	core     *cgo.Kernel
	warnings []Diagnostic
	args     []argument
	params   []parameter
	nests    bool        // a parameter is a slice of slices
	apart    []apartPair // on the Go arch
	size     int64       // of the packed arguments
	repacked []repacked  // by argument; nil where some argument is more than one parameter
	kept     [2]*launch  // see idle.go
	turn     atomic.Uint32
	launches sync.Pool // of *launch, for those beside the kept ones
}

// KernelOption is an option of NewKernel.
type KernelOption struct{ compileLater bool }

// CompileLater leaves code generation to Kernel.Compile or the first launch. The checks are made at once nonetheless.
func CompileLater() KernelOption { return KernelOption{compileLater: true} }

// NewKernel makes a kernel of a Go function or a method expression. It finds the source, checks it and compiles it for the
// runtime's device. The error is a *CompileError where the function is not a valid kernel; on every arch alike.
func NewKernel(rt *Runtime, fn any, options ...KernelOption) (*Kernel, error) {
	k, err := newKernel(rt, fn, options)
	if err == nil {
		return k, nil
	}
	if _, ok := err.(*CompileError); ok {
		return nil, err // it says where and in which kernel
	}
	return nil, fmt.Errorf("qd: new kernel %s: %w", functionName(fn), err)
}

// MustKernel is NewKernel, but panics on an error.
func MustKernel(rt *Runtime, fn any, options ...KernelOption) *Kernel {
	return must(NewKernel(rt, fn, options...))
}

func newKernel(rt *Runtime, fn any, options []KernelOption) (*Kernel, error) {
	if rt == nil {
		return nil, errors.New("the runtime is nil")
	}
	if err := rt.begin(); err != nil {
		return nil, err
	}
	k := &Kernel{rt: rt, fn: reflect.ValueOf(fn)}
	if err := k.build(fn); err != nil {
		rt.end()
		return nil, err
	}
	for place := range k.kept {
		k.kept[place] = newLaunch(k)
		k.kept[place].isKept, k.kept[place].place, k.kept[place].after = true, uint32(place), uint32(place)
	}
	k.lease.open() // from here on close ends the use of the runtime
	k.launches.New = func() any { return newLaunch(k) }
	rt.mu.Lock()
	rt.kernels[k] = struct{}{}
	rt.mu.Unlock()
	var err error
	if rt.lease.closed.Load() { // Close may have taken the set before this kernel was in it
		err = fmt.Errorf("the runtime is %w", ErrClosed)
	} else if rt.arch != Go && !later(options) {
		err = k.compile()
	}
	if err != nil {
		k.close()
		return nil, err
	}
	return k, nil
}

func later(options []KernelOption) bool {
	for _, o := range options {
		if o.compileLater {
			return true
		}
	}
	return false
}

// build checks and lowers the function.
func (k *Kernel) build(fn any) error {
	described, err := frontend.FuncOf(fn)
	if err != nil {
		return err
	}
	lowered, found, err := frontend.Lower(registry(), described, func(name string) (*cgo.Builder, error) {
		return cgo.NewBuilder(k.rt.program, name)
	})
	if err != nil {
		return coreError(err)
	}
	if found.HasErrors() || lowered == nil {
		return &CompileError{shortName(described.Symbol), fromFrontend(found)}
	}
	defer lowered.Builder.Destroy()
	k.name = lowered.Name
	k.warnings = fromFrontend(found)
	core := lowered.Builder.Finish()
	if core == nil {
		return k.compileError(lowered.Builder.Err())
	}
	found = append(found, frontend.FromCore(core.Diagnostics())...).Sorted()
	if found.HasErrors() {
		core.Destroy()
		return &CompileError{shortName(described.Symbol), fromFrontend(found)}
	}
	k.warnings = fromFrontend(found)
	k.core = core
	k.size = core.ArgsSize()
	if err := k.describeParameters(lowered.Params); err != nil {
		core.Destroy()
		return err
	}
	if k.rt.arch == Go {
		k.describeApart()
	} else {
		k.describeRepacked()
	}
	if err := k.rt.write(lowered.Printed); err != nil {
		core.Destroy()
		return err
	}
	return nil
}

// compileError is the error for what the core refuses.
func (k *Kernel) compileError(err error) error {
	var e *cgo.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code {
	case cgo.CodeCompile, cgo.CodeInvalid, cgo.CodeUnsupported:
		return &CompileError{k.name, append([]Diagnostic{fromCore(e)}, k.warnings...)}
	}
	return coreError(e)
}

func (k *Kernel) compile() error {
	if err := k.core.Compile(); err != nil {
		return k.compileError(err)
	}
	return nil
}

// Compile generates machine code if that is still to be done. When ctx is done it stops waiting, and the work goes on.
func (k *Kernel) Compile(ctx context.Context) error {
	if !k.lease.begin() {
		return fmt.Errorf("qd: compile %s: the kernel is %w", k.name, ErrClosed)
	}
	err := waiting(ctx, func() error {
		defer k.end()
		if k.rt.arch == Go {
			return nil
		}
		return k.compile()
	})
	if err != nil {
		return fmt.Errorf("qd: compile %s: %w", k.name, err)
	}
	return nil
}

// Close gives the kernel back, once no launch uses it any more. A second call returns ErrClosed.
func (k *Kernel) Close() error {
	if !k.close() {
		return fmt.Errorf("qd: close kernel %s: %w", k.name, ErrClosed)
	}
	return nil
}

func (k *Kernel) close() bool {
	ok, last := k.lease.close()
	if !ok {
		return false
	}
	k.rt.mu.Lock()
	delete(k.rt.kernels, k)
	k.rt.mu.Unlock()
	if last {
		k.free()
	} else {
		k.rt.closings.Add(1)
		k.sweep()
	}
	return true
}

// end ends a use that lease.begin started.
func (k *Kernel) end() {
	if k.lease.end() {
		k.free()
	}
}

func (k *Kernel) free() {
	k.core.Destroy()
	k.rt.end()
}

// functionName is what messages call the function before it is a kernel.
func functionName(fn any) string {
	v := reflect.ValueOf(fn)
	if v.Kind() != reflect.Func || v.IsNil() {
		return fmt.Sprintf("%T", fn)
	}
	return shortName(runtime.FuncForPC(v.Pointer()).Name())
}

// shortName is a symbol without the directory of its package: "vec.(*T).f" for "example.com/vec.(*T).f".
func shortName(symbol string) string { return symbol[strings.LastIndexByte(symbol, '/')+1:] }
