package qd

import "fmt"

// Assert fails the kernel unless condition holds: the launch, or the sync after it, returns a *KernelError with the message.
// message is a constant; where there are args, six at most, it is a format, as fmt's, whose verbs print one scalar each.
// Config.Unchecked turns assertions off on compiled devices.
func Assert(condition bool, message string, args ...any) {
	if condition {
		return
	}
	if message == "" {
		message = "assertion failed"
	}
	if len(args) > 0 {
		message = fmt.Sprintf(message, args...)
	}
	panic(&assertionError{message})
}

// Print writes its operands as fmt.Print does, to Config.Output when launched, to standard output in a direct call. Operands
// are scalars and constant strings. Lines printed by parallel iterations come in any order.
func Print(operands ...any) { fmt.Fprint(printOutput(), operands...) }

// Println writes its operands as fmt.Println does; see Print.
func Println(operands ...any) { fmt.Fprintln(printOutput(), operands...) }

// StaticAssert refuses to compile the kernel unless the constant condition holds.
func StaticAssert(condition bool, message string) {
	if !condition {
		panic(&assertionError{message})
	}
}

// StaticPrint prints its constant operands once, while the kernel is compiled.
func StaticPrint(operands ...any) {}

// AssumeDisjoint promises that what the kernel accesses of the arrays a and b never overlaps, where the compiler cannot see
// it: a launch may then be given arrays that share memory. AssumeDisjoint(a, a) promises that what different scopes access of
// a never overlaps, and silences the warning about a possible conflict. The arguments are parameters, fields that hold an
// *NDArray, or slices of these, and are not evaluated.
func AssumeDisjoint(a, b any) {}
