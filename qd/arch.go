package qd

import (
	"fmt"
	"os"

	"github.com/quadrants-go/quadrants/qd/internal/cgo"
)

// Arch is a kind of device that kernels run on.
type Arch int

// The kinds of device.
const (
	CPU    Arch = iota // this machine's processor
	CUDA               // an NVIDIA GPU
	AMDGPU             // an AMD GPU
	GPU                // the first usable GPU
	Auto               // what QD_ARCH names if it is set, else a GPU if there is one, else the CPU
	Go                 // plain Go: kernels are checked, then run as the Go functions they are, serially
)

// sim simulates a GPU on the CPU, for tests of what is ordered after what. Auto opens it where QD_ARCH is "sim"; then QD_SIM
// says how, for example "seed=7".
const sim Arch = 100

// queues tells whether launches are queued and the host cannot reach device memory.
func (a Arch) queues() bool { return a != CPU && a != Go }

var archNames = [...]string{CPU: "cpu", CUDA: "cuda", AMDGPU: "amdgpu", GPU: "gpu", Auto: "auto", Go: "go"}

// String is the name that QD_ARCH takes: "cpu", "cuda", "amdgpu", "go".
func (a Arch) String() string {
	if a == sim {
		return "sim"
	}
	if a < 0 || int(a) >= len(archNames) {
		return fmt.Sprintf("Arch(%d)", int(a))
	}
	return archNames[a]
}

// archVariable is the environment variable that Auto reads.
const archVariable = "QD_ARCH"

// resolve turns Auto and GPU into a kind of device. It leaves Auto where only trying tells whether there is a GPU.
func (a Arch) resolve() (Arch, error) {
	switch a {
	case CPU, Go, sim:
		return a, nil
	case CUDA, GPU:
		return CUDA, nil
	case AMDGPU:
		return a, fmt.Errorf("%w: this version has no %s devices yet (use cuda, cpu or go)", ErrNoDevice, a)
	case Auto:
		name, set := os.LookupEnv(archVariable)
		if !set || name == "" {
			return Auto, nil
		}
		for _, choice := range [...]Arch{CPU, CUDA, AMDGPU, Go, sim} {
			if choice.String() == name {
				resolved, err := choice.resolve()
				if err != nil {
					return resolved, fmt.Errorf("%s=%s: %w", archVariable, name, err)
				}
				return resolved, nil
			}
		}
		return a, fmt.Errorf("%s=%q is none of cpu, cuda, amdgpu, go", archVariable, name)
	}
	return a, fmt.Errorf("%s is no arch", a)
}

// core is the device on which the core compiles for this arch. The Go arch compiles for the CPU too, for the checks that
// only the core makes.
func (a Arch) core() cgo.Arch {
	switch a {
	case CUDA:
		return cgo.CUDA
	case sim:
		return cgo.Sim
	}
	return cgo.CPU
}
