package qd

import (
	"fmt"
	"slices"
)

// Name is the function's name: "saxpy", or "Sim.Step" for a method.
func (k *Kernel) Name() string { return k.name }

// Diagnostics are the warnings of the compilation.
func (k *Kernel) Diagnostics() []Diagnostic { return slices.Clone(k.warnings) }

// Dump is the kernel's text at a stage of its compilation: "ast", "lower", "type_check", "simplify", "insert_checks",
// "offload", "demote_atomics", "make_thread_local", "hoist_checks", "llvm", "llvm-opt" or "asm".
func (k *Kernel) Dump(stage string) (string, error) {
	if !k.lease.begin() {
		return "", fmt.Errorf("qd: dump %s: the kernel is %w", k.name, ErrClosed)
	}
	defer k.end()
	text, err := k.core.Dump(stage)
	if err != nil {
		return "", fmt.Errorf("qd: dump %s: %w", k.name, coreError(err))
	}
	return text, nil
}

// Plan says how a kernel is launched: its tasks, in phases, and which groups of tasks may overlap.
type Plan struct {
	text     string
	graphviz string
	width    int
}

// String is the plan for people to read.
func (p Plan) String() string { return p.text }

// Graphviz is the plan in the language of Graphviz's dot: a node a task, an edge where one waits for another.
func (p Plan) Graphviz() string { return p.graphviz }

// Width is the largest number of groups that may run at the same time; 1 where nothing overlaps.
func (p Plan) Width() int { return p.width }

// Plan is the kernel's launch plan; the zero value once the kernel is closed.
func (k *Kernel) Plan() Plan {
	if !k.lease.begin() {
		return Plan{}
	}
	defer k.end()
	return Plan{k.core.Plan(), k.core.PlanGraphviz(), k.core.PlanWidth()}
}
