package qd

import (
	"fmt"
	"go/token"
	"regexp"
	"runtime"
	"strings"

	"github.com/quadrants-go/quadrants/qd/internal/frontend"
)

// goPanic is a panic of a kernel that ran as a Go function.
type goPanic struct {
	value  any
	frames []runtime.Frame // innermost first
}

// catch keeps what a deferred function recovered, with the stack of the panic, which is still there then.
func catch(value any) *goPanic {
	if value == nil {
		return nil
	}
	pcs := make([]uintptr, 128)
	p := &goPanic{value: value}
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if f.Function != "" {
			p.frames = append(p.frames, f)
		}
		if !more {
			return p
		}
	}
}

// message says what failed, in the words of Go's runtime.
func (p *goPanic) message() string {
	if err, ok := p.value.(error); ok {
		return strings.TrimPrefix(err.Error(), "runtime error: ")
	}
	return fmt.Sprint(p.value)
}

// nested is what the compiler appends to a function's name for the functions inside it: literals and bodies of range loops.
var nested = regexp.MustCompile(`(\.func\d+|-range\d+|\.\d+|\.gowrap\d+)+$`)

// declared is the name of the declared function that a frame belongs to.
func declared(f runtime.Frame) string {
	return nested.ReplaceAllString(strings.ReplaceAll(f.Function, "[...]", ""), "")
}

// ours tells whether a frame lies in this package or the runtime rather than in a kernel.
func ours(f runtime.Frame) bool {
	if strings.HasPrefix(f.Function, "runtime.") {
		return true
	}
	return packageOf(f.Function) == frontend.KernelAPIPath && !strings.HasSuffix(f.File, "_test.go")
}

// kernelFrames are the frames from the failing function to the kernel, one for each declared function.
func (p *goPanic) kernelFrames(kernel string) []runtime.Frame {
	// Below the panic the stack holds the deferred function and its callers; above, the runtime's own frames.
	frames := p.frames
	for i, f := range frames {
		if f.Function == "runtime.gopanic" {
			frames = frames[i+1:]
			break
		}
	}
	var kept []runtime.Frame
	for _, f := range frames {
		if ours(f) {
			continue
		}
		if strings.HasPrefix(f.Function, "reflect.") {
			break
		}
		if n := len(kept); n == 0 || declared(kept[n-1]) != declared(f) {
			kept = append(kept, f)
		}
		if declared(f) == kernel {
			break
		}
	}
	return kept
}

// kernelError is the panic as the launch's error. shapes are those of the kernel's slices, by name.
func (p *goPanic) kernelError(k *Kernel, shapes map[string][]int) *KernelError {
	kernel := strings.ReplaceAll(runtime.FuncForPC(k.fn.Pointer()).Name(), "[...]", "")
	e := &KernelError{Msg: p.message(), Kernel: k.name}
	frames := p.kernelFrames(kernel)
	if len(frames) == 0 {
		return e
	}
	if len(frames) > 1 {
		shapes = nil // they are of another function's slices
	}
	at := locate(frames[0], p.value, e.Msg, shapes)
	e.Pos, e.Array, e.Axis = at.pos, at.array, at.axis
	switch v := p.value.(type) {
	case *indexError:
		e.Index, e.Length, e.Axis = v.index, v.length, v.axis
	case runtime.Error:
		if index, length, ok := outOfRange(e.Msg); ok {
			e.Index, e.Length = index, length
		} else if n, _ := fmt.Sscanf(e.Msg, "index out of range [%d]", &index); n == 1 { // a negative one, without the length
			e.Index = index
			if shape := shapes[e.Array]; e.Axis < len(shape) {
				e.Length = shape[e.Axis]
			}
		}
	}
	for i, f := range frames[1:] {
		name := declared(frames[i])
		e.Chain = append(e.Chain, Call{
			Function: name[strings.LastIndexByte(name, '.')+1:],
			Pos:      token.Position{Filename: f.File, Line: f.Line, Column: firstColumn(f)},
		})
	}
	return e
}
