package frontend_test

var kernels = []kernelFunc{
	integers, shifts, narrow, comparisons, shortCircuits, loops, countedLoops, labels, switches, fallthroughs, shadows,
	swaps, earlyReturns, namedResults, generics, methods, embedded, arraysByValue, rangeCopies, literals, slices, moving,
	copies, pointers, movingPointers, equality, floats, minMax, conversions, single, bitFunctions, wideProducts, reductions, histogram,
	deviceFunctions, halves, ranges, constants, serialLoop, closures3, aggregateResults, sliceResults, aliasing, manyCases, longExpressions, afterReturn,
	constantTrips, evaluationOrder,
}
